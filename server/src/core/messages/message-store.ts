import type { MessageChain, MessageEvent, MessageReceipt, Reason } from '@parley/sdk';
import type { Conversation, ConversationKey } from '../conversations/conversation.ts';
import type { DeliveryState, Message } from './message.ts';

/** How an inbound message ended. */
export interface MessageOutcome {
  state: 'answered' | 'stopped' | 'failed';
  reason: Reason | 'answered';
}

/** How a delivery ended. */
export interface DeliveryOutcome {
  state: Extract<DeliveryState, 'sent' | 'failed'>;
  reason: Reason | null;
  error: string | null;
}

/** What became of a message that came in, and the conversation that it belongs to. */
export type StoredReceipt = MessageReceipt & { conversation_uuid: string };

/** The ledger. Every method is one transaction; what it returns is on disk. */
export interface MessageStore {
  /** Stores an inbound message with the work it makes, unless the platform delivered it before. */
  accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt>;
  /**
   * Hands out the oldest waiting message whose conversation is idle, or null. It is `processing` from then on.
   * @param heldBots bots whose messages wait on
   */
  claim(heldBots: readonly string[]): Promise<Message | null>;
  /** Takes stock after a crash: messages without a finished answer wait again; deliveries in flight become `uncertain`. */
  recover(): Promise<{ messages: number; deliveries: number }>;
  /** Puts a claimed message back in the queue. */
  release(messageUuid: string): Promise<void>;
  /** The answer's row, with its delivery; the same row when an earlier attempt left one. */
  beginAnswer(message: Message): Promise<Message>;
  /** The text is final and its delivery begins. */
  finishAnswer(answerUuid: string, chain: MessageChain, text: string, state: 'finished' | 'failed'): Promise<void>;
  /**
   * The answer's delivery and the inbound message end together. Without an answer, only the message ends, and an answer
   * that was begun and of which nothing was sent is removed.
   */
  settle(
    messageUuid: string,
    outcome: MessageOutcome,
    answer: { uuid: string; delivery: DeliveryOutcome } | null,
  ): Promise<void>;
  /** Stores a message that is sent unasked, with its delivery, which begins. */
  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message>;
  settleDelivery(messageUuid: string, outcome: DeliveryOutcome): Promise<void>;
  /**
   * What a model may be shown of what was said before a message: the last `rounds` answered questions, each followed by
   * its answer, and what was sent unasked since the first of them (since the beginning, when there are fewer).
   */
  history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]>;
  currentConversation(key: ConversationKey): Promise<Conversation | null>;
  /** All messages of a conversation that can be shown, oldest first. */
  conversationMessages(conversationUuid: string, limit: number): Promise<Message[]>;
  /** Ends the current conversation under a key; false when there was none. */
  endConversation(key: ConversationKey): Promise<boolean>;
}
