import type {
  ConversationContext,
  MessageChain,
  MessageEvent,
  MessageHandle,
  MessageReceipt,
  Reason,
} from '@parley/sdk';
import type { Conversation, ConversationKey } from '../conversations/conversation.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';
import type { Message } from './message.ts';
import type { MessageRecord } from './message-trace.ts';

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

/** An inbound message that is to be stored, and the conversation it belongs to. */
export interface Arrival {
  key: ConversationKey;
  event: MessageEvent;
}

/** A complete answer. */
export interface Answer {
  /** One chain for each message of the platform. */
  pieces: MessageChain[];
  /** The answer in the history for a model. */
  text: string;
  /** `failed` when it is a notice and no answer. */
  state: 'finished' | 'failed';
  /** How the inbound message ends when all parts are sent. Stored (in the trace), to resume sending after a crash. */
  outcome: MessageOutcome;
  /** Messages that waited behind and are answered along: they end now (`stopped`, `merged`). */
  merged: readonly string[];
}

/** An answer in the ledger, with everything that is sent of it, in order. */
export interface StoredAnswer {
  message: Message;
  deliveries: Delivery[];
  /** See {@link Answer}; meaningless for an answer that is still `writing`. */
  outcome: MessageOutcome;
  /** The streamed part of it, by an attempt that did not complete it; null when there is none. */
  handle: MessageHandle | null;
}

/** How sending a complete answer starts. */
export interface DeliveryPlan {
  /** Whether its first part is sent immediately, and so is `sending` from now on; else all parts are `pending`. */
  begins: boolean;
  /** When attempts to send it end, ISO 8601 UTC; null for never. */
  expires_at: string | null;
}

/** A part of an answer that could not be sent for now. */
export interface PostponedDelivery {
  answer_uuid: string;
  piece: number;
  reason: Reason;
  /** The error message of the platform. */
  error: string;
  /** Not before this, ISO 8601 UTC. */
  until: string;
}

/** The ledger, which is also the queue. Every method is one transaction; its result is on disk. */
export interface MessageStore {
  /** Stores an inbound message and queues it, unless the platform delivered it before. */
  accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt>;
  /** Stores several inbound messages as `accept` does, all of them or none. @returns a receipt for each, in order */
  acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]>;
  /**
   * Claims the oldest due message of a conversation with none in progress, or null. Its state becomes `processing` and
   * its attempts are incremented; until it is settled or released, no other message of its conversation is claimed.
   * @param heldBots bots whose messages are on hold
   */
  claim(heldBots: readonly string[]): Promise<Message | null>;
  /**
   * When the next conversation is due, milliseconds since 1970; null when there is none.
   * @param since of those that are due by now, only those of the last so many milliseconds. Default 0
   */
  nextDue(since?: number): Promise<number | null>;
  /**
   * Recovers after a crash: messages in progress wait again, those with a complete answer first. Deliveries of
   * unsolicited messages become `uncertain`; those of answers are left to the next attempt.
   */
  recover(): Promise<{ messages: number; deliveries: number }>;
  /**
   * Returns a claimed message to the queue. A no-op when another process has claimed it since.
   * @param wait not before `until` (ISO 8601 UTC), and why; null for immediately
   * @param options.isCounted false to not count the claim as an attempt. Default true
   */
  release(
    messageUuid: string,
    wait: { until: string; reason: Reason } | null,
    options?: { isCounted?: boolean },
  ): Promise<void>;
  /**
   * Puts back what this process has claimed without learning of it, because the connection was lost during the claim. The
   * attempts are not counted.
   * @param running uuids of the messages that it knows of
   * @returns how many messages were put back
   */
  reclaim(running: readonly string[]): Promise<number>;
  /** Ends the wait of a conversation for webhooks (`awaiting_webhook`); a no-op when it waits for something else. */
  hurry(conversationUuid: string): Promise<void>;
  /** Messages of the conversation behind a claimed one, oldest first, at most `limit`. */
  waitingBehind(message: Message, limit: number): Promise<Message[]>;
  /** The answer that an earlier attempt completed or started; null when there is none. */
  answerTo(messageUuid: string): Promise<StoredAnswer | null>;
  /**
   * The row of an answer that is shown while it grows; the same row when an earlier attempt left one.
   * @param partialRemains the earlier attempt may have left a message that cannot be found again. The row keeps it as its
   *   `reason` until the answer is complete, for attempts after this one
   */
  beginAnswer(message: Message, partialRemains?: boolean): Promise<Message>;
  /**
   * Completes an answer: its row is written and there is a delivery for each part. The inbound message remains
   * `processing` until it is settled or postponed.
   * @param plan default: it starts immediately, and retries have no deadline
   */
  finishAnswer(message: Message, answer: Answer, record: MessageRecord, plan?: DeliveryPlan): Promise<StoredAnswer>;
  /** Stores the streamed state of a message; see {@link MessageHandle}. */
  storeHandle(answerUuid: string, piece: number, handle: MessageHandle): Promise<void>;
  /** A part that is `pending` is `sending` from now on. */
  beginDelivery(answerUuid: string, piece: number): Promise<void>;
  /** A part ended. @param beginsNext whether the next one, if any, is `sending` from now on. Default: true */
  settleDelivery(answerUuid: string, piece: number, outcome: DeliveryOutcome, beginsNext?: boolean): Promise<void>;
  /** A part is `pending` again, and its claimed inbound message is released with a due time. */
  postponeDelivery(messageUuid: string, postponed: PostponedDelivery): Promise<void>;
  /** The outbound message with a uuid, or the answer to the inbound message with it; null when there is none. */
  deliveredMessage(messageUuid: string): Promise<Message | null>;
  /**
   * Requeues a failed or uncertain part and the following ones. Parts of an answer are `pending` and the message that
   * it answers is `received` and queued; the part of an unsolicited message is `sending`.
   * @param outbound from {@link deliveredMessage}
   * @returns the state of the part, or why nothing has changed
   */
  reopenDelivery(
    outbound: Message,
    piece: number,
    expiresAt: string,
  ): Promise<'pending' | 'sending' | 'not_found' | 'in_progress' | 'delivered'>;
  /** Conversations that wait for a due time need not wait any longer; those in progress are unchanged. */
  expedite(conversationUuids: readonly string[]): Promise<void>;
  /**
   * Ends the inbound message, together with the last delivery of its answer if any, with those that were merged into it
   * (`stopped`, `merged`; only without an answer, see `finishAnswer`) and releases its conversation. Without an answer,
   * one that was started and of which nothing was sent is deleted.
   * @param record the trace to store; null when `finishAnswer` stored it
   */
  settle(
    message: Message,
    outcome: MessageOutcome,
    end: {
      answer: { uuid: string; piece: number; delivery: DeliveryOutcome } | null;
      merged: readonly string[];
      record: MessageRecord | null;
    },
  ): Promise<void>;
  /** Ends waiting messages of a conversation before a position. @returns those, in no order */
  stopWaiting(
    conversationUuid: string,
    beforeSequence: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]>;
  /** Stores an unsolicited message, with its delivery, which starts. */
  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message>;
  /**
   * The history before a message for a model: the last `rounds` answered questions, each followed by its answer, and
   * unsolicited messages since the first of them (since the start, when there are fewer).
   * A question that others were merged into contains all of their texts.
   */
  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]>;
  /** Content of a message that is stored outside of the ledger; null when there is none. */
  context(messageUuid: string): Promise<ConversationContext | null>;
  currentConversation(key: ConversationKey): Promise<Conversation | null>;
  /** All messages of a conversation that can be shown, oldest first. */
  conversationMessages(conversationUuid: string, limit: number): Promise<Message[]>;
  /** State of the conversation of a message: answered questions before it, waiting messages, its start. */
  conversationStatus(message: Message): Promise<{ rounds: number; waiting: number; since: string }>;
  /** How many messages before a command, in its conversation, ended as `cancelled` or `reset` since it was stored. */
  cancelledBy(message: Message): Promise<number>;
  /** Calls a model first in a conversation; null for the first one of its pipeline. */
  chooseModel(conversationUuid: string, modelUuid: string | null): Promise<void>;
  /** Ends the current conversation under a key; false when there was none. */
  endConversation(key: ConversationKey): Promise<boolean>;
}
