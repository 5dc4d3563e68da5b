import type { MessageChain, MessageFacts, Reason, SessionType } from '@parley/sdk';

/**
 * State of a message. Inbound: `received` (stored, waiting), `processing`, then `answered`, `stopped` (by a rule),
 * `failed`, or `uncertain` when it was answered and it is unknown whether the full answer arrived. Outbound: `writing`,
 * then `finished`, or `failed` when it is a notice and no answer.
 */
export type MessageState =
  | 'received'
  | 'processing'
  | 'answered'
  | 'stopped'
  | 'failed'
  | 'uncertain'
  | 'writing'
  | 'finished';

/** One row of the ledger: an inbound or outbound message. */
export interface Message {
  uuid: string;
  bot_uuid: string;
  conversation_uuid: string;
  /** Empty when the bot had no pipeline. */
  pipeline_uuid: string;
  session_type: SessionType;
  session_id: string;
  thread_id: string;
  direction: 'inbound' | 'outbound';
  /** The platform's own identifier; null for what we send, which may be several messages there. */
  platform_message_id: string | null;
  /** The inbound message that an outbound one answers; null for an unsolicited one. */
  reply_to: string | null;
  /** Place in the conversation, from 1. */
  sequence: number;
  sender_id: string;
  sender_name: string;
  facts: MessageFacts;
  message_chain: MessageChain;
  text: string;
  state: MessageState;
  /** Why an inbound message ended, or what it waits for. */
  reason: Reason | 'answered' | null;
  /** The message that it was answered together with. */
  merged_into: string | null;
  /** The model that was chosen for its conversation; null when none was. */
  model_uuid: string | null;
  /** Number of attempts to answer it. */
  attempts: number;
  /**
   * Until when it waits for the webhooks that receive it, ISO 8601 UTC; null when there is none, or it does not wait.
   */
  webhook_wait_until: string | null;
  created_at: string;
  finished_at: string | null;
}
