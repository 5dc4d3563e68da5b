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

/** What became of a message that came in, and the conversation that it belongs to. */
export type StoredReceipt = MessageReceipt & {
  conversation_uuid: string;
  /** There when webhooks are told of it: until when it waits for them, ISO 8601 UTC; null when it does not. */
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
  /** What a model is told later that it answered. */
  text: string;
  /** `failed` when it is a notice and no answer. */
  state: 'finished' | 'failed';
  /** How the inbound message will end when all is sent. Kept (in the trace), for whoever sends the rest after a crash. */
  outcome: MessageOutcome;
  /** Messages that waited behind and are answered along: they end now (`stopped`, `merged`). */
  merged: readonly string[];
}

/** An answer in the ledger, with everything that is sent of it, in order. */
export interface StoredAnswer {
  message: Message;
  deliveries: Delivery[];
  /** See {@link Answer}; for an answer that is still `writing` it says nothing. */
  outcome: MessageOutcome;
  /** What was shown of it while it was written, by an attempt that did not complete it; null when that is nothing. */
  handle: MessageHandle | null;
}

/** How the sending of a complete answer begins. */
export interface DeliveryPlan {
  /** Whether its first part is sent at once, and so is `sending` from now on; else all parts are `pending`. */
  begins: boolean;
  /** When attempts to send it end, ISO 8601 UTC; null for never. */
  expires_at: string | null;
}

/** A part of an answer that could not be sent for now. */
export interface PostponedDelivery {
  answer_uuid: string;
  piece: number;
  reason: Reason;
  /** What the platform said. */
  error: string;
  /** Not before this, ISO 8601 UTC. */
  until: string;
}

/** The ledger, and the queue that it is. Every method is one transaction; what it returns is on disk. */
export interface MessageStore {
  /** Stores an inbound message with the work it makes, unless the platform delivered it before. */
  accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt>;
  /** Stores several inbound messages as `accept` does, all of them or none. @returns a receipt for each, in order */
  acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]>;
  /**
   * Hands out the oldest waiting message of a conversation that is due and that nobody works on, or null. Its state is
   * `processing` and its attempts are counted up; until it is settled or released, nothing else of its conversation is
   * handed out.
   * @param heldBots bots whose messages wait on
   */
  claim(heldBots: readonly string[]): Promise<Message | null>;
  /**
   * When the next conversation is due, milliseconds since 1970; null when there is none.
   * @param since of those that are due by now, only what became so in the last so many milliseconds. Default 0
   */
  nextDue(since?: number): Promise<number | null>;
  /**
   * Takes stock after a crash: messages that were begun wait again, those first whose answer is complete. Deliveries of
   * messages that were sent unasked become `uncertain`; those of answers are left to whoever takes the message up.
   */
  recover(): Promise<{ messages: number; deliveries: number }>;
  /**
   * Puts a claimed message back in the queue.
   * Nothing changes when another process has taken it over.
   * @param wait not before `until` (ISO 8601 UTC), and why; null for at once
   * @param options.isCounted false to undo that the claim counted as an attempt. Default true
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
  /** Takes a conversation from its wait for webhooks (`awaiting_webhook`); nothing when it waits for something else. */
  hurry(conversationUuid: string): Promise<void>;
  /** Messages of the conversation behind a claimed one, oldest first, at most `limit`. */
  waitingBehind(message: Message, limit: number): Promise<Message[]>;
  /** The answer that an earlier attempt completed, or that was begun; null when there is none. */
  answerTo(messageUuid: string): Promise<StoredAnswer | null>;
  /**
   * The row of an answer that is shown while it grows; the same row when an earlier attempt left one.
   * @param partialRemains the earlier attempt may have left a message that cannot be found again. The row keeps it as its
   *   `reason` until the answer is complete, for attempts after this one
   */
  beginAnswer(message: Message, partialRemains?: boolean): Promise<Message>;
  /**
   * The answer is complete: its row is written and there is a delivery for each part. The inbound message remains
   * `processing` until it is settled or postponed.
   * @param plan default: it begins at once, and attempts do not end
   */
  finishAnswer(message: Message, answer: Answer, record: MessageRecord, plan?: DeliveryPlan): Promise<StoredAnswer>;
  /** Stores what was shown of a message so far; see {@link MessageHandle}. */
  storeHandle(answerUuid: string, piece: number, handle: MessageHandle): Promise<void>;
  /** A part that is `pending` is `sending` from now on. */
  beginDelivery(answerUuid: string, piece: number): Promise<void>;
  /** A part ended. @param beginsNext whether the next one, where there is one, is `sending` from now on. Default: true */
  settleDelivery(answerUuid: string, piece: number, outcome: DeliveryOutcome, beginsNext?: boolean): Promise<void>;
  /** A part is `pending` again, and its claimed inbound message is released with a due time. */
  postponeDelivery(messageUuid: string, postponed: PostponedDelivery): Promise<void>;
  /** The outbound message of a uuid, or the one that answers the inbound message of it; null when there is none. */
  deliveredMessage(messageUuid: string): Promise<Message | null>;
  /**
   * A failed or uncertain part, and those behind it, are sent again. Parts of an answer are `pending` and the message that
   * it answers is `received` and queued; the part of a message that was sent unasked is `sending`.
   * @param outbound as {@link deliveredMessage} gave it
   * @returns the state of the part, or why nothing has changed
   */
  reopenDelivery(
    outbound: Message,
    piece: number,
    expiresAt: string,
  ): Promise<'pending' | 'sending' | 'not_found' | 'in_progress' | 'delivered'>;
  /** Conversations that wait for a due time need not wait any longer; nothing changes for those in progress. */
  expedite(conversationUuids: readonly string[]): Promise<void>;
  /**
   * The inbound message ends, together with the last delivery of its answer where there is one, with those that were
   * merged into it (`stopped`, `merged`; only where there is no answer, see `finishAnswer`) and with its turn in the
   * conversation. Without an answer, one that was begun and of which nothing was sent is removed.
   * @param record what is to be stored of its way; null when `finishAnswer` stored it
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
  /** Ends messages of a conversation that wait and came before a place in it. @returns those, in no order */
  stopWaiting(
    conversationUuid: string,
    beforeSequence: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]>;
  /** Stores a message that is sent unasked, with its delivery, which begins. */
  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message>;
  /**
   * What a model may be shown of what was said before a message: the last `rounds` answered questions, each followed by
   * its answer, and what was sent unasked since the first of them (since the beginning, when there are fewer).
   * A question that others were merged into stands with all of their texts.
   */
  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]>;
  /** What came with a message of a conversation that is kept elsewhere; null when nothing did. */
  context(messageUuid: string): Promise<ConversationContext | null>;
  currentConversation(key: ConversationKey): Promise<Conversation | null>;
  /** All messages of a conversation that can be shown, oldest first. */
  conversationMessages(conversationUuid: string, limit: number): Promise<Message[]>;
  /** How the conversation of a message is: answered questions before it, messages that wait, when it began. */
  conversationStatus(message: Message): Promise<{ rounds: number; waiting: number; since: string }>;
  /** How many messages before a command, in its conversation, ended as `cancelled` or `reset` since it was stored. */
  cancelledBy(message: Message): Promise<number>;
  /** Has a model asked first in a conversation; null for the one that its pipeline names first. */
  chooseModel(conversationUuid: string, modelUuid: string | null): Promise<void>;
  /** Ends the current conversation under a key; false when there was none. */
  endConversation(key: ConversationKey): Promise<boolean>;
}
