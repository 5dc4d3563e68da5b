import type { Reason } from './errors.ts';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { MessageChain, MessageElementType } from './message-chain.ts';
import type { ConversationContext, MessageFacts, SessionType } from './message-event.ts';
import type { PipelineConfig } from './pipeline-config/pipeline-config.ts';
import type { StoredMedia } from './platform.ts';

/** A stored message on its way through a pipeline. */
export interface PipelineMessage {
  uuid: string;
  bot_uuid: string;
  pipeline_uuid: string;
  conversation_uuid: string;
  session_type: SessionType;
  session_id: string;
  thread_id: string;
  /** Place in its conversation, from 1. */
  sequence: number;
  platform_message_id: string | null;
  sender_id: string;
  sender_name: string;
  facts: MessageFacts;
  /** What was written, as the stages before left it. */
  message_chain: MessageChain;
  /** What came with it of a conversation that is kept elsewhere; absent where nothing did. */
  context?: ConversationContext;
  /** When it was stored, ISO 8601 UTC. */
  created_at: string;
}

/** What a stage may know of the installation and ask of it. */
export interface StageContext {
  /** The whole configuration of the pipeline, complete with defaults. */
  config: PipelineConfig;
  /** The bot's own id on the platform, which mentions of it carry; null while it is unknown. */
  botAccountId: string | null;
  /** What an answer may be on the platform: longest text of one message (null: no limit) and the types of elements. */
  platform: { text_limit: number | null; elements: readonly MessageElementType[] };
  /** Now, milliseconds since 1970. */
  now(): number;
  logger: Logger;
  signal: AbortSignal;
  /** Whether a message has the bot do something by a word of its own, instead of asking; it stands for itself. */
  isCommand(message: PipelineMessage): boolean;
  /** Messages of the same conversation that came after this one and wait behind it, oldest first. */
  waitingMessages(): Promise<PipelineMessage[]>;
  /**
   * Counts the message within a fixed window, for all processes and over restarts. It is counted once under a key,
   * however often it is looked at.
   * @returns how many there were in the window, with this one; counts nothing when that would be more than `limit`
   */
  countEvent(key: string, windowStart: number, limit: number): Promise<number>;
  /**
   * Stores a file that an answer is to carry.
   * @throws ParleyError `too_large` or `empty_file`; nothing is stored then
   */
  storeMedia(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredMedia>;
}

/** What a stage found. `details` are shown to whoever asks what became of the message; they hold no secrets. */
export type Verdict =
  /** It goes on, with another chain when there is one. `reason` says why it was changed. */
  | { outcome: 'pass'; message_chain?: MessageChain; reason?: Reason; details?: Record<string, unknown> }
  /** The same, and `merged` messages, which waited behind it, are part of it now: they end with it. */
  | { outcome: 'merge'; message_chain: MessageChain; merged: string[]; details?: Record<string, unknown> }
  /** It ends here. `notice` is said to whoever wrote it. */
  | { outcome: 'stop'; reason: Reason; notice?: string; details?: Record<string, unknown> }
  /** It is looked at again, from the first stage on, at a moment (ISO 8601 UTC). Nothing is held meanwhile. */
  | { outcome: 'wait'; until: string; reason: Reason; details?: Record<string, unknown> };

/** How the answer to one message is changed. Made anew for each answer; it may keep what it has seen. */
export interface AnswerFilter {
  /** Nothing is shown before the answer is complete. */
  needsWholeText?: boolean;
  /**
   * The part of a growing answer that may be shown, whatever follows.
   * @param message_chain all of it so far
   */
  show?(message_chain: MessageChain): MessageChain;
  /**
   * Changes the complete answer.
   * @param messages one chain for each message that will be sent
   */
  finish?(messages: MessageChain[]): Promise<AnswerChange> | AnswerChange;
  /** Wait before the complete answer is sent, milliseconds. */
  delayMilliseconds?: number;
}

export interface AnswerChange {
  messages: MessageChain[];
  /** Why it was changed; absent when it was not. */
  reason?: Reason;
  details?: Record<string, unknown>;
}

/** One step of a pipeline. One folder under `stages/`, or a plugin. A stage keeps nothing in memory that matters. */
export interface Stage {
  name: string;
  label: I18nText;
  /** Looks at a message before it is answered. */
  check?(message: PipelineMessage, context: StageContext): Promise<Verdict> | Verdict;
  /** Says how the answer is changed; null when this configuration leaves it as it is. */
  answer?(message: PipelineMessage, context: StageContext): Promise<AnswerFilter | null> | AnswerFilter | null;
}
