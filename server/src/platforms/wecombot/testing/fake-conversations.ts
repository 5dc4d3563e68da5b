import { createHash } from 'node:crypto';
import type { FakeChat, ShownMessage } from '@parley/sdk/testing';

type Fields = Record<string, unknown>;
type Media = ShownMessage['media'][number];

/** An error of the platform. */
export class WecomError extends Error {
  readonly errcode: number;

  constructor(errcode: number, message: string) {
    super(message);
    this.errcode = errcode;
  }
}

interface Shown {
  id: string;
  chat: FakeChat;
  texts: { text: string; at: number }[];
  media: Media[];
  isUnfinished: boolean;
  at: number;
}

/** A question that may be answered. */
export interface Question {
  id: string;
  chat: FakeChat;
  reqId: string;
  at: number;
}

export const ids = { user: 'ada', other: 'bob', group: 'wrTeam' };

/** Bytes of UTF-8. */
const longestText = 20_480;
const minute = 60_000;
/** Request ids, streams. */
const validity = { request: 24 * 60 * minute, stream: 6 * minute };
const mostPerMinute = 30;
const largestChunk = 512 * 1024;

/** What users see, and the rules for what bots may write. */
export class FakeConversations {
  readonly violations: string[] = [];
  readonly #now: () => number;
  readonly #shown: Shown[] = [];
  readonly #questions: Question[] = [];
  readonly #sends = new Map<string, number[]>();
  readonly #uploads = new Map<string, { type: string; name: string; size: number; chunks: Buffer[]; count: number }>();
  readonly #media = new Map<string, Media>();
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  newId(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  ask(question: Question): void {
    this.#questions.push(question);
  }

  /** Nothing answers a question any more. */
  forget(questionId: string): void {
    for (const question of this.#questions) if (question.id === questionId) question.at = 0;
  }

  get shown(): ShownMessage[] {
    return this.#shown.map(({ id, chat, texts, media, isUnfinished }) => {
      const text = texts.at(-1)?.text ?? '';
      const notifies = [...text.matchAll(/<@([\w-]+)>/g)].map(([, name = '']) => (name === 'all' ? 'everyone' : name));
      return { id, chat, text, history: [...texts], media, quotes: null, notifies, isUnfinished };
    });
  }

  /** Whether a frame changes a stream that is shown. */
  isRefresh(body: Fields): boolean {
    const { id } = fieldsOf(body.stream);
    return this.#shown.some((one) => one.id === id);
  }

  /** Every stream ends as it is. */
  closeStreams(): void {
    for (const shown of this.#shown) shown.isUnfinished = false;
  }

  /** An answer to a question. @throws WecomError */
  respond(reqId: string, body: Fields): void {
    const question = this.#questions.find((one) => one.reqId === reqId);
    if (question === undefined || this.#now() - question.at > validity.request) {
      throw new WecomError(846605, 'invalid req_id');
    }
    this.#limit(question.chat);
    if (body.msgtype === 'stream') this.showStream(question.chat, fieldsOf(body.stream), true);
    else this.#post(question.chat, body);
  }

  /** An unsolicited message. @throws WecomError */
  send({ chatid, chat_type = 0, ...body }: Fields): void {
    const isOf = (kind: number) => chat_type === 0 || chat_type === kind;
    const chat: FakeChat | null =
      chatid === ids.user && isOf(1)
        ? { session_type: 'person', session_id: ids.user, thread_id: '' }
        : chatid === ids.group && isOf(2)
          ? { session_type: 'group', session_id: ids.group, thread_id: '' }
          : null;
    if (chat === null) throw new WecomError(93006, 'invalid chatid');
    this.#limit(chat);
    this.#post(chat, body);
  }

  /** A text as a message of its own. */
  post(chat: FakeChat, content: unknown): void {
    this.#post(chat, { msgtype: 'markdown', markdown: { content } });
  }

  /**
   * A state of a stream. @param isPushed by the bot; else the platform fetched it
   * @throws WecomError
   */
  showStream(chat: FakeChat, stream: Fields, isPushed: boolean): void {
    const { id, content = '', finish = false, msg_item, feedback } = stream;
    if (typeof id !== 'string' || id === '') throw new WecomError(40058, 'stream.id is missing');
    const text = this.#text(content);
    const known = this.#shown.find((one) => one.id === id);
    if (isPushed && known !== undefined && (!known.isUnfinished || this.#now() - known.at > validity.stream)) {
      throw new WecomError(846608, 'stream message update expired');
    }
    // The documentation of the long connection says that it does not take them.
    const media = this.#pictures(msg_item, finish === true && !isPushed);
    if (feedback !== undefined && known !== undefined && isPushed) this.violations.push('feedback in a later frame');
    if (known === undefined && isPushed && finish === true && text === '' && media.length === 0) {
      throw new WecomError(44004, 'empty content');
    }
    const shown = known ?? (text === '' && media.length === 0 ? null : this.#show(chat, id, text));
    if (shown === null) return;
    if (text !== shown.texts.at(-1)?.text) shown.texts.push({ text, at: this.#now() });
    shown.media.push(...media);
    shown.isUnfinished = finish !== true;
  }

  beginUpload({ type, filename, total_size, total_chunks }: Fields): object {
    const size = Number(total_size);
    if (!['image', 'voice', 'video', 'file'].includes(String(type)) || typeof filename !== 'string') {
      throw new WecomError(40058, 'invalid type or filename');
    }
    if (!(size > 0) || total_chunks !== Math.ceil(size / largestChunk) || total_chunks > 100) {
      throw new WecomError(40058, 'invalid total_size or total_chunks');
    }
    const upload_id = this.newId('upload');
    this.#uploads.set(upload_id, { type: String(type), name: filename, size, chunks: [], count: total_chunks });
    return { upload_id };
  }

  addChunk({ upload_id, chunk_index, base64_data }: Fields): object {
    const upload = this.#uploads.get(String(upload_id));
    const bytes = Buffer.from(String(base64_data), 'base64');
    if (upload === undefined || chunk_index !== upload.chunks.length || bytes.length > largestChunk) {
      throw new WecomError(40058, 'invalid chunk');
    }
    upload.chunks.push(bytes);
    return {};
  }

  endUpload({ upload_id }: Fields): object {
    const upload = this.#uploads.get(String(upload_id));
    const content = Buffer.concat(upload?.chunks ?? []);
    if (upload === undefined || upload.chunks.length !== upload.count || content.length !== upload.size) {
      throw new WecomError(40058, 'the upload is not complete');
    }
    const media_id = this.newId('media');
    const kind = upload.type === 'image' || upload.type === 'voice' ? upload.type : 'file';
    this.#media.set(media_id, { kind, name: upload.name, content });
    return { type: upload.type, media_id, created_at: String(Math.floor(this.#now() / 1000)) };
  }

  #post(chat: FakeChat, body: Fields): void {
    const { msgtype } = body;
    if (msgtype === 'markdown') {
      const text = this.#text(fieldsOf(body.markdown).content);
      if (text === '') throw new WecomError(44004, 'empty content');
      this.#show(chat, this.newId('shown'), text).isUnfinished = false;
      return;
    }
    const media = this.#media.get(String(fieldsOf(body[String(msgtype)]).media_id));
    if (media === undefined) throw new WecomError(40007, 'invalid media_id');
    const shown = this.#show(chat, this.newId('shown'), '');
    shown.isUnfinished = false;
    shown.media.push(media);
  }

  /** @throws WecomError for what the limits of a conversation forbid */
  #limit(chat: FakeChat): void {
    const recent = (this.#sends.get(chat.session_id) ?? []).filter((at) => at > this.#now() - minute);
    if (recent.length >= mostPerMinute) throw new WecomError(45009, 'api freq out of limit');
    this.#sends.set(chat.session_id, [...recent, this.#now()]);
  }

  #text(content: unknown): string {
    if (typeof content !== 'string') throw new WecomError(40058, 'content must be a text');
    if (Buffer.byteLength(content) > longestText) throw new WecomError(45002, 'content size out of limit');
    return content;
  }

  #pictures(items: unknown, isEnd: boolean): Media[] {
    if (items === undefined) return [];
    if (!Array.isArray(items) || !isEnd || items.length > 10) {
      this.violations.push('pictures that this stream does not take, or not yet');
      throw new WecomError(40058, 'invalid msg_item');
    }
    return items.map((item: Fields, index) => {
      const { base64, md5 } = fieldsOf(item.image);
      const content = Buffer.from(String(base64), 'base64');
      const isPicture = /^(89504e47|ffd8ff)/.test(content.subarray(0, 4).toString('hex'));
      if (item.msgtype !== 'image' || !isPicture || createHash('md5').update(content).digest('hex') !== md5) {
        throw new WecomError(40058, 'invalid picture');
      }
      return { kind: 'image', name: `picture-${index}`, content };
    });
  }

  #show(chat: FakeChat, id: string, text: string): Shown {
    const at = this.#now();
    const shown: Shown = { id, chat, texts: [{ text, at }], media: [], isUnfinished: true, at };
    this.#shown.push(shown);
    return shown;
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
