import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { readQuestion } from '../faults/answer-text.ts';
import { type EvaluatedQuestion, present, type RecordedSend, type VisibleMessage } from '../faults/record.ts';
import { targetHeader } from './balancer.ts';
import { endOf, stayConnected } from './stay-connected.ts';
import type { GroupRecord, UserGroup } from './user-group.ts';

/** Pause before another attempt to connect, milliseconds. */
const retryMs = 1000;
const heartbeatMs = 5000;
/** Longest wait for the answer to a handshake, milliseconds. */
const handshakeMs = 15_000;
/** Shortest and longest time that an action takes, milliseconds. */
const latency = [5, 30] as const;

interface Action {
  action: string;
  params: { user_id?: number; message?: { type: string; data: { text?: string } }[] };
  echo: unknown;
}

export interface OneBotTarget {
  /** Of the webhook of the bot, starts with `ws://`. */
  url: string;
  token: string;
}

/**
 * A QQ client that connects to the webhook of its bot, again and again. As OneBot has it, nothing confirms an event: what is
 * written to a process just before its end may be lost. Users only write while it is connected.
 * @see https://github.com/botuniverse/onebot-11
 */
export class OneBotUsers implements UserGroup {
  readonly name: string;
  readonly #target: OneBotTarget;
  readonly #selfId = '10000';
  readonly #questions: (EvaluatedQuestion & { process: number })[] = [];
  readonly #sends: RecordedSend[] = [];
  readonly #visible: VisibleMessage[] = [];
  #waiting: { chat: number; text: string }[] = [];
  #socket: WebSocket | null = null;
  #process = 0;
  /** Since when it has been as it is. */
  #since = present();
  /** How the last connection ended. */
  #lastEnd = '';
  #lastMessage = 1000;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  constructor(name: string, target: OneBotTarget) {
    this.name = name;
    this.#target = target;
    this.#running = stayConnected(() => this.#connect(), { pauseMs: retryMs, signal: this.#closing.signal });
  }

  ask(chat: number, text: string): void {
    this.#waiting.push({ chat, text });
    this.#write();
  }

  isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  waitsFor(): string[] {
    if (this.isIdle()) return [];
    const state = this.#socket === null ? 'no socket' : 'an open socket';
    const end = this.#lastEnd === '' ? 'the first one' : `the last one: ${this.#lastEnd}`;
    return [`${state} for ${Math.round((present() - this.#since) / 1000)} s; ${end}`];
  }

  async record(...[hasArrived, onTheWire]: Parameters<UserGroup['record']>): Promise<GroupRecord> {
    const questions = this.#questions.filter(({ id, at, process }) => hasArrived(id) || !onTheWire(process, at));
    return { questions, sends: this.#sends, visible: this.#visible };
  }

  faults(): Record<string, number> {
    return {};
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#socket?.terminate();
    await this.#running;
  }

  /** Resolves when the connection has ended. */
  async #connect(): Promise<void> {
    const headers = {
      authorization: `Bearer ${this.#target.token}`,
      'x-self-id': this.#selfId,
      'x-client-role': 'Universal',
    };
    const socket = new WebSocket(this.#target.url, { headers, handshakeTimeout: handshakeMs });
    socket.on('error', (error) => {
      this.#lastEnd = error.message;
    });
    socket.on('close', (code) => {
      if (code !== 1006) this.#lastEnd = `code ${code}`;
    });
    this.#since = present();
    socket.on('upgrade', (response) => {
      this.#process = Number(response.headers[targetHeader]);
    });
    const beat = () => this.#event({ post_type: 'meta_event', meta_event_type: 'heartbeat', interval: heartbeatMs });
    let beating: NodeJS.Timeout | undefined;
    socket.on('open', () => {
      this.#socket = socket;
      this.#since = present();
      this.#event({ post_type: 'meta_event', meta_event_type: 'lifecycle', sub_type: 'connect' });
      beating = setInterval(beat, heartbeatMs);
      this.#write();
    });
    socket.on('message', (data) => void this.#act(JSON.parse(String(data)) as Action, socket));
    await endOf(socket);
    clearInterval(beating);
    if (this.#socket === socket) this.#socket = null;
    socket.terminate();
  }

  #event(event: object): void {
    const common = { time: Math.floor(Date.now() / 1000), self_id: Number(this.#selfId) };
    this.#socket?.send(JSON.stringify({ ...common, ...event }));
  }

  #write(): void {
    // One that ends has no `close` event yet.
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const { chat, text } of this.#waiting.splice(0)) {
      this.#lastMessage += 1;
      const question = readQuestion(text);
      if (question !== null) {
        const at = present();
        const more = { bot: this.name, chat, at, confirmedAt: at, handedOut: 1, process: this.#process };
        this.#questions.push({ ...question, ...more });
      }
      this.#event({
        post_type: 'message',
        message_type: 'private',
        sub_type: 'friend',
        message_id: this.#lastMessage,
        user_id: chat,
        message: [{ type: 'text', data: { text } }],
        raw_message: text,
        font: 14,
        sender: { user_id: chat, nickname: `User ${chat}` },
      });
    }
  }

  async #act({ action, params, echo }: Action, socket: WebSocket): Promise<void> {
    const sender = this.#process;
    const reply = (data: unknown) => {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify({ status: 'ok', retcode: 0, data, echo }));
      return true;
    };
    if (action === 'get_login_info') return void reply({ user_id: Number(this.#selfId), nickname: 'Parrot' });
    if (action !== 'send_private_msg') return void reply({ app_name: 'fake', protocol_version: 'v11' });
    const text = (params.message ?? []).map(({ data }) => data.text ?? '').join('');
    const receivedAt = present();
    await delay(latency[0] + Math.random() * (latency[1] - latency[0]));
    this.#lastMessage += 1;
    const [chat, messageId] = [Number(params.user_id), this.#lastMessage];
    const made = { bot: this.name, chat, messageId };
    this.#visible.push({ ...made, text, sentAt: present() });
    const questions = [...new Set([...text.matchAll(/Begin (q\d+) part/g)].map(([, id]) => String(id)))];
    const send: RecordedSend = {
      ...made,
      questions,
      method: 'sendMessage',
      receivedAt,
      appliedAt: present(),
      answeredAt: null,
      status: 0,
      retryAfter: null,
      process: sender,
    };
    this.#sends.push(send);
    if (reply({ message_id: messageId })) Object.assign(send, { answeredAt: present(), status: 200 });
  }
}
