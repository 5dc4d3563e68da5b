import type { ConversationContext, ConversationTurn } from '@parley/sdk';
import type { Message } from './message.ts';
import type { MessageOutcome } from './message-ledger.ts';

/** What was said in conversations. */
export interface MessageHistory {
  /**
   * The history before a message for a model: the last `rounds` questions that belong to it (see
   * {@link belongsToHistory}), each followed by its answer, and unsolicited messages since the first of them (since the
   * start, when there are fewer).
   * A question that others were merged into contains all of their texts.
   */
  before(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]>;
  /** All messages of a conversation that can be shown, oldest first. */
  shown(conversationUuid: string, limit: number): Promise<Message[]>;
  /** Content of a message that is stored outside of the ledger; null when there is none. */
  context(messageUuid: string): Promise<ConversationContext | null>;
  /** State of the conversation of a message: questions of its history before it, waiting messages, its start. */
  status(message: Message): Promise<{ rounds: number; waiting: number; since: string }>;
  /** How many messages before a command, in its conversation, were cancelled since it was stored. */
  cancelledBy(message: Message): Promise<number>;
}

/** Whether a question that ended so, and its answer, were said: answered, if only in part because its user stopped the answer. */
export function belongsToHistory({ state, reason }: MessageOutcome): boolean {
  return reason === 'answer_stopped' || ((state === 'answered' || state === 'uncertain') && reason !== 'command');
}

/** A message as models get it. */
export function turnOf({ direction, text, message_chain }: Message): ConversationTurn {
  return { role: direction === 'inbound' ? 'user' : 'assistant', text, message_chain };
}
