import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Delivered,
  type FakeChat,
  type FakeFault,
  type FakeMessage,
  type FakePause,
  type FakePlatform,
  type FakeRoute,
  type Forgery,
  NotOfThisPlatform,
  type ShownMessage,
} from '@parley/sdk/testing';
import { freePort } from '../../../../test/shared/free-port.ts';
import { FakeApi } from './fake-api.ts';
import { FakeChats } from './fake-chats.ts';
import { FakeConnections } from './fake-connections.ts';
import { messageData } from './fake-messages.ts';

export interface FakeDingTalkOptions {
  /** Whether messages come with a session webhook, or without (`api`). Default: `session`. */
  mode?: 'session' | 'api';
  /** How long the platform waits for an acknowledgement, milliseconds. */
  patienceMs?: number;
  /** Client ID of the app, which is the code of its robot. */
  account?: string;
}

const group = 'cidTeam==';
/** How long answers with a session webhook are taken, milliseconds. */
const sessionMs = 5_400_000;

/** A fake of DingTalk: both hosts of its API, and stream connections. */
export class FakeDingTalk implements FakePlatform {
  readonly userId = 'user_ada';
  readonly chats: FakeChats;
  readonly api: FakeApi;
  readonly #options: Required<FakeDingTalkOptions>;
  readonly stream: FakeConnections;
  readonly #open = new Set<Socket>();
  readonly #events = new Map<string, Record<string, unknown>>();
  readonly #texts = new Map<string, string>();
  #waiting: string[] = [];
  #server: Server;
  #port = 0;
  #attempts = 0;
  #ahead = 0;

  private constructor(options: FakeDingTalkOptions) {
    this.#options = { mode: 'session', patienceMs: 1000, account: 'dingrobot0123456789', ...options };
    this.chats = new FakeChats(() => this.now(), { groups: [group], users: [this.userId] });
    this.api = new FakeApi(this.#options.account, this.chats);
    this.stream = new FakeConnections({
      patienceMs: this.#options.patienceMs,
      now: () => this.now(),
      opened: () => void this.#deliverWaiting(),
      violated: (what) => void this.api.violations.push(what),
    });
    this.#server = this.#createServer();
  }

  static async start(options: FakeDingTalkOptions = {}): Promise<FakeDingTalk> {
    const fake = new FakeDingTalk(options);
    await fake.#listen(await freePort());
    return fake;
  }

  get accountId(): string {
    return this.#options.account;
  }

  config(): Record<string, unknown> {
    return {
      client_id: this.api.appId,
      client_secret: this.api.appSecret,
      robot_code: this.accountId,
      robot_name: 'Parley',
      'enable-stream-reply': true,
      card_template_id: this.api.templateId,
      card_update_ms: 100,
      api_base_url: this.api.url,
      oapi_base_url: this.api.url,
    };
  }

  otherConfig(): Record<string, unknown> {
    return { client_id: this.api.otherAppId, robot_code: this.api.otherAppId };
  }

  secrets(): readonly string[] {
    return [...this.api.tokens, ...this.chats.sessions.keys()];
  }

  person = (): FakeChat => ({ session_type: 'person', session_id: this.userId, thread_id: '' });
  group = (): FakeChat => ({ session_type: 'group', session_id: group, thread_id: '' });
  thread = (): null => null;
  unknownChat = (): FakeChat => ({ session_type: 'person', session_id: 'user_nobody', thread_id: '' });

  async deliver(message: FakeMessage): Promise<Delivered> {
    const id = this.chats.newId('msg');
    this.#events.set(id, this.data(id, message));
    this.#texts.set(id, message.text ?? 'Hello');
    return this.#deliver(id);
  }

  /** The data of a message, as it is in a frame. */
  data(id: string, message: FakeMessage): Record<string, unknown> {
    const { chat = this.person(), media = [], quotes } = message;
    const codes = media.map((file) => this.api.addUserFile(file));
    const isOfBot = this.sent().some((shown) => shown.id === quotes);
    const quoted = quotes === undefined ? null : { id: quotes, isOfBot, text: this.#texts.get(quotes) ?? '' };
    const webhook = this.#options.mode === 'api' ? null : this.#newSession(chat);
    const { userId, accountId: robotCode } = this;
    return messageData(message, { id, chat, userId, robotCode, codes, webhook, quoted, now: this.now() });
  }

  #newSession(chat: FakeChat): { url: string; until: number } {
    const session = crypto.randomUUID().replaceAll('-', '');
    const until = this.now() + sessionMs;
    this.chats.sessions.set(session, { chat, until });
    return { url: `${this.api.url}/robot/sendBySession?session=${session}`, until };
  }

  async redeliver(id: string, { asOtherKind = false, overOther = false } = {}): Promise<Delivered> {
    if (asOtherKind) throw new NotOfThisPlatform('two kinds of event for one message');
    if (overOther) {
      const before = this.stream.audible;
      this.askToReconnect();
      while (this.stream.audible === undefined || this.stream.audible === before) await delay(2);
    }
    return this.#deliver(id);
  }

  async forge(how: Forgery): Promise<Delivered['outcome'][]> {
    const frame = (data: string) => this.raw(Buffer.from(JSON.stringify(this.stream.frame('CALLBACK', data))));
    switch (how) {
      case 'malformed':
        await this.raw(Buffer.from('{"type":'));
        return [await this.raw(Buffer.from('[]')), await frame('{"msgId":')];
      case 'deep':
        return [await frame(`${'['.repeat(5000)}${']'.repeat(5000)}`)];
      case 'oversize':
        return [await frame(JSON.stringify('x'.repeat(9 * 1024 * 1024)))];
      default:
        throw new NotOfThisPlatform(`signatures on a connection (${how})`);
    }
  }

  async raw(bytes: Uint8Array): Promise<Delivered['outcome']> {
    this.stream.audible?.send(Buffer.from(bytes).toString());
    return 'none';
  }

  samples(): readonly Uint8Array[] {
    const picture = { kind: 'image' as const, name: 'cat.png', content: new Uint8Array([1]) };
    const file = { ...picture, kind: 'file' as const, name: 'list.txt' };
    const messages: FakeMessage[] = [
      { text: 'Hello', mention: 'account', chat: this.group(), quotes: 'another' },
      { text: 'Look', media: [picture] },
      { media: [file] },
      { depth: 3 },
    ];
    const frames = messages.map((message, index) =>
      this.stream.frame('CALLBACK', JSON.stringify(this.data(`sample${index}`, message))),
    );
    return [...frames, this.stream.ping()].map((one) => Buffer.from(JSON.stringify(one)));
  }

  sent = (): readonly ShownMessage[] => this.chats.shown();
  calls = (route: FakeRoute): number => this.api.calls(route);
  violations = (): readonly string[] => this.api.violations;

  handOut(): void {
    this.api.socketAddress = 'ws://10.0.0.1:9';
  }

  fail(route: FakeRoute, how: FakeFault, times = 1): void {
    this.api.fail(route, how, times);
  }

  limit(limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void {
    this.api.limit(limit);
  }

  async goAway(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async comeBack(): Promise<void> {
    this.#server = this.#createServer();
    await this.#listen(this.#port);
  }

  halfOpen(): void {
    this.stream.silence();
  }

  askToReconnect(): void {
    const data = JSON.stringify({ reason: 'the connection is balanced' });
    this.stream.audible?.send(JSON.stringify(this.stream.frame('SYSTEM', data, 'disconnect')));
  }

  revoke(): void {
    this.api.isRevoked = true;
    this.api.expireTokens();
    this.stream.terminate();
  }

  expireToken(): void {
    this.api.expireTokens();
  }

  connections(): { open: number; attempts: number } {
    return { open: this.stream.open, attempts: this.#attempts };
  }

  closeStream(): void {
    this.chats.closeCards();
  }

  /** The session webhooks of all messages end. */
  spendWindow(): void {
    for (const session of this.chats.sessions.values()) session.until = 0;
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  async close(): Promise<void> {
    this.stream.terminate();
    for (const socket of this.#open) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  enterAddress = () => undefined;
  edit = () => Promise.reject(new NotOfThisPlatform('events of edited messages'));
  recall = () => Promise.reject(new NotOfThisPlatform('events of recalled messages'));
  addBot = () => Promise.reject(new NotOfThisPlatform('events of new groups'));
  verifyAddress = () => Promise.reject(new NotOfThisPlatform('a webhook address'));
  failLater = () => Promise.reject(new NotOfThisPlatform('failures that are reported later'));
  stopAnswer = () => Promise.reject(new NotOfThisPlatform('a button that stops the answer'));
  pollStream = () => Promise.reject(new NotOfThisPlatform('streams that the platform polls'));
  forgetSessions = () => notHere('sessions that are resumed');
  takeOver = () => notHere('a second connection that ends the first');
  signIn = () => notHere('signing in');

  async #deliver(id: string): Promise<Delivered> {
    const began = performance.now();
    const isAcknowledged = await this.stream.push(this.#events.get(id) ?? {});
    // What was not acknowledged comes again, on the next connection at the latest.
    if (!isAcknowledged) this.#waiting.push(id);
    return { id, outcome: isAcknowledged ? 'acknowledged' : 'none', milliseconds: performance.now() - began };
  }

  async #deliverWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const id of waiting) await this.#deliver(id);
  }

  #createServer(): Server {
    const server = createServer((request, response) => {
      if (request.url === '/v1.0/gateway/connections/open') this.#attempts += 1;
      void this.api.respond(request, response);
    });
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    server.on('upgrade', (request, socket, head) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', this.api.url);
      const app = this.api.takeTicket(searchParams.get('ticket') ?? '');
      if (pathname !== '/connect' || app === null) return socket.destroy();
      // Messages are to the robot of the first app.
      this.stream.accept(request, socket, head, app !== this.api.appId);
    });
    return server;
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    // Always so for a server that listens on a port.
    this.#port = (this.#server.address() as AddressInfo).port;
    this.api.url = `http://127.0.0.1:${this.#port}`;
  }
}

function notHere(what: string): never {
  throw new NotOfThisPlatform(what);
}
