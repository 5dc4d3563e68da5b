import type { CitedSource } from '../../components/explain/passage.ts';

/** An element of a message; `Plain` has `text`, `Image` has `url` or `base64`. Other types are shown as text. */
interface ChatElement {
  type: string;
  text?: unknown;
  url?: unknown;
  base64?: unknown;
  path?: unknown;
  name?: unknown;
  size?: unknown;
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
  /** The start of an answer that was stopped, or a question whose answer was stopped. */
  is_stopped?: boolean;
  /** A question that waits for its answer. */
  is_pending?: boolean;
  /** Another message replaced it, or one before it. */
  is_replaced?: boolean;
  /** The uuid of the message that it replaces. */
  replaces?: string;
  /** The `message_id` of the sender, if any. */
  message_id?: string;
  /** The sources that a stored answer cites. */
  citations?: CitedSource[];
}

/** An uploaded file of a message. */
export interface Attachment {
  file_key: string;
  name: string;
  /** Bytes. */
  size: number;
  is_image: boolean;
}

/** An outgoing message that the server has not confirmed. */
export interface OutgoingMessage {
  message_id: string;
  text: string;
  /** Milliseconds since 1970; increases within a conversation. */
  written_at: number;
  failed: boolean;
  /** Files that were uploaded for it. */
  attachments?: Attachment[];
  /** The uuid of the question that it replaces. */
  replaces?: string;
  /** Whether it has the content of the question that it replaces. */
  repeats?: boolean;
}

export interface ConversationError {
  message: string;
  reason?: string | undefined;
  /** The name of a file of the message that the server no longer has. */
  missingFile?: string | undefined;
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
  /** Whether the answers are to be stopped, and the server has not confirmed it. */
  stopping: boolean;
  /** The latest broadcast of the operator. */
  notice: string | null;
  /** The latest error of the server. */
  error: ConversationError | null;
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
  | {
      type: 'refused';
      message: string;
      reason?: string | undefined;
      message_id?: string | undefined;
      missing_file?: string | undefined;
    }
  | { type: 'stop-requested' }
  /** `last_id`: the last message that is not answered any more. */
  | { type: 'stopped'; last_id: number }
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
  stopping: false,
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
      const missingFile = fileOf(state.outgoing, refused, event.missing_file);
      const error = { message, reason, ...(missingFile !== undefined && { missingFile }) };
      return { ...state, outgoing: markFailed(state.outgoing, refused, true), error };
    }
    case 'stop-requested':
      return { ...state, stopping: true };
    case 'stopped':
      return withStop(state, event.last_id);
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
    const stored = messages.get(message.id);
    // Whether a question waits is known to the server, unless its answer arrived meanwhile.
    const is_pending = (stored?.is_pending ?? false) && (message.is_pending ?? false);
    if (state.live.has(message.id)) messages.set(message.id, stored ? { ...message, is_pending } : message);
  }
  const sorted = [...messages.values()].sort((one, other) => one.id - other.id);
  const confirmed = new Set(history.map((message) => message.message_id));
  return {
    ...state,
    loaded: true,
    messages: sorted,
    outgoing: state.outgoing.filter((message) => !confirmed.has(message.message_id)),
    ...waitingAfter(state, sorted),
  };
}

/** The answer may have been missed, or a question be known only now. */
function waitingAfter(state: Conversation, messages: ChatMessage[]): Pick<Conversation, 'waitingSince' | 'stopping'> {
  const pending = messages.findLast(({ is_pending }) => is_pending === true);
  if (pending !== undefined) {
    return { waitingSince: state.waitingSince ?? Date.parse(pending.timestamp), stopping: state.stopping };
  }
  const isAnswered = messages.at(-1)?.role === 'assistant';
  return { waitingSince: isAnswered ? null : state.waitingSince, stopping: false };
}

/** Questions up to an id are not answered any more. */
function withStop(state: Conversation, lastId: number): Conversation {
  const messages = state.messages.map((message) =>
    message.is_pending === true && message.id <= lastId ? { ...message, is_pending: false, is_stopped: true } : message,
  );
  const isWaiting = messages.some(({ is_pending }) => is_pending === true);
  return { ...state, messages, stopping: false, waitingSince: isWaiting ? state.waitingSince : null };
}

function withMessage(state: Conversation, message: ChatMessage, at: number): Conversation {
  const known = state.messages.find((other) => other.id === message.id);
  // Ids restart with each conversation: a known id with another message means a reset in another tab.
  const isReset = known !== undefined && known.timestamp !== message.timestamp;
  const others = isReset ? [] : state.messages.filter((other) => other.id !== message.id);
  const live = new Set(state.live).add(message.id);
  if (message.role === 'assistant') {
    const received = known?.is_replaced && !isReset ? { ...message, is_replaced: true } : message;
    const messages = inOrder(withAnswered(others, message), received);
    // The next question in the queue waits from then on.
    const isNext = message.is_final && messages.some(({ is_pending }) => is_pending === true);
    return {
      ...state,
      messages,
      live,
      waitingSince: isNext ? at : null,
      stopping: state.stopping && !message.is_final,
    };
  }
  const isKnown = known !== undefined && !isReset;
  const question = isKnown ? { ...known, ...message } : { ...message, is_pending: true };
  const messages = inOrder(withReplaced(others, message), question);
  const outgoing = state.outgoing.filter((other) => other.message_id !== message.message_id);
  // A message that was sent again may have its answer already.
  const waitingSince = messages.at(-1)?.role === 'assistant' ? null : at;
  return { ...state, messages, live, outgoing, waitingSince };
}

function inOrder(messages: ChatMessage[], added: ChatMessage): ChatMessage[] {
  return [...messages, added].sort((one, other) => one.id - other.id);
}

/** Answers come in the order of their questions. */
function withAnswered(messages: ChatMessage[], { is_final }: ChatMessage): ChatMessage[] {
  const answered = is_final ? messages.find(({ is_pending }) => is_pending === true) : undefined;
  return messages.map((message) => (message === answered ? { ...message, is_pending: false } : message));
}

/** The question that a message replaces goes, with everything between them. */
function withReplaced(messages: ChatMessage[], { id, replaces }: ChatMessage): ChatMessage[] {
  const replaced = messages.find(({ uuid }) => replaces !== undefined && uuid === replaces);
  if (replaced === undefined) return messages;
  return messages.map((message) =>
    message.id >= replaced.id && message.id < id ? { ...message, is_replaced: true, is_pending: false } : message,
  );
}

/** The name of a file of an outgoing message. */
function fileOf(
  outgoing: readonly OutgoingMessage[],
  messageId: string | undefined,
  key: string | undefined,
): string | undefined {
  const message = outgoing.find(({ message_id }) => message_id === messageId);
  return message?.attachments?.find(({ file_key }) => file_key === key)?.name;
}

function markFailed(outgoing: OutgoingMessage[], messageId: string | undefined, failed: boolean): OutgoingMessage[] {
  return outgoing.map((message) => (message.message_id === messageId ? { ...message, failed } : message));
}
