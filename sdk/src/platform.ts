import type { TObject } from 'typebox';
import type { DeliveryError } from './delivery-error.ts';
import type { Reason } from './errors.ts';
import type { FeedbackEvent } from './feedback-event.ts';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { MessageChain } from './message-chain.ts';
import type { MediaReference, MessageEvent, MessageReceipt, ReplyContext, SessionType } from './message-event.ts';
import type { AccountProfile, BotAccount, PlatformTest } from './platform-account.ts';
import type { PlatformCapabilities } from './platform-capabilities.ts';
import type { LoginDescription, LoginStep } from './platform-login.ts';

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
  /** True when it is a notice that there is no answer because of a failure. */
  is_failure?: boolean;
  /** True when it is the start of an answer that was stopped by its reader. */
  is_stopped?: boolean;
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
  /**
   * @param end `is_failure` and `is_stopped` as of {@link OutgoingMessage}, which are known only now
   * @throws DeliveryError as {@link PlatformAdapter.send}
   */
  finish(message_chain: MessageChain, end?: Pick<OutgoingMessage, 'is_failure' | 'is_stopped'>): Promise<SentMessage>;
  /**
   * Ends the message where it stands, so that it is readable and no longer looks unfinished: the rest of the answer does
   * not follow in it. Best effort.
   */
  abandon?(reason: Reason): Promise<void>;
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
  /** It reached another replica, whose adapter has passed it on. */
  is_passed_on?: boolean;
}

/** The response to the platform. */
export interface WebhookResponse {
  status: number;
  /** Content type of the body. Default `text/plain; charset=utf-8`. */
  content_type?: string;
  body?: string;
  /** Called once: whether all of the response was handed to the network, for adapters that answer in the response. */
  onWritten?(wasWritten: boolean): void;
}

/** A websocket that the platform, or a client of it, opens to the bot. */
export interface SocketRequest {
  /** As {@link WebhookRequest.path}. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/**
 * The adapter's decision on a {@link SocketRequest}, made before anything of the socket is read: an HTTP status that
 * refuses it, or a function that takes it.
 */
export type SocketDecision = { status: 400 | 401 | 403 | 404 } | ((socket: SocketConnection) => void);

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
  /** Disconnects in a few seconds, with its sockets and timers. Ends a `start` that is still going on, too. */
  stop(): Promise<void>;
  /** The bot's own id on the platform, which mentions of it carry; null until it is known. */
  accountId?(): string | null;
  /** How people find that account; null until it is known. */
  accountProfile?(): AccountProfile | null;
  /**
   * Handles a request to the bot's webhook. Present with the capability `webhook`. Where {@link Platform.receives} is
   * `requests`, it also works on an adapter that was never started, until `stop`: that one verifies and stores what
   * comes, opens no connection and sends nothing.
   * @throws ParleyError `invalid_signature`, `invalid_request`, or the error of `receive`, so that the platform retries
   */
  handleWebhook?(request: WebhookRequest): Promise<WebhookResponse>;
  /** Verifies a websocket that is opened to the bot's webhook URL. Present with the capability `inbound_sockets`. */
  acceptSocket?(request: SocketRequest): SocketDecision;
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
  /** Shows that an answer is being generated, for `typing_ms`. Present with that capability. Failures are ignored. */
  showTyping?(target: DeliveryTarget): Promise<void>;
  /**
   * Looks up names that events lack. Called after a message was stored; the result is cached.
   * @returns those that the platform tells
   */
  namesOf?(target: DeliveryTarget, senderId: string, signal: AbortSignal): Promise<MessageNames>;
}

/** Display names for a message. */
export interface MessageNames {
  sender_name?: string;
  group_name?: string;
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
export interface SocketConnection {
  /** @throws DeliveryError `not_sent` when the connection is closed, `unknown` when it ends before the data left */
  send(data: string | Uint8Array): Promise<void>;
  /** Sends a ping frame. */
  ping(): void;
  /**
   * Sends a ping frame and waits for its pong: what the platform had sent before has arrived then. Resolves also when the
   * connection ends.
   */
  roundTrip(): Promise<void>;
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

export interface OpenSocketOptions {
  headers?: Readonly<Record<string, string>>;
  protocols?: readonly string[];
  /** Ends an attempt to connect. */
  signal: AbortSignal;
}

/** Where to listen. */
export interface ListenAddress {
  host: string;
  /** 0 for any. */
  port: number;
}

export interface SocketListener {
  port: number;
  /** Ends it with its connections. */
  close(): Promise<void>;
}

/** A change of a message on the platform, or of the bot's chats. */
export type PlatformNotice =
  | { type: 'recalled'; platform_message_id: string }
  | { type: 'edited'; platform_message_id: string; message_chain: MessageChain }
  | BotAddedNotice;

/** The bot was added to a group, or a user opened the chat with it for the first time. */
export interface BotAddedNotice
  extends Pick<MessageEvent, 'session_type' | 'session_id' | 'thread_id' | 'reply_context'> {
  type: 'bot_added';
  /** The platform's own identifier of the event; a repeated one is ignored. */
  platform_event_id: string;
}

/** Services for an adapter. */
export interface PlatformContext {
  bot_uuid: string;
  logger: Logger;
  state: AdapterState;
  /**
   * The account that the bot was connected with last, on any replica; null when it is not known. For adapters that are
   * not started.
   */
  storedAccount(): BotAccount | null;
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
   * Aborted when the service stops, and when the bot was disabled or deleted. `receive`, `receiveNotice` and
   * `receiveFeedback` work until then, also after `stop`: where a platform sends everything once, an adapter keeps what
   * could not be stored and retries, unless the error says that this is useless.
   */
  intakeClosed: AbortSignal;
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
  /**
   * A secret for requests to that address, for platforms that repeat one: the same on every replica and after a restart.
   * 43 characters of base64url.
   */
  webhook_secret: string;
  /**
   * Hands a request to the adapter of this bot that is connected, on another replica: it needs what only that one
   * remembers. Only for adapters that are not started. Calls between replicas are not encrypted, so a request that
   * carries a secret must not be passed on.
   * @throws ParleyError `bot_not_running` when no replica has connected the bot, `not_ready` when that replica cannot be
   *   reached, or the error of that adapter
   */
  passOn?(request: WebhookRequest): Promise<WebhookResponse>;
  /**
   * Takes changes of messages of users after they were sent: recalled, edited.
   * @throws ParleyError as {@link receive}
   */
  receiveNotice(notice: PlatformNotice): Promise<void>;
  /**
   * Reports that a message which the platform accepted was not delivered. Ignored for a message that is not known.
   * @param platformMessageId as {@link SentMessage} named it
   */
  reportFailure(platformMessageId: string, failure: DeliveryError): Promise<void>;
  /**
   * Whether a request is seen for the first time, also after a restart: the guard against replayed requests. Only for
   * requests whose signature is valid.
   * @param id of the request, such as its nonce or signature; stored as a digest
   * @param expiresAt when its timestamp alone will refuse it
   */
  isFirstUse(id: string, expiresAt: Date): Promise<boolean>;
  /**
   * Takes back {@link isFirstUse}: what the request brought could not be stored, so the platform may send it again, to
   * any replica. Never rejects.
   */
  forgetUse(id: string): Promise<void>;
  /**
   * HTTP client for the platform's own address, which an administrator saved, through the proxy that is configured for
   * it. Other addresses must be public.
   */
  fetch: typeof globalThis.fetch;
  /** HTTP client for addresses in messages: they must be public. It uses no proxy. */
  fetchContent: typeof globalThis.fetch;
  /**
   * Connects to a websocket of the platform. Redirects are not followed.
   * @param address starts with `ws://` or `wss://`
   * @throws SocketRefusedError when the platform answers with another status than 101
   * @throws ParleyError `address_not_allowed`, `platform_failed` when it cannot be reached; the signal's reason
   */
  openSocket(address: string, options: OpenSocketOptions): Promise<SocketConnection>;
  /**
   * Listens for websockets on an address of its own, as the configuration names it.
   * @param accept as {@link PlatformAdapter.acceptSocket}
   * @throws ParleyError `conflict` when the address is in use, `invalid_request` when it cannot be used
   */
  listen(address: ListenAddress, accept: (request: SocketRequest) => SocketDecision): Promise<SocketListener>;
  /**
   * Stores a file of a message.
   * @throws ParleyError `too_large` or `empty_file`; nothing is stored then
   */
  storeMedia(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredMedia>;
  /** The file that the `path` of an element names; null when there is none. */
  readMedia(path: string): Promise<(StoredMedia & { content: AsyncIterable<Uint8Array> }) | null>;
}

/** Services for a connection test. */
export type PlatformTestContext = Pick<PlatformContext, 'fetch' | 'openSocket' | 'webhook_url'> & {
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
  /** Picture as SVG. Default: the logo of {@link brand}, otherwise a monogram. */
  icon?: string;
  /** Name of the brand in Simple Icons, whose logo is shown. @see https://simpleicons.org */
  brand?: string;
  /** Setup guides by language (`en`, `zh`, `ja`). */
  help_links?: Readonly<Record<string, string>>;
  /** What to do on the platform before the configuration can be filled in, in order. Markdown. */
  setup_steps?: readonly I18nText[];
  capabilities: PlatformCapabilities;
  /** Capabilities that depend on the configuration. Default: {@link capabilities}. */
  capabilitiesOf?(config: Record<string, unknown>): PlatformCapabilities;
  /**
   * How messages arrive with a configuration: over a connection of the adapter, so only where it is started, or by
   * requests, which {@link PlatformAdapter.handleWebhook} takes on every replica. Default: `connection`.
   */
  receives?(config: Record<string, unknown>): 'connection' | 'requests';
  /**
   * The bot's `adapter_config`; fields created with `Secret()` are encrypted at rest. See {@link FieldPresentation}. A
   * field `proxy` created with `ProxyAddress()` is the proxy of {@link PlatformContext.fetch} and `openSocket`.
   */
  config: TObject;
  /**
   * Other names of fields that stored configurations of the reference system have, with the name here; null for those
   * that are dropped.
   */
  config_aliases?: Readonly<Record<string, string | null>>;
  /** Whether a configuration can be tested; `test` is present then. */
  testable?: boolean;
  /** How credentials are obtained by signing in; `login` is present then. */
  login?: LoginDescription;
  /** Loads the code, on first use. */
  load(): Promise<PlatformImplementation>;
}

/** The code of a platform. */
export interface PlatformImplementation {
  create(config: Record<string, unknown>, context: PlatformContext): PlatformAdapter;
  /**
   * Splits a message of an answer, after all stages, into messages that fit the platform as rendered. Pure: the parts are
   * stored before anything is sent, and each is sent by a call of its own. Default: one message.
   */
  split?(chain: MessageChain, config: Record<string, unknown>): MessageChain[];
  /**
   * Reads the target of an unsolicited message, which may name a thread or topic. Default: the id of the session.
   * @throws ParleyError `invalid_request`
   */
  parseTarget?(sessionType: SessionType, targetId: string): Pick<DeliveryTarget, 'session_id' | 'thread_id'>;
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
  test?(config: Record<string, unknown>, context: PlatformTestContext): Promise<PlatformTest>;
  /**
   * Signs in. Yields each change until the last step, `done`, `expired` or `refused`.
   * @param config what is filled in so far, with defaults; such as the domain
   */
  login?(config: Record<string, unknown>, context: PlatformTestContext): AsyncIterable<LoginStep>;
}
