import type { CitedSource } from '../../components/explain/passage.ts';

/** An element of a message; `Plain` has `text`, `Image` has `url` or `base64`. Other types are shown as text. */
interface ChatElement {
  type: string;
  text?: unknown;
  url?: unknown;
  base64?: unknown;
}

/** A message as the server stores it. Ids increase within a conversation. */
export interface ChatMessage {
  id: number;
  role: 'user' | 'assistant';
  content: string;
  message_chain: ChatElement[];
  /** Uuid of the stored message; only on the first part of an answer. */
  uuid?: string;
  /** ISO 8601. */
  timestamp: string;
  is_final: boolean;
  /** It is a notice that there is no answer because of a failure. */
  is_failed?: boolean;
  /** The `message_id` of the sender, if any. */
  message_id?: string;
  /** The sources that a stored answer cites. */
  citations?: CitedSource[];
}

/** An outgoing message that the server has not confirmed. */
export interface OutgoingMessage {
  message_id: string;
  text: string;
  /** Milliseconds since 1970; increases within a conversation. */
  written_at: number;
  failed: boolean;
}

export interface Conversation {
  /** False until the history is loaded. */
  loaded: boolean;
  /** Oldest first. */
  messages: ChatMessage[];
  /** Oldest first. */
  outgoing: OutgoingMessage[];
  /** Messages received since the connection was opened: newer than a history that was requested meanwhile. */
  live: ReadonlySet<number>;
  /** When the last unanswered message was stored, milliseconds since 1970. */
  waitingSince: number | null;
  /** The latest broadcast of the operator. */
  notice: string | null;
  /** The latest error of the server. */
  error: { message: string; reason?: string | undefined } | null;
}

export type ConversationEvent =
  | { type: 'connected' }
  | { type: 'history-loaded'; messages: ChatMessage[] }
  | { type: 'message-received'; message: ChatMessage; at: number }
  | { type: 'message-written'; message: OutgoingMessage }
  /** Messages that an earlier page or another tab left. */
  | { type: 'messages-restored'; messages: OutgoingMessage[] }
  | { type: 'message-retried'; message_id: string }
  | { type: 'message-removed'; message_id: string }
  | { type: 'refused'; message: string; reason?: string | undefined; message_id?: string | undefined }
  | { type: 'noticed'; text: string }
  | { type: 'dismissed' }
  | { type: 'cleared' }
  /** Another account signed in. */
  | { type: 'person-changed' };

export const emptyConversation: Conversation = {
  loaded: false,
  messages: [],
  outgoing: [],
  live: new Set(),
  waitingSince: null,
  notice: null,
  error: null,
};

/** Reduces an event. */
export function reduceConversation(state: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'connected':
      return { ...state, live: new Set() };
    case 'history-loaded':
      return withHistory(state, event.messages);
    case 'message-received':
      return withMessage(state, event.message, event.at);
    case 'message-written':
      return { ...state, outgoing: withOutgoing(state.outgoing, [event.message]), error: null };
    case 'messages-restored':
      return { ...state, outgoing: withOutgoing(state.outgoing, event.messages) };
    case 'message-retried':
      return { ...state, outgoing: markFailed(state.outgoing, event.message_id, false), error: null };
    case 'message-removed':
      return { ...state, outgoing: state.outgoing.filter(({ message_id }) => message_id !== event.message_id) };
    case 'refused': {
      const { message, reason } = event;
      // The server answers in order, so an error without an id concerns the oldest pending message.
      const refused = event.message_id ?? state.outgoing.find((waiting) => !waiting.failed)?.message_id;
      return { ...state, outgoing: markFailed(state.outgoing, refused, true), error: { message, reason } };
    }
    case 'noticed':
      return { ...state, notice: event.text };
    case 'dismissed':
      return { ...state, notice: null, error: null };
    case 'cleared':
      return { ...emptyConversation, loaded: true, outgoing: state.outgoing };
    case 'person-changed':
      return emptyConversation;
  }
}

/** Adds the messages that are not outgoing already. */
export function withOutgoing(outgoing: OutgoingMessage[], added: OutgoingMessage[]): OutgoingMessage[] {
  const known = new Set(outgoing.map(({ message_id }) => message_id));
  const further = added.filter(({ message_id }) => !known.has(message_id));
  return [...outgoing, ...further].sort((one, other) => one.written_at - other.written_at);
}

/** The history replaces the messages, except for those received after it was requested. */
function withHistory(state: Conversation, history: ChatMessage[]): Conversation {
  const messages = new Map(history.map((message) => [message.id, message]));
  for (const message of state.messages) {
    if (state.live.has(message.id)) messages.set(message.id, message);
  }
  const sorted = [...messages.values()].sort((one, other) => one.id - other.id);
  const confirmed = new Set(history.map((message) => message.message_id));
  return {
    ...state,
    loaded: true,
    messages: sorted,
    outgoing: state.outgoing.filter((message) => !confirmed.has(message.message_id)),
    // The answer may have been missed.
    waitingSince: sorted.at(-1)?.role === 'assistant' ? null : state.waitingSince,
  };
}

function withMessage(state: Conversation, message: ChatMessage, at: number): Conversation {
  const known = state.messages.find((other) => other.id === message.id);
  // Ids restart with each conversation: a known id with another message means a reset in another tab.
  const isReset = known !== undefined && known.timestamp !== message.timestamp;
  const others = isReset ? [] : state.messages.filter((other) => other.id !== message.id);
  const messages = [...others, message].sort((one, other) => one.id - other.id);
  const live = new Set(state.live).add(message.id);
  if (message.role === 'assistant') return { ...state, messages, live, waitingSince: null };
  const outgoing = state.outgoing.filter((other) => other.message_id !== message.message_id);
  // A message that was sent again may have its answer already.
  const waitingSince = messages.at(-1)?.role === 'assistant' ? null : at;
  return { ...state, messages, live, outgoing, waitingSince };
}

function markFailed(outgoing: OutgoingMessage[], messageId: string | undefined, failed: boolean): OutgoingMessage[] {
  return outgoing.map((message) => (message.message_id === messageId ? { ...message, failed } : message));
}
