import { WebSocket } from 'ws';
import { readQuestion } from '../faults/answer-text.ts';
import { type EvaluatedQuestion, present, type RecordedSend } from '../faults/record.ts';
import type { Caller } from '../lib/program.ts';
import { endOf, stayConnected } from './stay-connected.ts';
import type { GroupRecord, UserGroup } from './user-group.ts';

const retryMs = 300;
/** Pause before a message that could not be stored is sent again, milliseconds. */
const resendMs = 1000;
/** Longest wait for the answer to a handshake, milliseconds. */
const handshakeMs = 15_000;

/** A message of the web chat. */
interface ChatMessage {
  id: number;
  role: 'user' | 'assistant';
  content: string;
  is_final: boolean;
  message_id?: string;
  is_failed?: boolean;
}

interface Frame {
  type: string;
  data?: ChatMessage;
  message_id?: string;
}

export interface ChatTarget {
  /** Of the balancer, `http://127.0.0.1:5300`. */
  address: string;
  pipeline: string;
  key: string;
  api: Caller;
}

/** One user with a socket, who connects again after each loss, and then reads what was said meanwhile. */
class ChatUser {
  readonly #chat: number;
  readonly #target: ChatTarget;
  /** Written and not confirmed, oldest first. As in the console, one is sent at a time, and again after each loss. */
  readonly #unconfirmed = new Map<string, string>();
  /** Finished messages that this socket received. */
  #received = new Set<number>();
  #socket: WebSocket | null = null;
  #count = 0;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly questions: EvaluatedQuestion[] = [];
  readonly sends: RecordedSend[] = [];
  /** Finished answers that were shown, by their number. */
  readonly seen = new Map<number, string>();
  /** Finished messages that one socket received twice. */
  repeated = 0;
  /** How often it was connected. */
  connections = 0;

  constructor(chat: number, target: ChatTarget) {
    this.#chat = chat;
    this.#target = target;
    this.#running = stayConnected(() => this.#connect(), { pauseMs: retryMs, signal: this.#closing.signal });
  }

  get isIdle(): boolean {
    return this.#unconfirmed.size === 0;
  }

  get conversation(): string {
    return `chat-${this.#chat}`;
  }

  ask(text: string, bot: string): void {
    this.#count += 1;
    const id = `${bot}-${this.#chat}-${this.#count}`;
    const question = readQuestion(text);
    if (question !== null) {
      this.questions.push({ ...question, bot, chat: this.#chat, at: present(), confirmedAt: null, handedOut: 1 });
    }
    this.#unconfirmed.set(id, text);
    if (this.#unconfirmed.size === 1) this.#write();
  }

  /** Whether a socket of the user is open. */
  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** Ends the socket, so that the next one may be at another process. */
  move(): void {
    this.#socket?.close();
  }

  /** Reads what was said while the socket was away. */
  async readHistory(): Promise<ChatMessage[]> {
    const { pipeline, api } = this.#target;
    const path = `/api/v1/pipelines/${pipeline}/ws/messages/person?conversation=${this.conversation}`;
    const { messages } = (await api.call('GET', path)) as { messages: ChatMessage[] };
    return messages;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#socket?.terminate();
    await this.#running;
  }

  async #connect(): Promise<void> {
    const { address, pipeline, key } = this.#target;
    const query = `session_type=person&conversation=${this.conversation}`;
    const url = `${address.replace('http', 'ws')}/api/v1/pipelines/${pipeline}/ws/connect?${query}`;
    const socket = new WebSocket(url, { headers: { 'x-api-key': key }, handshakeTimeout: handshakeMs });
    this.#received = new Set();
    socket.on('message', (data) => this.#read(JSON.parse(String(data)) as Frame, socket));
    await endOf(socket);
    if (this.#socket === socket) this.#socket = null;
    socket.terminate();
  }

  #read(frame: Frame, socket: WebSocket): void {
    const { type, data } = frame;
    if (type === 'connected') {
      this.#socket = socket;
      this.connections += 1;
      this.#write();
      this.readHistory().then(
        (messages) => {
          for (const message of messages) this.#show(message);
        },
        () => socket.close(),
      );
    }
    if (type === 'error' && frame.message_id !== undefined) this.#writeAgain(frame.message_id);
    if (type === 'user_message' && data?.message_id !== undefined && this.#unconfirmed.delete(data.message_id)) {
      this.#write();
    }
    if (type !== 'response' || data === undefined || !data.is_final) return;
    if (this.#received.has(data.id)) this.repeated += 1;
    this.#received.add(data.id);
    this.#show(data);
  }

  #show({ id, role, content, is_final }: ChatMessage): void {
    if (role === 'assistant' && is_final) this.seen.set(id, content);
  }

  /** Sends the oldest message that is not confirmed. */
  #write(): void {
    const [oldest] = this.#unconfirmed;
    if (oldest === undefined) return;
    const [message_id, text] = oldest;
    this.#socket?.send(JSON.stringify({ type: 'message', message_id, message: [{ type: 'Plain', text }] }));
  }

  /** As a person does who reads that it could not be stored. */
  #writeAgain(id: string): void {
    setTimeout(() => {
      if (this.#unconfirmed.keys().next().value === id) this.#write();
    }, resendMs).unref();
  }

  /** What it waits for, as one sentence; null when it waits for nothing. */
  get waitsFor(): string | null {
    const [oldest] = this.#unconfirmed;
    if (oldest === undefined) return null;
    return `${oldest[0]} is not confirmed, ${this.#socket === null ? 'without a socket' : 'on an open socket'}`;
  }
}

/** Users of the web chat, each with a conversation and a socket of its own. */
export class ChatUsers implements UserGroup {
  readonly name: string;
  readonly pipeline: string;
  readonly #users = new Map<number, ChatUser>();
  #missed = 0;

  constructor(name: string, chats: readonly number[], target: ChatTarget) {
    this.name = name;
    this.pipeline = target.pipeline;
    for (const chat of chats) this.#users.set(chat, new ChatUser(chat, target));
  }

  ask(chat: number, text: string): void {
    this.#users.get(chat)?.ask(text, this.name);
  }

  isIdle(): boolean {
    return [...this.#users.values()].every(({ isIdle }) => isIdle);
  }

  waitsFor(): string[] {
    return [...this.#users.values()].flatMap(({ waitsFor }) => waitsFor ?? []);
  }

  /** Moves the sockets of some users. @param share of them, from 0 to 1 */
  move(share: number): void {
    for (const user of this.#users.values()) if (Math.random() < share) user.move();
  }

  get conversations(): string[] {
    return [...this.#users.values()].map(({ conversation }) => conversation);
  }

  /** How often sockets were opened. */
  get connections(): number {
    return [...this.#users.values()].reduce((sum, { connections }) => sum + connections, 0);
  }

  get areConnected(): boolean {
    return [...this.#users.values()].every(({ isConnected }) => isConnected);
  }

  async record(): Promise<GroupRecord> {
    const record: GroupRecord = { questions: [], sends: [], visible: [] };
    this.#missed = 0;
    for (const [chat, user] of this.#users) {
      record.questions.push(...user.questions);
      for (const { id, role, content } of await user.readHistory()) {
        if (role !== 'assistant') continue;
        record.visible.push({ bot: this.name, chat, messageId: id, text: content, sentAt: 0 });
        // What the user saw is what is stored.
        if (user.seen.get(id) !== content) this.#missed += 1;
      }
    }
    return record;
  }

  faults(): Record<string, number> {
    const repeated_frames = [...this.#users.values()].reduce((sum, { repeated }) => sum + repeated, 0);
    return { repeated_frames, missed: this.#missed };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#users.values()].map((user) => user.close()));
  }
}
