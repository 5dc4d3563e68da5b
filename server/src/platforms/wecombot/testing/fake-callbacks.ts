import { randomBytes, randomUUID } from 'node:crypto';
import type { Delivered, FakeChat, Forgery } from '@parley/sdk/testing';
import { decrypt, encrypt, getSignature } from '@wecom/crypto';
import { type FakeConversations, fieldsOf } from './fake-conversations.ts';

type Outcome = Delivered['outcome'];
type Fields = Record<string, unknown>;

/** A stream that the platform fetches. */
interface Fetched {
  id: string;
  chat: FakeChat;
  begunAt: number;
  isOver: boolean;
}

/** Time for a response, milliseconds. */
const patience = 1000;
export const secrets = {
  Token: 'the-token-of-callbacks',
  EncodingAESKey: randomBytes(32).toString('base64').slice(0, 43),
};

/** Requests to the webhook of a bot, and the streams that begin with them. They are encrypted with the vendor's package. */
export class FakeCallbacks {
  address = '';
  token = secrets.Token;
  /** While true, nothing is fetched. */
  isHeld: () => boolean = () => false;
  readonly #conversations: FakeConversations;
  readonly #now: () => number;
  readonly #pollMs: number;
  readonly #streams: Fetched[] = [];
  /** Requests for texts. */
  readonly #underWay = new Set<Promise<void>>();
  #last: { query: Fields; body: string } | null = null;
  isClosed = false;

  /** @param pollMs between two requests for a text */
  constructor(conversations: FakeConversations, now: () => number, pollMs: number) {
    this.#conversations = conversations;
    this.#now = now;
    this.#pollMs = pollMs;
  }

  close(): void {
    this.isClosed = true;
  }

  /** Delivers a message. The response begins a stream, or greets the user. */
  async deliver(body: Fields, chat: FakeChat): Promise<Outcome> {
    const { outcome, answer } = await this.#post(this.#request(JSON.stringify(body)), true);
    if (answer.msgtype === 'stream') this.#begin(fieldsOf(answer.stream), chat);
    if (answer.msgtype === 'text') this.#conversations.post(chat, fieldsOf(answer.text).content);
    return outcome;
  }

  /** Any text, encrypted and signed rightly. */
  async raw(text: string): Promise<Outcome> {
    return (await this.#post(this.#request(text))).outcome;
  }

  async tamper(text: string, change: (body: Uint8Array) => Uint8Array): Promise<Outcome> {
    const { query, body } = this.#request(text);
    const encrypted = Buffer.from(change(Buffer.from(String(fieldsOf(JSON.parse(body)).encrypt)))).toString();
    return (await this.#post({ query, body: JSON.stringify({ encrypt: encrypted }) })).outcome;
  }

  async verifyAddress(how: 'right' | 'wrong'): Promise<boolean> {
    const text = `echo ${randomUUID()}`;
    const { query, body } = this.#request(text, how === 'right' ? {} : { token: 'another-token' });
    const params = new URLSearchParams({ ...(query as Record<string, string>) });
    params.set('echostr', String(fieldsOf(JSON.parse(body)).encrypt));
    const response = await fetch(`${this.address}?${params}`);
    return response.status === 200 && (await response.text()) === text;
  }

  /** One request for the text of a stream. @returns null when the bot does not know it */
  async poll(id = this.#streams.at(-1)?.id ?? ''): Promise<{ text: string; isFinished: boolean } | null> {
    const { outcome, answer } = await this.#post(this.#request(pollOf(id)));
    if (outcome !== 'acknowledged') return null;
    const { content, finish } = fieldsOf(answer.stream);
    return { text: String(content ?? ''), isFinished: finish === true };
  }

  /** Requests for texts that are under way have their response. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Streams are not fetched any more. */
  endStreams(): void {
    for (const stream of this.#streams) stream.isOver = true;
    this.#conversations.closeStreams();
  }

  async forge(how: Forgery, text: string): Promise<Outcome[]> {
    const right = this.#request(text);
    const outcome = async (request: { query: Fields; body: string }) => (await this.#post(request)).outcome;
    const over = (fields: Fields) => outcome({ ...right, query: { ...right.query, ...fields } });
    const signature = String(right.query.msg_signature);
    switch (how) {
      case 'wrong_signature':
        return [
          await over({ msg_signature: signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
          await over({ nonce: 'another' }),
        ];
      case 'missing_signature':
        return Promise.all(['msg_signature', 'timestamp', 'nonce'].map((name) => over({ [name]: undefined })));
      case 'short_signature':
        return [await over({ msg_signature: signature.slice(0, -2) }), await over({ msg_signature: '' })];
      case 'of_another_bot': {
        const key = randomBytes(32).toString('base64').slice(0, 43);
        return [
          await outcome(this.#request(text, { token: 'another-token' })),
          await outcome(this.#request(text, { key })),
          await outcome(this.#request(text, { receiver: 'someone-else' })),
        ];
      }
      case 'too_old':
        return [await outcome(this.#request(text, { seconds: -301 }))];
      case 'from_the_future':
        return [await outcome(this.#request(text, { seconds: 400 }))];
      case 'replayed':
        return [await outcome(this.#last ?? right)];
      default:
        return [await this.#bomb()];
    }
  }

  /** A body that is compressed, which the platform never does. */
  async #bomb(): Promise<Outcome> {
    const { gzipSync } = await import('node:zlib');
    const { query } = this.#request('{}');
    const body = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const response = await fetch(this.#url(query), { method: 'POST', body, headers: { 'content-encoding': 'gzip' } });
    await response.arrayBuffer();
    return response.ok ? 'acknowledged' : 'refused';
  }

  #begin(stream: Fields, chat: FakeChat): void {
    const id = String(stream.id);
    if (this.#streams.some((one) => one.id === id)) return;
    const fetched: Fetched = { id, chat, begunAt: this.#now(), isOver: stream.finish === true };
    this.#streams.push(fetched);
    this.#conversations.showStream(chat, stream, false);
    void this.#follow(fetched);
  }

  /** Asks for the text until it is complete, for 6 minutes at most. */
  async #follow(stream: Fetched): Promise<void> {
    while (!stream.isOver && !this.isClosed && this.#now() - stream.begunAt < 360_000) {
      await new Promise((resolve) => setTimeout(resolve, this.#pollMs));
      if (this.isHeld() || stream.isOver || this.isClosed) continue;
      const fetching = this.#fetch(stream);
      this.#underWay.add(fetching);
      await fetching;
      this.#underWay.delete(fetching);
    }
  }

  async #fetch(stream: Fetched): Promise<void> {
    const { outcome, answer } = await this.#post(this.#request(pollOf(stream.id)));
    if (outcome !== 'acknowledged') return;
    const state = fieldsOf(answer.stream);
    if (answer.msgtype !== 'stream' || state.id !== stream.id) {
      this.#conversations.violations.push('a response that is not the stream asked for');
      return;
    }
    // What was on its way is shown, also if the stream ended meanwhile.
    stream.isOver ||= state.finish === true;
    this.#conversations.showStream(stream.chat, { ...state, finish: stream.isOver }, false);
  }

  #request(text: string, how: { token?: string; key?: string; receiver?: string; seconds?: number } = {}) {
    const { token = this.token, key = secrets.EncodingAESKey, receiver = '', seconds = 0 } = how;
    const timestamp = String(Math.floor(Date.now() / 1000) + seconds);
    const nonce = randomUUID();
    const encrypted = encrypt(key, text, receiver);
    const msg_signature = getSignature(token, timestamp, nonce, encrypted);
    return { query: { msg_signature, timestamp, nonce } as Fields, body: JSON.stringify({ encrypt: encrypted }) };
  }

  async #post(
    request: { query: Fields; body: string },
    isNoted = false,
  ): Promise<{ outcome: Outcome; answer: Fields }> {
    if (isNoted) this.#last = request;
    try {
      const init = { method: 'POST', body: request.body, signal: AbortSignal.timeout(patience) };
      const response = await fetch(this.#url(request.query), init);
      const text = await response.text();
      return {
        outcome: response.ok ? 'acknowledged' : 'refused',
        answer: response.ok ? this.#opened(text, request.query) : {},
      };
    } catch {
      return { outcome: 'none', answer: {} };
    }
  }

  #url(query: Fields): string {
    const entries = Object.entries(query).filter(([, value]) => value !== undefined);
    return `${this.address}?${new URLSearchParams(entries as [string, string][])}`;
  }

  /** The response, which is signed and encrypted if there is one. */
  #opened(text: string, request: Fields): Fields {
    if (text === '') return {};
    const { encrypt: encrypted, msgsignature, timestamp, nonce } = fieldsOf(JSON.parse(text));
    const expected = getSignature(this.token, String(timestamp), String(nonce), String(encrypted));
    if (msgsignature !== expected || typeof timestamp !== 'number' || nonce !== request.nonce) {
      this.#conversations.violations.push('a response that is not signed rightly');
      return {};
    }
    return fieldsOf(JSON.parse(decrypt(secrets.EncodingAESKey, String(encrypted)).message));
  }
}

function pollOf(id: string): string {
  return JSON.stringify({ msgid: randomUUID(), aibotid: 'bot', msgtype: 'stream', stream: { id } });
}
