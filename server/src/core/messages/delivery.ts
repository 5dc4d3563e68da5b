import type { MessageChain, MessageHandle, Reason } from '@parley/sdk';

/**
 * Whether a part reached the platform. `pending` parts are sent when their turn comes or, after a failure that left
 * nothing behind, when the platform can be reached again. `uncertain`: the request left, but no conclusive answer came.
 */
export type DeliveryState = 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain';

/** One message of the platform on its way out. An answer is sent as one or several of them, in order. */
export interface Delivery {
  message_uuid: string;
  /** From 0. */
  piece: number;
  message_chain: MessageChain;
  state: DeliveryState;
  /** Same for every attempt. */
  idempotency_token: string;
  /** What the platform calls it; null when it does not say, or is not sent. */
  platform_message_id: string | null;
  reason: Reason | null;
  /** What the platform said. */
  error: string | null;
  /** When attempts end, ISO 8601 UTC; null when they do not. */
  expires_at: string | null;
  /** What the platform needs to find again what was shown of it; null when nothing is recorded. */
  handle: MessageHandle | null;
  created_at: string;
  updated_at: string;
}

/** How a delivery ended. */
export interface DeliveryOutcome {
  state: Extract<DeliveryState, 'sent' | 'failed' | 'uncertain'>;
  reason: Reason | null;
  error: string | null;
  platform_message_id: string | null;
}
