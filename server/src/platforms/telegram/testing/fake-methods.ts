import type { Message, MessageEntity, Update, User } from 'grammy/types';

/** A call as it arrived. */
export interface FakeCall {
  method: string;
  /** Values that came as JSON texts are parsed. */
  parameters: Record<string, unknown>;
  /** Files that came with it, by the name of the part. */
  files: Map<string, { name: string; content: Buffer }>;
  /** When it arrived, `Date.now()`. */
  at: number;
}

/** A message that the bot sent. */
export interface SentMessage {
  message_id: number;
  chat_id: number | string;
  message_thread_id?: number;
  text?: string;
  entities: MessageEntity[];
  reply_to?: number;
  /** A file that was uploaded, or the address or id of one. */
  media?: {
    kind: 'photo' | 'voice' | 'document';
    source: string | { name: string; content: Buffer };
    duration?: number;
  };
  /** Texts it had before the present one. */
  earlier: string[];
}

export interface FakeState {
  bot: User;
  updates: Update[];
  messages: SentMessage[];
  chats: Set<number | string>;
  blocked: Set<number | string>;
  isRevoked: boolean;
  files: Map<string, { content: Buffer; path: string }>;
  webhook: { url: string; secret: string; lastError?: { date: number; message: string } } | null;
  lastMessageId: number;
  /** Calls that no right bot makes. */
  violations: string[];
  /** The poll that waits for updates. */
  poll: { isReplaced: boolean; isSilent: boolean; wake(): void } | null;
  /** Looks again whether there is something to send to the webhook. */
  wakePusher(): void;
}

/** A refusal of Telegram. */
export class Refusal extends Error {
  readonly code: number;
  readonly parameters: Record<string, unknown> | undefined;

  constructor(code: number, description: string, parameters?: Record<string, unknown>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

const conflict = (description: string) => new Refusal(409, `Conflict: ${description}`);
const badRequest = (description: string) => new Refusal(400, `Bad Request: ${description}`);
/** Telegram counts texts and downloads so. */
const longestText = 4096;
const largestDownload = 20 * 1024 * 1024;

/**
 * Carries a call out.
 * @param left the caller went away
 * @throws Refusal
 */
export async function answerCall(state: FakeState, call: FakeCall, left: AbortSignal): Promise<unknown> {
  const { parameters } = call;
  switch (call.method) {
    case 'getMe':
      return {
        ...state.bot,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      };
    case 'getUpdates':
      return getUpdates(state, parameters, left);
    case 'setWebhook':
      state.webhook = { url: String(parameters.url), secret: String(parameters.secret_token ?? '') };
      state.poll?.wake();
      state.wakePusher();
      return true;
    case 'deleteWebhook':
      if (parameters.drop_pending_updates === true) state.updates = [];
      state.webhook = null;
      return true;
    case 'getWebhookInfo':
      return webhookInfo(state);
    case 'sendMessage':
      return send(state, parameters, { text: checkedText(parameters) });
    case 'sendPhoto':
    case 'sendVoice':
    case 'sendDocument':
      return send(state, parameters, { media: mediaOf(call) });
    case 'editMessageText':
      return edit(state, parameters);
    case 'deleteMessage':
      state.messages.splice(state.messages.indexOf(found(state, parameters, 'delete')), 1);
      return true;
    case 'sendChatAction':
      checkChat(state, parameters);
      return true;
    case 'getFile':
      return getFile(state, parameters);
    default:
      state.violations.push(`there is no method ${call.method}`);
      throw new Refusal(404, 'Not Found: method not found');
  }
}

async function getUpdates(state: FakeState, parameters: FakeCall['parameters'], left: AbortSignal): Promise<Update[]> {
  const { offset = 0, limit = 100, timeout = 0 } = parameters as Record<string, number>;
  const poll = { isReplaced: false, isSilent: false, wake: () => {} };
  if (state.poll !== null) {
    state.poll.isReplaced = true;
    state.poll.wake();
  }
  state.poll = poll;
  const end = Date.now() + timeout * 1000;
  try {
    for (;;) {
      if (state.webhook !== null) {
        throw conflict(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      if (poll.isReplaced) {
        throw conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
      }
      state.updates = state.updates.filter(({ update_id }) => update_id >= offset);
      const updates = poll.isSilent ? [] : state.updates.slice(0, limit);
      if (updates.length > 0 || state.isRevoked || isOver(poll, end) || left.aborted) return updates;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, poll.isSilent ? 60_000 : end - Date.now());
        timer.unref();
        poll.wake = () => {
          clearTimeout(timer);
          resolve();
        };
        left.addEventListener('abort', poll.wake, { once: true });
      });
    }
  } finally {
    if (state.poll === poll) state.poll = null;
  }
}

function isOver({ isSilent }: { isSilent: boolean }, end: number): boolean {
  return !isSilent && Date.now() >= end;
}

function webhookInfo({ webhook, updates }: FakeState): unknown {
  const info = { url: webhook?.url ?? '', has_custom_certificate: false, pending_update_count: updates.length };
  const error = webhook?.lastError;
  return error === undefined ? info : { ...info, last_error_date: error.date, last_error_message: error.message };
}

function send(state: FakeState, parameters: FakeCall['parameters'], content: Pick<SentMessage, 'text' | 'media'>) {
  checkChat(state, parameters);
  const {
    chat_id,
    message_thread_id,
    reply_parameters: reply,
  } = parameters as {
    chat_id: number;
    message_thread_id?: number;
    reply_parameters?: { message_id: number };
  };
  const message: SentMessage = {
    message_id: ++state.lastMessageId,
    chat_id,
    ...(message_thread_id === undefined ? {} : { message_thread_id }),
    entities: entitiesOf(parameters),
    ...(reply === undefined ? {} : { reply_to: reply.message_id }),
    ...content,
    earlier: [],
  };
  state.messages.push(message);
  return answerOf(state, message);
}

function edit(state: FakeState, parameters: FakeCall['parameters']) {
  checkChat(state, parameters);
  const message = found(state, parameters, 'edit');
  const text = checkedText(parameters);
  const entities = entitiesOf(parameters);
  if (message.text === text && JSON.stringify(message.entities) === JSON.stringify(entities)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  message.earlier.push(message.text ?? '');
  message.text = text;
  message.entities = entities;
  return answerOf(state, message);
}

function found(state: FakeState, parameters: FakeCall['parameters'], purpose: string): SentMessage {
  const { chat_id, message_id } = parameters;
  const message = state.messages.find((one) => one.chat_id === chat_id && one.message_id === message_id);
  if (message === undefined) throw badRequest(`message to ${purpose} not found`);
  return message;
}

function answerOf({ bot }: FakeState, { message_id, chat_id, text }: SentMessage): Partial<Message> {
  const chat = { id: Number(chat_id), type: 'private', first_name: 'User' } as const;
  return { message_id, date: Math.floor(Date.now() / 1000), from: bot, chat, ...(text === undefined ? {} : { text }) };
}

function checkChat({ chats, blocked }: FakeState, { chat_id: id }: FakeCall['parameters']): void {
  if (blocked.has(id as number)) throw new Refusal(403, 'Forbidden: bot was blocked by the user');
  if (!chats.has(id as number)) throw badRequest('chat not found');
}

function checkedText({ text }: FakeCall['parameters']): string {
  if (typeof text !== 'string' || text.trim() === '') throw badRequest('message text is empty');
  if ([...text].length > longestText) throw badRequest('message is too long');
  return text;
}

/** Telegram passes some faulty entities over and refuses others; the fake refuses all, so that tests see them. */
function entitiesOf({ text = '', entities = [] }: FakeCall['parameters']): MessageEntity[] {
  for (const { type, offset, length } of entities as MessageEntity[]) {
    if (!(offset >= 0 && length > 0 && offset + length <= (text as string).length)) {
      throw badRequest(`can't parse entities: ${type} at ${offset} is outside of the text`);
    }
  }
  return entities as MessageEntity[];
}

function mediaOf({ method, parameters, files }: FakeCall): NonNullable<SentMessage['media']> {
  const kind = method.slice('send'.length).toLowerCase() as 'photo' | 'voice' | 'document';
  const source = String(parameters[kind] ?? '');
  const file = files.get(source.replace('attach://', ''));
  if (source === '' || (source.startsWith('attach://') && file === undefined))
    throw badRequest(`there is no ${kind} in the request`);
  const { duration } = parameters as { duration?: number };
  return { kind, source: file ?? source, ...(duration === undefined ? {} : { duration }) };
}

function getFile({ files }: FakeState, { file_id }: FakeCall['parameters']) {
  const file = files.get(String(file_id));
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.content.length > largestDownload) throw badRequest('file is too big');
  return { file_id, file_unique_id: `unique-${file_id}`, file_size: file.content.length, file_path: file.path };
}
