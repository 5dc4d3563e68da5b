import type { MessageEvent, MessageReceipt, Reason } from '@parley/sdk';
import type { SealedState } from '../bots/adapter-states.ts';
import type { ClaimableBots } from '../bots/running-bot.ts';
import type { ConversationKey } from '../conversations/conversation.ts';
import type { DeliveryOutcome } from './delivery.ts';
import type { SealedMediaReference } from './media-fetch.ts';
import type { ClaimedMessage, Message, MessageClaim } from './message.ts';
import type { MessageRecord } from './message-trace.ts';
import type { SealedReplyContext } from './reply-contexts.ts';

/** How an inbound message ended. */
export interface MessageOutcome {
  state: 'answered' | 'stopped' | 'failed' | 'uncertain';
  reason: Reason | 'answered';
}

/** The outcome of an inbound message, and its conversation. */
export type StoredReceipt = MessageReceipt & {
  conversation_uuid: string;
  /** Present when webhooks receive it: until when it waits for them, ISO 8601 UTC; null when it does not wait. */
  webhook_wait_until?: string | null;
};

/** What is stored encrypted with an inbound message. */
export interface SealedParts {
  replyContext?: SealedReplyContext | null;
  media?: readonly SealedMediaReference[];
  /** Written also when the message is repeated. */
  state?: SealedState | null;
  /** Whether the answer is waited for in this replica, which alone answers it while it lives. Default false */
  isAwaited?: boolean;
}

/** An inbound message that is to be stored, and the conversation it belongs to. */
export interface Arrival extends SealedParts {
  key: ConversationKey;
  event: MessageEvent;
}

/** How one part of the answer with a uuid ended. */
export interface EndedDelivery {
  uuid: string;
  piece: number;
  delivery: DeliveryOutcome;
}

/** What is stored when an inbound message ends. */
export interface MessageEnd {
  /** The last part of its answer; null without an answer, or when all parts ended before. */
  answer: EndedDelivery | null;
  /** Messages that waited behind and end with it. */
  merged: readonly string[];
  /** The trace to store; null when `finishAnswer` stored it. */
  record: MessageRecord | null;
}

/** The inbound messages, and the queue of their conversations. Every method is one transaction; its result is on disk. */
export interface MessageLedger {
  /** Stores an inbound message and queues it, unless the platform delivered it before. */
  accept(key: ConversationKey, event: MessageEvent, sealed?: SealedParts): Promise<StoredReceipt>;
  /** Stores several inbound messages as `accept` does, all of them or none. @returns a receipt for each, in order */
  acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]>;
  /**
   * Claims the oldest due messages of conversations with none in progress, one of each conversation. Their state becomes
   * `processing` and their attempts are incremented; until one is settled or released, no other message of its
   * conversation is claimed.
   * @param bots bots whose messages may be claimed, apart from those that are awaited in other replicas
   * @returns at most `limit`, and fewer only when no more are due
   */
  claim(bots: ClaimableBots, limit: number): Promise<ClaimedMessage[]>;
  /**
   * When the next conversation is due, milliseconds since 1970; null when there is none.
   * @param since of those that are due by now, only those of the last so many milliseconds. Default 0
   */
  nextDue(since?: number): Promise<number | null>;
  /**
   * Takes over what no living replica works on: messages in progress wait again, those with a complete answer first.
   * Deliveries of unsolicited messages become `uncertain`; those of answers are left to the next attempt.
   */
  recover(): Promise<{ messages: number; deliveries: number }>;
  /**
   * Returns a claimed message to the queue.
   * @param wait not before `until` (ISO 8601 UTC), and why; null for immediately
   * @param options.isCounted false to not count the claim as an attempt. Default true
   * @returns false when the claim is outdated; nothing changes then
   */
  release(
    claim: MessageClaim,
    wait: { until: string; reason: Reason } | null,
    options?: { isCounted?: boolean },
  ): Promise<boolean>;
  /**
   * Puts back what this process has claimed without learning of it, because the connection was lost during the claim. The
   * attempts are not counted.
   * @param running the claims that it knows of
   * @returns how many messages were put back
   */
  reclaim(running: readonly MessageClaim[]): Promise<number>;
  /** Ends the wait of a conversation for webhooks (`awaiting_webhook`); a no-op when it waits for something else. */
  hurry(conversationUuid: string): Promise<void>;
  /** Conversations that wait for a due time need not wait any longer; those in progress are unchanged. */
  expedite(conversationUuids: readonly string[]): Promise<void>;
  /** Messages of the conversation behind a claimed one, oldest first, at most `limit`. */
  waitingBehind(message: Message, limit: number): Promise<Message[]>;
  /**
   * Ends the inbound message, together with the last delivery of its answer if any, with those that were merged into it
   * (`stopped`, `merged`; only without an answer, see `finishAnswer`) and releases its conversation. Without an answer,
   * one that was started and of which nothing was sent is deleted.
   * @returns how it ended: `failed` where an earlier part of a sent answer has failed meanwhile. Null when the claim is
   *   outdated; nothing changes then
   */
  settle(message: ClaimedMessage, outcome: MessageOutcome, end: MessageEnd): Promise<MessageOutcome | null>;
  /** Ends waiting messages of a conversation before a position. @returns those, in no order */
  stopWaiting(
    conversationUuid: string,
    beforeSequence: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]>;
}
