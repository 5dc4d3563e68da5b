import type { CitationReport, ModelCall, Reason, Retrieval, SessionType } from '@parley/sdk';
import type { ToolCall } from '../tools/tool-call.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { Message, MessageState } from './message.ts';
import type { MessageTrace } from './message-trace.ts';

/** Search conditions for messages; all of them must match. Timestamps are ISO 8601 UTC with milliseconds. */
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
  /** Contained in the text, ignoring the case of A to Z. */
  text?: string | undefined;
  /** Stored then or later. */
  from?: string | undefined;
  /** Stored before. */
  to?: string | undefined;
}

/** Position of a message: messages are ordered by timestamp, then by their position in the ledger. */
export interface MessagePlace {
  created_at: string;
  position: number;
}

/** A message with its delivery state, and without the present state of its conversation. */
export interface MessageView extends Omit<Message, 'model_uuid' | 'webhook_wait_until'> {
  /**
   * Outbound only, of all parts together: `failed` or `uncertain` when one of them is, `sent` when all are. Null for
   * inbound messages and while an answer is being generated.
   */
  delivery_state: DeliveryState | null;
  /** Outbound only: the reason of the failure that it reports instead of an answer. Null for all others. */
  failure: Reason | null;
  /** Display name of the group, or of the user of a private chat; null if it is not known. */
  session_name: string | null;
}

/** The delivery of one part, as shown to users. */
export type DeliveryView = Omit<
  Delivery,
  'message_uuid' | 'idempotency_token' | 'handle' | 'expires_at' | 'unconfirmed_since'
>;

export interface MessagePage {
  /** Newest first. */
  messages: MessageView[];
  /**
   * Cursor of the next page, also on a page that is not full, or empty: finding rare messages among many takes several
   * steps. Null on the last page.
   */
  next: MessagePlace | null;
}

/** A message and its answer, or the message that it answers. */
export interface FoundMessage {
  message: MessageView;
  /** Of an outbound message, in order. */
  deliveries: DeliveryView[];
  answer: { message: MessageView; deliveries: DeliveryView[] } | null;
  reply_to: MessageView | null;
}

/** A request to a model, as it was recorded. */
export interface RecordedModelCall extends Omit<ModelCall, 'failure' | 'request'> {
  uuid: string;
  cost: number | null;
}

/** A call of a tool, as it was recorded. */
export type RecordedToolCall = Omit<ToolCall, 'message_uuid'>;

/** A question to knowledge bases, as it was recorded. */
export type RecordedRetrieval = Retrieval & { uuid: string };

/** Everything that is stored of the way of a message. For an answer, of the message that it answers. */
export interface MessageStory extends FoundMessage {
  /** Null while it is in progress, and for messages of versions that stored none. */
  trace: MessageTrace | null;
  /** In order. */
  model_calls: RecordedModelCall[];
  /** In order. */
  tool_calls: RecordedToolCall[];
  /** In order. */
  retrievals: RecordedRetrieval[];
  /** Null if nothing could be cited. */
  citations: CitationReport | null;
  /** Messages that were answered together with it, in order. */
  merged: string[];
  /** Its state in the queue; null when it does not wait. */
  queue: {
    /** Its conversation is not due before this timestamp, ISO 8601 UTC; null when it is. */
    until: string | null;
    /** An earlier message of the conversation comes first. */
    isBehind: boolean;
  } | null;
}

/** Reads the ledger for display, without waiting for pending writes. */
export interface MessageReader {
  /**
   * @param limit messages on a page, at most
   * @param after where the page before ended; null for the first
   */
  page(filter: MessageFilter, limit: number, after: MessagePlace | null): Promise<MessagePage>;
  find(uuid: string): Promise<FoundMessage | null>;
  story(uuid: string): Promise<MessageStory | null>;
  /** The citations of answers. @param uuids of the messages that were answered @returns by these, where there are any */
  citations(uuids: readonly string[]): Promise<Map<string, CitationReport['citations']>>;
}
