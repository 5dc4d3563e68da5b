import type { MessageChain, MessageHandle, Reason } from '@parley/sdk';

/**
 * Delivery state of a part. `pending` parts are sent in turn or, after a failure without effect, when the platform can
 * be reached again. `uncertain`: the request was sent, but no conclusive response arrived.
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
  /** The id on the platform; null when the platform returns none, or before it is sent. */
  platform_message_id: string | null;
  reason: Reason | null;
  /** The error message of the platform. */
  error: string | null;
  /** When attempts end, ISO 8601 UTC; null when they do not. */
  expires_at: string | null;
  /**
   * When the first attempt began that may have reached the platform, although that attempt failed; ISO 8601 UTC. Null when
   * there is none. Repeats are harmless for as long as the platform knows the token.
   */
  unconfirmed_since: string | null;
  /** Reference by which the platform can find the streamed message; null when nothing is recorded. */
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
