import type { CitationReport, ModelCall, Retrieval, SessionType } from '@parley/sdk';
import type { ToolCall } from '../tools/tool-call.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { Message, MessageState } from './message.ts';
import type { MessageTrace } from './message-trace.ts';

/** What messages are searched by; all that is given must hold. Moments are ISO 8601 UTC with milliseconds. */
export interface MessageFilter {
  bot_uuid?: string | undefined;
  pipeline_uuid?: string | undefined;
  conversation_uuid?: string | undefined;
  session_type?: SessionType | undefined;
  session_id?: string | undefined;
  sender_id?: string | undefined;
  direction?: Message['direction'] | undefined;
  state?: MessageState | undefined;
  reason?: string | undefined;
  /** Stands in the text, whether A to Z are large or small. */
  text?: string | undefined;
  /** Stored then or later. */
  from?: string | undefined;
  /** Stored before. */
  to?: string | undefined;
}

/** Where a message stands among all of them: messages sort by their moment, then by their position in the ledger. */
export interface MessagePlace {
  created_at: string;
  position: number;
}

/** A message with what became of it on its way out, and without what is true of its conversation only now. */
export interface MessageView extends Omit<Message, 'model_uuid' | 'webhook_wait_until'> {
  /**
   * Outbound only, of all pieces together: `failed` or `uncertain` when one of them is, `sent` when all are. Null for
   * inbound messages and while an answer is being written.
   */
  delivery_state: DeliveryState | null;
}

/** One message of the platform on its way out, as people are told of it. */
export type DeliveryView = Omit<Delivery, 'message_uuid' | 'idempotency_token' | 'handle' | 'expires_at'>;

export interface MessagePage {
  /** Newest first. */
  messages: MessageView[];
  /**
   * Where to go on, which may be so on a page that is not full, or empty: finding rare messages among many takes
   * several steps. Null when there are no more.
   */
  next: MessagePlace | null;
}

/** A message and the one that it belongs to: its answer, or what it answers. */
export interface FoundMessage {
  message: MessageView;
  /** Of an outbound message, in order. */
  deliveries: DeliveryView[];
  answer: { message: MessageView; deliveries: DeliveryView[] } | null;
  reply_to: MessageView | null;
}

/** A request to a model, as it was recorded. */
export interface RecordedModelCall extends ModelCall {
  uuid: string;
  cost: number | null;
}

/** A call of a tool, as it was recorded. */
export type RecordedToolCall = Omit<ToolCall, 'message_uuid'>;

/** A question to knowledge bases, as it was recorded. */
export type RecordedRetrieval = Retrieval & { uuid: string };

/** Everything that is stored of the way of a message. For an answer, of the message that it answers. */
export interface MessageStory extends FoundMessage {
  /** Null while it is on its way, and for messages of versions that kept none. */
  trace: MessageTrace | null;
  /** In order. */
  model_calls: RecordedModelCall[];
  /** In order. */
  tool_calls: RecordedToolCall[];
  /** In order. */
  retrievals: RecordedRetrieval[];
  /** Null where nothing could be cited. */
  citations: CitationReport | null;
  /** Messages that were answered together with it, in order. */
  merged: string[];
  /** How it stands in the queue; null when it does not wait. */
  queue: {
    /** Its conversation is not due before this moment, ISO 8601 UTC; null when it is. */
    until: string | null;
    /** An earlier message of the conversation comes first. */
    isBehind: boolean;
  } | null;
}

/** Reads the ledger as people look at it, without waiting for what is written. */
export interface MessageReader {
  /**
   * @param limit messages on a page, at most
   * @param after where the page before ended; null for the first
   */
  page(filter: MessageFilter, limit: number, after: MessagePlace | null): Promise<MessagePage>;
  find(uuid: string): Promise<FoundMessage | null>;
  story(uuid: string): Promise<MessageStory | null>;
}
