import type { MessageElementType } from './message-chain.ts';
import type { SessionType } from './message-event.ts';

/** In what the length of a text is measured: UTF-16 code units, Unicode code points, or bytes of UTF-8. */
export type TextUnit = 'utf16' | 'code_points' | 'bytes';

/** How much text a platform takes. */
export interface TextLimit {
  /** Longest text of one message. */
  most: number;
  unit: TextUnit;
  /** Longest text of a message that is edited. Default: `most`. */
  most_in_edit?: number;
  /** Most messages that may answer one question; what does not fit is treated as in a longer answer. Default: no limit. */
  messages?: number;
}

/** How an answer is shown while it is generated. */
export interface StreamCapability {
  /**
   * `replace`: each update replaces the text shown so far. `append`: an update only adds text, so the text shown so far
   * never changes. `pull`: the platform fetches the text so far from the adapter.
   */
  mode: 'replace' | 'append' | 'pull';
  /** Least time between two updates of one message, milliseconds. */
  interval_ms: number;
  /** Updates that all streams of a bot may make together in a period. Default: no limit. */
  budget?: { updates: number; period_ms: number };
  /** Longest text of a streamed message, if another one than that of an edit. */
  text_limit?: Pick<TextLimit, 'most' | 'unit'>;
  /** How long a message can be streamed, milliseconds; then the answer continues in another one. Default: no limit. */
  duration_ms?: number;
}

/** Capabilities of a platform, declared as data so that no other code needs to know its name. */
export interface PlatformCapabilities {
  /**
   * To whom the bot may send unsolicited messages: anyone, known users, within a time window, within a quota, no one.
   */
  proactive: 'any' | 'known' | 'window' | 'quota' | 'none';
  /** How answers are shown while they are generated, where they are. */
  streams: Readonly<Partial<Record<SessionType, StreamCapability>>>;
  /** How they are shown in threads, of any session, where that is another way. Default: as in their session. */
  thread_streams?: StreamCapability;
  /** Longer answers are split. Null where there is no limit. */
  text_limit: TextLimit | null;
  /**
   * Whether the platform deduplicates messages by idempotency token. Otherwise, a message is never sent again after a
   * crash interrupted its sending.
   */
  idempotent_sends: boolean;
  /** How long it knows a token, milliseconds. Omitted if without limit. */
  idempotency_ms?: number;
  /** Whether messages come with a {@link ReplyContext}, which answers to them need. Default: false. */
  reply_context?: boolean;
  /** The element types a message may hold. */
  elements: readonly MessageElementType[];
  /**
   * Whether an answer may quote its question. False where answers stand right below their questions. Default: true where
   * `elements` has `Quote`.
   */
  answers_quote?: boolean;
  /** Whether the platform delivers events to a webhook. */
  webhook: boolean;
  /** The adapter registers the URL of its webhook by itself, so it is not shown to the operator. Default: false. */
  registers_webhook?: boolean;
  /** Whether the platform connects to the bot's webhook URL with a websocket. Default: false. */
  inbound_sockets?: boolean;
  /** How long an indicator of {@link PlatformAdapter.showTyping} is shown, milliseconds. */
  typing_ms?: number;
}
