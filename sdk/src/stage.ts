import type { Static, TObject } from 'typebox';
import type { FieldPresentation } from './config-schema.ts';
import type { Reason } from './errors.ts';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { MessageChain, MessageElementType } from './message-chain.ts';
import type { ConversationContext, MessageFacts, SessionType } from './message-event.ts';
import type { StoredMedia } from './platform.ts';
import type { TextLimit } from './platform-capabilities.ts';

/** A stored message on its way through a pipeline. */
export interface PipelineMessage {
  uuid: string;
  bot_uuid: string;
  /** Empty when the bot had no pipeline. */
  pipeline_uuid: string;
  conversation_uuid: string;
  session_type: SessionType;
  session_id: string;
  thread_id: string;
  /** Place in its conversation, from 1. */
  sequence: number;
  /** The platform's own identifier; null for what we send, which may be several messages there. */
  platform_message_id: string | null;
  sender_id: string;
  sender_name: string;
  facts: MessageFacts;
  /** The content, after earlier stages. */
  message_chain: MessageChain;
  /** Context of a message whose conversation is stored by the client; absent if there is none. */
  context?: ConversationContext;
  /** When it was stored, ISO 8601 UTC. */
  created_at: string;
}

/** Limits of an answer on the platform. */
export interface AnswerLimits {
  /** Longest text of one message; null where there is no limit. */
  text_limit: TextLimit | null;
  /**
   * Longest text of a message that is shown while it is generated, as the first one of an answer may be. Null where there
   * is no limit, default where none is shown.
   */
  stream_limit?: Pick<TextLimit, 'most' | 'unit'> | null;
  /** The types of elements. */
  elements: readonly MessageElementType[];
}

/** Services for a stage. */
export interface StageContext<Config = Record<string, unknown>> {
  /** The settings of the stage, complete by its schema. */
  config: Config;
  /** The bot's own id on the platform, which mentions of it carry; null while it is unknown. */
  botAccountId: string | null;
  platform: AnswerLimits;
  /** Now, milliseconds since 1970. */
  now(): number;
  logger: Logger;
  signal: AbortSignal;
  /** Whether the message is a chat command. Commands are never merged. */
  isCommand(message: PipelineMessage): boolean;
  /** Messages of the same conversation that came after this one and wait behind it, oldest first. */
  waitingMessages(): Promise<PipelineMessage[]>;
  /**
   * Counts the message within a fixed window, across processes and restarts. It counts once per key, however often it
   * is processed.
   * @returns the number in the window, including this one; counts nothing when that would exceed `limit`
   */
  countEvent(key: string, windowStart: number, limit: number): Promise<number>;
  /**
   * Stores a file that an answer is to carry.
   * @throws ParleyError `too_large` or `empty_file`; nothing is stored then
   */
  storeMedia(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredMedia>;
}

/** The result of a stage. `details` are shown in the trace of the message; they contain no secrets. */
export type StageOutcome =
  /** The message continues, with another chain if given. `reason` says why it was changed. */
  | { outcome: 'pass'; message_chain?: MessageChain; reason?: Reason; details?: Record<string, unknown> }
  /** The same, and `merged` messages, which waited behind it, are part of it now: they end with it. */
  | { outcome: 'merge'; message_chain: MessageChain; merged: string[]; details?: Record<string, unknown> }
  /** The message ends. `notice` is sent to the sender. */
  | { outcome: 'stop'; reason: Reason; notice?: string; details?: Record<string, unknown> }
  /**
   * The message is processed again, from the first stage on, at a time (ISO 8601 UTC). It blocks nothing until then.
   */
  | { outcome: 'wait'; until: string; reason: Reason; details?: Record<string, unknown> };

/** Transforms the answer to one message. Created for each answer; it may have state. */
export interface AnswerFilter {
  /** Nothing is shown before the answer is complete. */
  needsWholeText?: boolean;
  /** The reasoning of a model is not part of the answer. */
  hidesReasoning?: boolean;
  /**
   * The part of a streamed answer that may be shown, whatever follows.
   * @param message_chain the complete answer so far
   */
  show?(message_chain: MessageChain): MessageChain;
  /**
   * Changes the complete answer.
   * @param messages one chain for each message that will be sent
   */
  finish?(messages: MessageChain[]): Promise<AnswerChange> | AnswerChange;
  /** Wait before the complete answer is sent, milliseconds. */
  delayMs?: number;
}

export interface AnswerChange {
  messages: MessageChain[];
  /** Why it was changed; absent when it was not. */
  reason?: Reason;
  details?: Record<string, unknown>;
}

/** One step of a pipeline. One folder under `stages/`, or a plugin. A stage keeps nothing in memory that matters. */
export interface Stage<Config extends TObject = TObject> {
  name: string;
  label: I18nText;
  /**
   * Settings; absent when there are none. They are declared as they lie in the configuration of a pipeline: tabs (`trigger`, `safety`, `output`) of groups of fields,
   * each with a default and labels as {@link FieldPresentation} says. Stages may share a group; two may declare the same
   * field only with the same schema.
   * @example Type.Object({ output: Type.Object({ signature: group(['Signature', …], null, { text: … }) }) })
   */
  config?: Config;
  /** Checks a message before it is answered. */
  check?(message: PipelineMessage, context: StageContext<Static<Config>>): Promise<StageOutcome> | StageOutcome;
  /** Returns the filter of the answer; null when this configuration does not change it. */
  answer?(
    message: PipelineMessage,
    context: StageContext<Static<Config>>,
  ): Promise<AnswerFilter | null> | AnswerFilter | null;
}
