import { randomUUID } from 'node:crypto';
import type { FakeChat, FakeMediaKind, ShownMessage } from '../../fake-platform.ts';
import { Refusal } from './refusal.ts';

/** Bytes. */
const longest = { message: 600, edit: 400 };
const hour = 3_600_000;
/** Milliseconds. */
const validity = { reply: hour / 60, window: 48 * hour, key: hour / 6, stream: hour / 12 };
const answersToQuestion = 5;

type Stored = { -readonly [Field in keyof ShownMessage]: ShownMessage[Field] } & {
  history: { text: string; at: number }[];
  at: number;
};

interface Stream {
  id: string;
  chat: FakeChat;
  shown: Stored | null;
  isDone: boolean;
}

/** A chat as calls name it. */
interface CalledChat {
  kind?: unknown;
  id?: unknown;
  thread?: unknown;
}

/** What users see, and the rules for what bots may write. */
export class FakeChats {
  readonly messages: Stored[] = [];
  readonly files = new Map<string, { kind: FakeMediaKind; name: string; content: Uint8Array }>();
  readonly streams = new Map<string, Stream>();
  readonly #chats: FakeChat[];
  readonly #now: () => number;
  readonly #questions = new Map<string, { at: number; answers: number }>();
  readonly #replies = new Map<string, { question: string; chat: string; until: number; isUsed: boolean }>();
  readonly #keys = new Map<string, { id: string; at: number }>();

  constructor(chats: FakeChat[], now: () => number) {
    this.#chats = chats;
    this.#now = now;
  }

  /** A user writes: answers are allowed from now on. @returns what an answer is sent with */
  ask(chat: FakeChat, question: string): { token: string; until: number } {
    this.#questions.set(keyOf(chat), { at: this.#now(), answers: 0 });
    const token = `reply-${randomUUID()}`;
    const until = this.#now() + validity.reply;
    this.#replies.set(token, { question, chat: keyOf(chat), until, isUsed: false });
    return { token, until };
  }

  /** Neither the token nor the window of a question is valid any more. */
  spend(question: string): void {
    for (const reply of this.#replies.values()) {
      if (reply.question !== question) continue;
      reply.until = 0;
      this.#questions.delete(reply.chat);
    }
  }

  post(body: Record<string, unknown>): { id: string } {
    const { text, key, quote, open } = body;
    const chat = this.chatOf(body.chat);
    const files = Array.isArray(body.files) ? body.files : [];
    if (typeof text !== 'string' || (text === '' && files.length === 0)) throw new Refusal(400, 'empty', 'No content');
    checkLength(text, longest.message);
    const known = this.#keys.get(String(key));
    if (known !== undefined && this.#now() - known.at < validity.key) return { id: known.id };
    const media = files.map((id) => this.files.get(String(id)));
    if (media.includes(undefined)) throw new Refusal(400, 'unknown_file', 'There is no such file');
    this.#allow(chat, body.reply);
    const notifies = Array.isArray(body.notify) ? body.notify.map(String) : mentionsIn(text);
    const message = this.#show(chat, text, open === true);
    message.media = media as ShownMessage['media'];
    message.notifies = notifies;
    message.quotes = this.#isKnown(quote) ? String(quote) : null;
    if (key !== undefined) this.#keys.set(String(key), { id: message.id, at: this.#now() });
    return { id: message.id };
  }

  edit(id: string, { text, open }: Record<string, unknown>): void {
    const message = this.messages.find((one) => one.id === id);
    if (message === undefined) throw new Refusal(404, 'unknown_message', 'There is no such message');
    if (!message.isUnfinished || this.#now() - message.at > validity.stream) {
      throw new Refusal(409, 'closed', 'The message can no longer be changed');
    }
    checkLength(String(text), longest.edit);
    this.#change(message, String(text), open === true);
  }

  /** Begins a stream, once. */
  beginStream({ chat: called, reply, id }: Record<string, unknown>): Stream {
    const chat = this.chatOf(called);
    const known = this.streams.get(String(id));
    if (known !== undefined) return known;
    this.#allow(chat, reply);
    const stream: Stream = { id: String(id), chat, shown: null, isDone: false };
    this.streams.set(stream.id, stream);
    return stream;
  }

  /** Shows what a poll brought. */
  showPolled(stream: Stream, { text, done }: { text: string; done: boolean }): void {
    if (stream.isDone) return;
    checkLength(text, longest.edit);
    if (stream.shown !== null) this.#change(stream.shown, text, !done);
    else if (text !== '') stream.shown = this.#show(stream.chat, text, !done);
    stream.isDone = done;
  }

  /** @throws Refusal */
  chatOf(called: unknown): FakeChat {
    const { kind, id, thread } = (called ?? {}) as CalledChat;
    const chat = this.#chats.find(
      (one) => one.session_type === kind && one.session_id === id && one.thread_id === (thread ?? ''),
    );
    if (chat === undefined) throw new Refusal(404, 'unknown_chat', 'The bot knows no such chat');
    return chat;
  }

  #allow(chat: FakeChat, token: unknown): void {
    const question = this.#questions.get(keyOf(chat));
    if (token !== undefined) {
      const reply = this.#replies.get(String(token));
      if (reply === undefined || reply.isUsed || reply.until <= this.#now() || reply.chat !== keyOf(chat)) {
        throw new Refusal(400, 'reply_over', 'The token is used or expired');
      }
      reply.isUsed = true;
    }
    if (question === undefined || this.#now() - question.at > validity.window) {
      throw new Refusal(403, 'window_closed', 'The user has not written for 48 hours');
    }
    if (question.answers >= answersToQuestion)
      throw new Refusal(429, 'too_many', 'Five messages may follow a question');
    question.answers += 1;
  }

  #isKnown(id: unknown): boolean {
    const questions = [...this.#replies.values()].map(({ question }) => question);
    return questions.includes(String(id)) || this.messages.some((message) => message.id === id);
  }

  #show(chat: FakeChat, text: string, isUnfinished: boolean): Stored {
    const at = this.#now();
    const history = [{ text, at }];
    const id = `shown-${this.messages.length + 1}`;
    const message: Stored = { id, chat, text, at, history, media: [], quotes: null, notifies: [], isUnfinished };
    this.messages.push(message);
    return message;
  }

  #change(message: Stored, text: string, isUnfinished: boolean): void {
    message.isUnfinished = isUnfinished;
    if (text === message.text) return;
    message.text = text;
    message.history.push({ text, at: this.#now() });
  }
}

export function keyOf({ session_type, session_id, thread_id }: FakeChat): string {
  return JSON.stringify([session_type, session_id, thread_id]);
}

function checkLength(text: string, most: number): void {
  if (Buffer.byteLength(text) > most) throw new Refusal(400, 'too_long', `At most ${most} bytes`);
}

/** Whom a text notifies when the call does not say so. */
function mentionsIn(text: string): string[] {
  return [...text.matchAll(/@([\w-]+)/g)].map(([, name = '']) => (name === 'all' ? 'everyone' : name));
}
