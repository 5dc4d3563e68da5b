import type { TObject } from 'typebox';
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
  /** The element types a message may hold. */
  elements: readonly MessageElementType[];
  /** Whether the server hands browser sockets to the adapter. */
  sockets: boolean;
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
  target: DeliveryTarget;
  message_chain: MessageChain;
  /** ISO 8601 UTC. */
  created_at: string;
  /** Same for every attempt at this message; adapters pass it on where the platform honours one. */
  idempotency_token: string;
}

/** A message that grows while it is written. `update` and `finish` take all of it so far, never a piece. */
export interface MessageStream {
  update(message_chain: MessageChain): Promise<void>;
  finish(message_chain: MessageChain): Promise<void>;
}

/** One bot's connection to its platform. */
export interface PlatformAdapter {
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Sends one message.
   * @throws ParleyError with the reason the platform gave: `window_closed`, `unknown_target`, `quota`,
   *   `unsupported_element` or `platform_failed`
   */
  send(message: OutgoingMessage): Promise<void>;
  /** Begins a message that will grow. Present when the capability `streaming` is. */
  stream?(message: Omit<OutgoingMessage, 'message_chain'>): Promise<MessageStream>;
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

/** What an adapter is given to work with. */
export interface PlatformContext {
  bot_uuid: string;
  logger: Logger;
  /** Stores a message; acknowledge the platform only after this resolved. */
  receive(event: MessageEvent): Promise<MessageReceipt>;
}

/** A messaging platform as the service knows it. One folder under `platforms/`, or a plugin. */
export interface Platform {
  /** Name in a bot's `adapter` field. */
  name: string;
  label: I18nText;
  description: I18nText;
  capabilities: PlatformCapabilities;
  /** The bot's `adapter_config`; fields made with `Secret()` are encrypted at rest. */
  config: TObject;
  create(config: Record<string, unknown>, context: PlatformContext): PlatformAdapter;
}
