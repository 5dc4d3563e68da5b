import type { TObject } from 'typebox';
import type { Reason } from './errors.ts';
import type { FeedbackEvent } from './feedback-event.ts';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { MessageChain, MessageElementType } from './message-chain.ts';
import type { MediaReference, MessageEvent, MessageReceipt, ReplyContext, SessionType } from './message-event.ts';

/** Capabilities of a platform, declared as data so that no other code needs to know its name. */
export interface PlatformCapabilities {
  /**
   * To whom the bot may send unsolicited messages: anyone, known users, within a time window, within a quota, no one.
   */
  proactive: 'any' | 'known' | 'window' | 'quota' | 'none';
  /** Whether a message that was sent can be changed while the answer grows. */
  streaming: boolean;
  /** Least time between two changes of the same message, milliseconds. */
  edit_interval_ms: number;
  /** Longest text of one message, UTF-16 units; longer answers are split. Null where there is no limit. */
  text_limit: number | null;
  /**
   * Whether the platform deduplicates messages by idempotency token. Otherwise, a message is never sent again after a
   * crash interrupted its sending.
   */
  idempotent_sends: boolean;
  /** Whether messages come with a {@link ReplyContext}, which answers to them need. Default: false. */
  reply_context?: boolean;
  /** The element types a message may hold. */
  elements: readonly MessageElementType[];
  /**
   * Whether an answer may quote its question. False where answers stand right below their questions. Default: true where
   * `elements` has `Quote`.
   */
  answers_quote?: boolean;
  /** Whether the platform delivers events to a webhook; its URL is then shown to the operator. */
  webhook: boolean;
}

/** Where a message goes. */
export interface DeliveryTarget {
  session_type: SessionType;
  session_id: string;
  thread_id: string;
  /** The pipeline of the message's conversation; null when the bot has none. */
  pipeline_uuid: string | null;
}

/** The message that an outgoing one answers. */
export interface RepliedMessage {
  platform_message_id: string;
  sender_id: string;
  /**
   * The value of its {@link ReplyContext}. Absent when it came with none, and when that has expired or is used up: then
   * the answer is sent as an unsolicited message. Where `proactive` is `none` it fails with `reply_expired` instead.
   */
  context?: unknown;
}

/** A message on its way out. It is stored before it is handed to the adapter. */
export interface OutgoingMessage {
  uuid: string;
  /** Place in its conversation, from 1. */
  sequence: number;
  /** Which of the messages that an answer was split into it is, from 0. */
  piece: number;
  target: DeliveryTarget;
  /** The message that it answers; null when it is unsolicited. */
  reply_to: RepliedMessage | null;
  message_chain: MessageChain;
  /** ISO 8601 UTC. */
  created_at: string;
  /** Same for every attempt at this message; adapters pass it on where the platform honours one. */
  idempotency_token: string;
}

/** The platform's response to a sent message. */
export interface SentMessage {
  /** The platform's own identifier of it. */
  platform_message_id?: string;
}

/**
 * What an adapter needs to find a sent message on the platform again: the ids of all platform messages shown so far.
 * Opaque to the service. JSON, at most {@link longestMessageHandle} bytes.
 */
export type MessageHandle = unknown;

/** Longest {@link MessageHandle} as JSON in UTF-8, bytes. */
export const longestMessageHandle = 4096;

/**
 * How far earlier attempts at a message got, and where the adapter records it. A send that needs one call and leaves
 * nothing to continue does not use it.
 */
export interface SendProgress {
  /** The last stored handle, from this process or an earlier one; null when nothing of the message was shown. */
  readonly handle: MessageHandle | null;
  /**
   * The process ended during an earlier attempt, after the handle was stored: messages that the handle names are
   * brought up to date by edits; whether a message that it does not name was sent is unknown.
   */
  readonly isInterrupted: boolean;
  /**
   * Stores the handle. Await it after each new platform message, before the next call, so that a crash cannot leave an
   * unrecorded message behind.
   */
  store(handle: MessageHandle): Promise<void>;
}

/**
 * A streamed message. `update` and `finish` take the complete text so far, never a part. If opened with a handle, it
 * edits what an earlier attempt showed; a message that cannot be edited is replaced by a new one.
 */
export interface MessageStream {
  /** @throws DeliveryError; after `unknown` for a new message, nothing more is shown before `finish` */
  update(message_chain: MessageChain): Promise<void>;
  /** @throws DeliveryError as {@link PlatformAdapter.send} */
  finish(message_chain: MessageChain): Promise<SentMessage>;
}

/** A request of the platform to the bot's webhook address, as it arrived. */
export interface WebhookRequest {
  method: 'GET' | 'POST';
  /** The path after the bot's webhook URL, without leading and trailing slashes; empty for the URL itself. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The raw bytes; a signature is verified on these, before anything is parsed. */
  body: Uint8Array;
}

/** The response to the platform. */
export interface WebhookResponse {
  status: number;
  /** Content type of the body. Default `text/plain; charset=utf-8`. */
  content_type?: string;
  body?: string;
}

/**
 * State of a connection. `reconnecting`: the adapter retries by itself. `failed`: it gives up, is stopped, and the
 * service creates another adapter after a pause, or, if the reason is `platform_unauthorized` or `invalid_request`,
 * after the configuration has changed.
 */
export type ConnectionReport =
  | { state: 'connected' }
  | { state: 'reconnecting' | 'failed'; reason: Reason; message: string };

/** One bot's connection to its platform. */
export interface PlatformAdapter {
  /**
   * Connects. When it resolves, messages can be received and sent.
   * @throws ParleyError `platform_unauthorized` when the platform rejects the credentials, `invalid_request` for an
   *   unusable configuration: retried only when the configuration has changed. After any other error the service
   *   retries with another adapter.
   */
  start(): Promise<void>;
  /** Disconnects. Ends a `start` that is still going on, too. */
  stop(): Promise<void>;
  /** The bot's own id on the platform, which mentions of it carry; null until it is known. */
  accountId?(): string | null;
  /**
   * Handles a request to the bot's webhook. Present with the capability `webhook`.
   * @throws ParleyError `invalid_signature`, `invalid_request`, or the error of `receive`, so that the platform retries
   */
  handleWebhook?(request: WebhookRequest): Promise<WebhookResponse>;
  /**
   * Makes one attempt to send a message; the service decides on retries. With a handle, the message replaces what an
   * earlier attempt showed, even if streaming is disabled.
   * @param progress omitted if the attempt is not recorded
   * @throws DeliveryError whose kind says whether the message may have arrived, with the platform's reason:
   *   `window_closed`, `unknown_target`, `quota`, `unsupported_element` or `platform_failed`. Another ParleyError
   *   counts as `refused`, except `bot_not_running`, which counts as `not_sent`; any other error counts as `unknown`
   */
  send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage>;
  /**
   * Fetches content of a stored message. Content that is larger than the service stores may be cut off while it is read.
   * @param value of the {@link MediaReference}
   * @throws ParleyError `not_found`, `too_large`, `empty_file` or `address_not_allowed` when no later attempt would
   *   succeed; any other error is retried
   */
  fetchMedia?(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Starts a streamed message. Present with the capability `streaming`, if the configuration enables it. */
  stream?(message: Omit<OutgoingMessage, 'message_chain'>, progress?: SendProgress): Promise<MessageStream>;
  /**
   * Waits until the pace of the platform allows another message in a chat. Called before each part of an answer but the
   * first, so that a long answer does not meet a rate limit.
   * @throws the signal's reason when it is aborted first
   */
  awaitTurn?(target: DeliveryTarget, signal: AbortSignal): Promise<void>;
  /**
   * Makes a call without side effects to check whether the platform is reachable. Resolves on a conclusive answer.
   * Without it, sending resumes after a pause.
   * @throws DeliveryError while the platform does not respond
   */
  probe?(): Promise<void>;
}

/** A file of a message in the service's own storage. */
export interface StoredMedia {
  /** Names the file in the `path` of an element. */
  path: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Found by looking at the content. */
  media_type: string;
  /** Where browsers that use the service find it, from the root of its host; only for images that may be shown. */
  url?: string;
}

/**
 * Small values that an adapter remembers over restarts, such as the cursor of a log or a session to resume. Sealed at
 * rest; they end with the bot, and an adapter sees only its own.
 */
export interface AdapterState {
  /** @returns null when there is no such value */
  read(name: string): Promise<string | null>;
  /**
   * Stores values atomically.
   * @throws ParleyError `invalid_request` for a name or value that is too long
   */
  write(values: StateValues): Promise<void>;
}

/** Values by name, of at most {@link longestStateName} characters; null removes one. */
export type StateValues = Readonly<Record<string, string | null>>;

/** Longest name of a value of {@link AdapterState}, UTF-16 units. */
export const longestStateName = 64;
/** Longest value of {@link AdapterState}, bytes in UTF-8. */
export const longestStateValue = 16_384;

/** A websocket connection to a platform. Listeners that are added before the next turn of the event loop miss nothing. */
export interface ClientSocket {
  /** @throws DeliveryError `not_sent` when the connection is closed, `unknown` when it ends before the data left */
  send(data: string | Uint8Array): Promise<void>;
  /** Sends a ping frame. */
  ping(): void;
  /** Ends the connection; after a few seconds without the platform's consent. */
  close(code?: number, reason?: string): void;
  /** Ends the connection immediately, such as one that does not respond. */
  terminate(): void;
  /** Messages of the platform: texts, or bytes for binary frames. */
  onMessage(listener: (data: string | Uint8Array) => void): void;
  /** Called with every frame, pings and pongs included: the platform is there. */
  onActivity(listener: () => void): void;
  /** Resolves when the connection has ended. `code` is 1006 when it broke. */
  readonly closed: Promise<{ code: number; reason: string }>;
}

export interface ClientSocketOptions {
  headers?: Readonly<Record<string, string>>;
  protocols?: readonly string[];
  /** Ends an attempt to connect. */
  signal: AbortSignal;
}

/** Services for an adapter. */
export interface PlatformContext {
  bot_uuid: string;
  logger: Logger;
  state: AdapterState;
  /**
   * Stores a message; acknowledge the platform only after this resolved.
   * @param state values that are stored with it, also when it is repeated: both or none
   */
  receive(event: MessageEvent, state?: StateValues): Promise<MessageReceipt>;
  /**
   * Stores several messages, in one transaction if possible. One that cannot be stored does not fail the others, except
   * later ones in its chat: to preserve the order, these are not stored before it.
   * @returns the result of each, in the order of `events`. Never rejects
   */
  receiveAll(events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]>;
  /**
   * Stores a user's feedback on an answer. Absent if not supported.
   * @throws ParleyError `invalid_request` for an invalid event; after any other failure, acknowledge the event only if
   *   the platform does not retry
   */
  receiveFeedback?(event: FeedbackEvent): Promise<void>;
  /** Tells how the connection is after `start` resolved, so that the operator sees it. */
  reportConnection(report: ConnectionReport): void;
  /** The address under which the platform reaches this bot; null when the service has no public address. */
  webhook_url: string | null;
  /** HTTP client for the platform's own address, which an administrator saved; an adapter uses no other. */
  fetch: typeof globalThis.fetch;
  /**
   * Connects to a websocket of the platform. Redirects are not followed.
   * @param address starts with `ws://` or `wss://`
   * @throws SocketRefusedError when the platform answers with another status than 101
   * @throws ParleyError `address_not_allowed`, `platform_failed` when it cannot be reached; the signal's reason
   */
  openSocket(address: string, options: ClientSocketOptions): Promise<ClientSocket>;
  /**
   * Stores a file of a message.
   * @throws ParleyError `too_large` or `empty_file`; nothing is stored then
   */
  storeMedia(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredMedia>;
  /** The file that the `path` of an element names; null when there is none. */
  readMedia(path: string): Promise<(StoredMedia & { content: AsyncIterable<Uint8Array> }) | null>;
}

/** The bot's account on its platform. */
export interface PlatformAccount {
  /** Its own id there, as {@link PlatformAdapter.accountId} tells it. */
  id: string;
  /** Display name; null if none. */
  name: string | null;
}

/** Services for a connection test. */
export type PlatformTestContext = Pick<PlatformContext, 'fetch' | 'webhook_url'> & {
  /** Aborted when the client no longer waits for the result. */
  signal: AbortSignal;
};

/** Where a platform is used, for grouping a list of platforms. */
export type PlatformCategory = 'popular' | 'china' | 'global' | 'protocol';

/** A messaging platform as the service knows it. One folder under `platforms/`, or a plugin. */
export interface Platform {
  /** Name in a bot's `adapter` field. */
  name: string;
  label: I18nText;
  description: I18nText;
  categories: readonly PlatformCategory[];
  /** Setup guides by language (`en`, `zh`, `ja`). */
  help_links?: Readonly<Record<string, string>>;
  capabilities: PlatformCapabilities;
  /**
   * The bot's `adapter_config`; fields created with `Secret()` are encrypted at rest. See {@link FieldPresentation}.
   */
  config: TObject;
  create(config: Record<string, unknown>, context: PlatformContext): PlatformAdapter;
  /**
   * Answers the platform's verification of the webhook address, such as a challenge. It needs the configuration only,
   * because platforms ask before the bot can connect; the adapter never receives these requests.
   * @returns null for any other request
   * @throws ParleyError `invalid_signature`, `invalid_request`
   */
  verifyAddress?(config: Record<string, unknown>, request: WebhookRequest): Promise<WebhookResponse | null>;
  /**
   * Tests a configuration. It neither receives nor sends messages, and changes nothing, so that a bot connected with
   * the same credentials is not disturbed. Absent if the platform has nothing to check.
   * @throws ParleyError as {@link PlatformAdapter.start}, or `platform_failed`
   */
  test?(config: Record<string, unknown>, context: PlatformTestContext): Promise<PlatformAccount>;
}
