import type { MessageChain, Reason } from '@parley/sdk';

/** Whether a piece reached the platform. `uncertain`: it was on its way when the process died. */
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
