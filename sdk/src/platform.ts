import type { TObject } from 'typebox';
import type { Reason } from './errors.ts';
import type { FeedbackEvent } from './feedback-event.ts';
import type { I18nText } from './i18n-text.ts';
import type { Logger } from './logger.ts';
import type { MessageChain, MessageElementType } from './message-chain.ts';
import type { MessageEvent, MessageReceipt, SessionType } from './message-event.ts';

/** What a platform can do, declared as data so that nothing else needs to know its name. */
export interface PlatformCapabilities {
  /** Whom the bot may write to unasked: anyone, people it knows, within a time window, within a quota, nobody. */
  proactive: 'any' | 'known' | 'window' | 'quota' | 'none';
  /** Whether a message that was sent can be changed while the answer grows. */
  streaming: boolean;
  /** Least time between two changes of the same message, milliseconds. */
  edit_interval_ms: number;
  /** Longest text of one message, UTF-16 units; longer answers are split. Null where there is no limit. */
  text_limit: number | null;
  /**
   * Whether the platform drops a message that is sent a second time with the same idempotency token. Where it does not,
   * a message whose sending a crash interrupted is never sent again.
   */
  idempotent_sends: boolean;
  /** The element types a message may hold. */
  elements: readonly MessageElementType[];
  /**
   * Whether an answer may quote its question. False where answers stand right below their questions. Default: true where
   * `elements` has `Quote`.
   */
  answers_quote?: boolean;
  /** Whether people can give the bot commands there. Default: true. */
  commands?: boolean;
  /** Whether the server hands browser sockets to the adapter. */
  sockets: boolean;
  /** Whether the platform sends what happens to an address of ours; the address is then shown to the operator. */
  webhook: boolean;
}

/** Where a message goes. */
export interface DeliveryTarget {
  session_type: SessionType;
  session_id: string;
  thread_id: string;
  /** The pipeline whose conversation the message belongs to; null when the bot has none. */
  pipeline_uuid: string | null;
}

/** A message on its way out. It is stored before it is handed to the adapter. */
export interface OutgoingMessage {
  uuid: string;
  /** Place in its conversation, from 1. */
  sequence: number;
  /** Which of the messages that an answer was split into it is, from 0. */
  piece: number;
  target: DeliveryTarget;
  /** The message that it answers; null when it is sent unasked. */
  reply_to: { platform_message_id: string; sender_id: string } | null;
  message_chain: MessageChain;
  /** ISO 8601 UTC. */
  created_at: string;
  /** Same for every attempt at this message; adapters pass it on where the platform honours one. */
  idempotency_token: string;
}

/** What a platform says of a message that it took. */
export interface SentMessage {
  /** The platform's own identifier of it. */
  platform_message_id?: string;
}

/**
 * What an adapter needs to find a message of ours on the platform again: the ids of all platform messages shown so far.
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
  /** What was stored last, by this process or an earlier one; null when nothing of the message was shown. */
  readonly handle: MessageHandle | null;
  /**
   * The process ended during an earlier attempt, after the handle was stored: messages that the handle names are
   * brought up to date by edits; whether a message that it does not name was sent is unknown.
   */
  readonly isInterrupted: boolean;
  /**
   * Stores the handle. To be awaited after each new platform message, before the next call, so that a crash cannot leave
   * a message behind that nobody knows of.
   */
  store(handle: MessageHandle): Promise<void>;
}

/**
 * A message that is shown while it is written. `update` and `finish` take all of it so far, never a part. Begun with a
 * handle, it replaces by edits what an earlier attempt showed; a message that cannot be edited is replaced by a new one.
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
  /** What follows the bot's address, without slashes at its ends; empty for the address itself. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The raw bytes; a signature is verified on these, before anything is parsed. */
  body: Uint8Array;
}

/** What the platform is answered. */
export interface WebhookResponse {
  status: number;
  /** Content type of the body. Default `text/plain; charset=utf-8`. */
  content_type?: string;
  body?: string;
}

/**
 * How a connection is. `reconnecting`: the adapter goes on trying by itself. `failed`: it gives up, is stopped, and the
 * service makes another adapter after a pause, or after the configuration changed when the reason is
 * `platform_unauthorized` or `invalid_request`.
 */
export type ConnectionReport =
  | { state: 'connected' }
  | { state: 'reconnecting' | 'failed'; reason: Reason; message: string };

/** One bot's connection to its platform. */
export interface PlatformAdapter {
  /**
   * Connects. When it resolves, messages come in and can be sent.
   * @throws ParleyError `platform_unauthorized` when the platform does not accept the credentials, `invalid_request` when
   *   it cannot work with the configuration: another attempt is made only when the configuration changed. After any
   *   other error the service tries again, with another adapter.
   */
  start(): Promise<void>;
  /** Disconnects. Ends a `start` that is still going on, too. */
  stop(): Promise<void>;
  /** The bot's own id on the platform, which mentions of it carry; null until it is known. */
  accountId?(): string | null;
  /**
   * Answers a request to the bot's webhook address. Present when the capability `webhook` is.
   * @throws ParleyError `invalid_signature`, `invalid_request`, or what `receive` threw, so that the platform tries again
   */
  handleWebhook?(request: WebhookRequest): Promise<WebhookResponse>;
  /**
   * Makes one attempt to send a message; the service decides whether another one follows. With a handle, the message
   * replaces what an earlier attempt showed, also where the configuration does not allow streaming.
   * @param progress left out where nothing is recorded of the attempt
   * @throws DeliveryError whose kind says whether the message may have arrived, with the reason the platform gave:
   *   `window_closed`, `unknown_target`, `quota`, `unsupported_element` or `platform_failed`. Another ParleyError counts
   *   as `refused`, except `bot_not_running`, which counts as `not_sent`; any other error counts as `unknown`
   */
  send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage>;
  /** Begins a message that is shown while it is written. Present when the capability `streaming` is and the configuration allows it. */
  stream?(message: Omit<OutgoingMessage, 'message_chain'>, progress?: SendProgress): Promise<MessageStream>;
  /**
   * Waits until the pace of the platform allows another message in a chat. Called before each part of an answer but the
   * first, so that a long answer does not meet a rate limit.
   * @throws the signal's reason when it is aborted first
   */
  awaitTurn?(target: DeliveryTarget, signal: AbortSignal): Promise<void>;
  /**
   * Makes a harmless call, which neither sends nor changes anything, to find out whether the platform can be reached.
   * Resolves when the platform gave a conclusive answer. Without it, sending is resumed after a pause.
   * @throws DeliveryError while the platform does not answer
   */
  probe?(): Promise<void>;
  /**
   * Aborted, with a ParleyError that says why, as soon as nobody waits for the answer to a message: it is not written
   * any further then. Present where answers go to whoever asks and to nobody else.
   */
  attention?(platformMessageId: string): AbortSignal;
  /** Takes a browser connection. Present when the capability `sockets` is. */
  acceptSocket?(socket: PlatformSocket): void;
  /** The connections open now, for the operator's view. Present when the capability `sockets` is. */
  connections?(): PlatformConnection[];
  /** Writes a notice to every connection of a pipeline. Present when the capability `sockets` is. */
  broadcast?(pipelineUuid: string, message: unknown): void;
}

/** A browser connection that the server authenticated and hands to an adapter. */
export interface PlatformSocket {
  pipeline_uuid: string;
  session_type: SessionType;
  /** The person's id for `person`, the group's id for `group`. */
  session_id: string;
  person_id: string;
  person_name: string;
  /** Whether the person is signed in to an admin account, for `signed_in_admin` of the messages. */
  signed_in_admin: boolean;
  send(text: string): void;
  /** Bytes queued and not yet taken by the network. */
  bufferedBytes(): number;
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface PlatformConnection {
  connection_id: string;
  pipeline_uuid: string;
  session_type: SessionType;
  created_at: string;
  last_active: string;
  is_active: boolean;
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

/** What an adapter is given to work with. */
export interface PlatformContext {
  bot_uuid: string;
  logger: Logger;
  /** Stores a message; acknowledge the platform only after this resolved. */
  receive(event: MessageEvent): Promise<MessageReceipt>;
  /**
   * Stores several messages, in one transaction where that is possible. One that cannot be stored does not fail the
   * others, except those that follow it in its chat: they keep their order, so they are not stored before it.
   * @returns what happened to each, in the order of `events`. Never rejects
   */
  receiveAll(events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]>;
  /**
   * Keeps what a person said of an answer. Absent where nobody asks for it.
   * @throws ParleyError `invalid_request` when the event is none; acknowledge the platform after anything else failed only
   *   if it does not try again by itself
   */
  receiveFeedback?(event: FeedbackEvent): Promise<void>;
  /** Tells how the connection is after `start` resolved, so that the operator sees it. */
  reportConnection(report: ConnectionReport): void;
  /** The address under which the platform reaches this bot; null when the service has no public address. */
  webhook_url: string | null;
  /** HTTP client for the platform's own address, which an administrator saved; an adapter uses no other. */
  fetch: typeof globalThis.fetch;
  /**
   * Keeps a file that came with a message.
   * @throws ParleyError `too_large` or `empty_file`; nothing is kept then
   */
  storeMedia(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredMedia>;
  /** The file that the `path` of an element names; null when there is none. */
  readMedia(path: string): Promise<(StoredMedia & { content: AsyncIterable<Uint8Array> }) | null>;
}

/** Who the bot is on its platform. */
export interface PlatformAccount {
  /** Its own id there, as {@link PlatformAdapter.accountId} tells it. */
  id: string;
  /** What people know it by; null where it has no name. */
  name: string | null;
}

/** What a test of a configuration is given to work with. */
export type PlatformTestContext = Pick<PlatformContext, 'fetch' | 'webhook_url'> & {
  /** Aborted when nobody waits for the result any more. */
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
  /** Where people read how to set the platform up, by language (`en`, `zh`, `ja`). */
  help_links?: Readonly<Record<string, string>>;
  /** The service keeps one bot of it by itself, which people neither see nor make. Default: false. */
  internal?: boolean;
  capabilities: PlatformCapabilities;
  /** The bot's `adapter_config`; fields made with `Secret()` are encrypted at rest. See {@link FieldPresentation}. */
  config: TObject;
  create(config: Record<string, unknown>, context: PlatformContext): PlatformAdapter;
  /**
   * Asks the platform whether it takes a configuration. It neither receives nor sends anything, and changes nothing there,
   * so that a bot that is connected with the same credentials is not disturbed. Absent where there is nobody to ask.
   * @throws ParleyError as {@link PlatformAdapter.start}, or `platform_failed`
   */
  test?(config: Record<string, unknown>, context: PlatformTestContext): Promise<PlatformAccount>;
}
