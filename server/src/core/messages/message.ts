import type { PipelineMessage, Reason } from '@parley/sdk';

/**
 * State of a message. Inbound: `received` (stored, waiting), `processing`, then `answered`, `stopped` (by a rule or a user),
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
export interface Message extends Omit<PipelineMessage, 'context'> {
  direction: 'inbound' | 'outbound';
  /** The inbound message that an outbound one answers; null for an unsolicited one. */
  reply_to: string | null;
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
  finished_at: string | null;
}

/** Whether the user stopped the answer to a message, before it began (`cancelled`) or later (`answer_stopped`). */
export function isStoppedByUser({ state, reason }: Pick<Message, 'state' | 'reason'>): boolean {
  return state === 'stopped' && (reason === 'cancelled' || reason === 'answer_stopped');
}

/**
 * A claim of an inbound message. Every write for the message names it, and does nothing when the message was claimed again
 * since, or is claimed no more.
 */
export interface MessageClaim {
  uuid: string;
  /** Raised by each claim of the message. */
  claim: number;
}

/** The claim alone: arguments of the ledger may be copied to a thread, as text. */
export function claimOf({ uuid, claim }: MessageClaim): MessageClaim {
  return { uuid, claim };
}

/** A message with what its claim read, which tells whether what is in memory is up to date. */
export interface ClaimedMessage extends Message, MessageClaim {
  /** Raised with each change of a message of the conversation that had ended. */
  history_revision: number;
  /** Raised with each change of a record that messages are processed with. */
  record_version: number;
  /** Raised with each change of a plugin, an MCP server or a webhook. */
  extension_version: number;
}
