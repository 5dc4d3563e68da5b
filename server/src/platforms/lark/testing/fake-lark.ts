import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type Delivered,
  type FakeBotAddress,
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
import { WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../../../../test/shared/free-port.ts';
import { FakeApi } from './fake-api.ts';
import { FakeChats } from './fake-chats.ts';
import { type EventNames, encrypted, event, messageEvent, names, signed } from './fake-events.ts';
import { type FakeFrame, readFrame, writeFrame } from './fake-frames.ts';

export interface FakeLarkOptions {
  /** How events are delivered. Default: `socket`. */
  mode?: 'socket' | 'webhook';
  /** Configuration over the fake's own. */
  config?: Record<string, unknown>;
  /** How long the platform waits for an acknowledgement, milliseconds. */
  patienceMs?: number;
  /** Id of the bot. */
  account?: string;
}

const encryptKey = 'the encrypt key of the fake';
const otherKey = 'the key of another bot';

/** A fake of Lark's open platform: its API, long connection, webhooks and accounts. */
export class FakeLark implements FakePlatform {
  /** Only requests are signed. */
  readonly tamper?: Required<FakePlatform>['tamper'];
  readonly accountId: string;
  readonly userId = 'ou_ada';
  readonly chats = new FakeChats(() => this.now());
  readonly api: FakeApi;
  readonly #options: Required<FakeLarkOptions>;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #silent = new WeakSet<WebSocket>();
  readonly #open = new Set<Socket>();
  readonly #events = new Map<string, Record<string, unknown>>();
  readonly #waiting: string[] = [];
  readonly #acknowledgements = new Map<string, (code: number) => void>();
  #server: Server;
  #port = 0;
  #attempts = 0;
  #address = '';
  #ahead = 0;
  #isAway = false;
  #hasSentRaw = false;
  #last: { body: Buffer; headers: Record<string, string> } | null = null;

  private constructor(options: FakeLarkOptions) {
    this.#options = { mode: 'socket', config: {}, patienceMs: 3000, account: 'ou_thebot', ...options };
    this.accountId = this.#options.account;
    this.api = new FakeApi({ chats: this.chats, botId: this.accountId, userId: this.userId, now: () => this.now() });
    this.#server = this.#createServer();
    if (this.#options.mode === 'webhook') this.tamper = (change) => this.#tamper(change);
  }

  static async start(options: FakeLarkOptions = {}): Promise<FakeLark> {
    const fake = new FakeLark(options);
    await fake.#listen(await freePort());
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  config(): Record<string, unknown> {
    return {
      app_id: this.api.appId,
      app_secret: this.api.appSecret,
      bot_name: names.botName,
      api_base_url: this.url,
      accounts_base_url: this.url,
      'enable-stream-reply': true,
      ...(this.#options.mode === 'webhook' ? { 'enable-webhook': true, 'encrypt-key': encryptKey } : {}),
      ...this.#options.config,
    };
  }

  otherConfig(): Record<string, unknown> {
    return { ...this.config(), app_id: this.api.otherAppId };
  }

  enterAddress({ url }: FakeBotAddress): void {
    this.#address = url;
  }

  secrets(): readonly string[] {
    return [...this.api.tokens, encryptKey];
  }

  person(): FakeChat {
    return { session_type: 'person', session_id: this.userId, thread_id: '' };
  }

  group(): FakeChat {
    return { session_type: 'group', session_id: names.chat, thread_id: '' };
  }

  thread(): FakeChat {
    return { session_type: 'group', session_id: names.chat, thread_id: names.thread };
  }

  unknownChat(): FakeChat {
    return { session_type: 'group', session_id: 'oc_nowhere', thread_id: '' };
  }

  async deliver(message: FakeMessage): Promise<Delivered> {
    if (message.mention === 'role') throw new NotOfThisPlatform('mentions of roles');
    const { chat = this.person(), media = [] } = message;
    const id = this.chats.newId('om');
    const keys = media.map((file) => this.api.addUserFile(id, file));
    const made = messageEvent(id, { ...message, chat }, chat.session_type === 'person', { ...this.#names(), keys });
    this.#events.set(id, made);
    const { message_type, content } = (made.event as { message: Record<string, string> }).message;
    this.api.addUserMessage(id, { msg_type: message_type ?? '', content: content ?? '' }, chat);
    return this.#deliver(id, made);
  }

  redeliver(id: string, how: { asOtherKind?: boolean; overOther?: boolean } = {}): Promise<Delivered> {
    if (how.asOtherKind) throw new NotOfThisPlatform('two kinds of event for one message');
    if (how.overOther) throw new NotOfThisPlatform('two connections of one bot');
    return this.#deliver(id, this.#events.get(id) ?? {});
  }

  edit(): Promise<Delivered> {
    throw new NotOfThisPlatform('events of edited messages');
  }

  recall(id: string): Promise<Delivered> {
    const content = {
      message_id: id,
      chat_id: names.chat,
      recall_time: String(this.now()),
      recall_type: 'message_owner',
    };
    return this.#deliver(id, event('im.message.recalled_v1', content, this.#names()));
  }

  addBot(): Promise<Delivered> {
    const content = { chat_id: names.chat, operator_id: { open_id: this.userId }, name: 'Team' };
    return this.#deliver(this.chats.newId('om'), event('im.chat.member.bot.added_v1', content, this.#names()));
  }

  /** The ticket of an app of the store, which comes every hour. */
  sendTicket(): Promise<Delivered> {
    const content = { app_id: this.api.appId, app_ticket: this.api.newTicket(), type: 'app_ticket' };
    return this.#deliver(this.chats.newId('ticket'), {
      uuid: this.chats.newId('ev'),
      type: 'event_callback',
      event: content,
    });
  }

  async forge(how: Forgery): Promise<Delivered['outcome'][]> {
    const content = messageEvent(this.chats.newId('om'), { text: 'Forged' }, true, this.#names());
    if (this.#options.mode === 'socket') return [await this.#forgeFrame(how)];
    const body = encrypted(content, how === 'of_another_bot' ? otherKey : encryptKey);
    const right = signed(body, encryptKey, Date.now());
    const signature = String(right['x-lark-signature']);
    const at = (offset: number) => this.#post(body, signed(body, encryptKey, Date.now() + offset));
    switch (how) {
      case 'wrong_signature':
        return [
          await this.#post(body, {
            ...right,
            'x-lark-signature': signature.replace(/^./, (first) => (first === '0' ? '1' : '0')),
          }),
        ];
      case 'short_signature':
        return [await this.#post(body, { ...right, 'x-lark-signature': signature.slice(0, 8) })];
      case 'missing_signature':
        return Promise.all(
          ['x-lark-signature', 'x-lark-request-timestamp', 'x-lark-request-nonce'].map((name) => {
            const { [name]: _, ...others } = right;
            return this.#post(body, others);
          }),
        );
      case 'of_another_bot':
        return [await this.#post(body, signed(body, otherKey, Date.now()))];
      case 'too_old':
        return [await at(-9 * 3_600_000)];
      case 'from_the_future':
        return [await at(3_600_000)];
      case 'replayed': {
        if (this.#last === null) throw new Error('Nothing was delivered that could be replayed');
        return [await this.#post(this.#last.body, this.#last.headers)];
      }
      case 'malformed':
        return [await this.raw(Buffer.from('{"encrypt":')), await this.raw(encrypted('{"header":', encryptKey))];
      case 'oversize':
        return [await this.raw(Buffer.alloc(12 * 1024 * 1024, 32))];
      case 'deep':
        return [await this.raw(encrypted(`${'['.repeat(5000)}${']'.repeat(5000)}`, encryptKey))];
      case 'compressed_bomb':
        throw new NotOfThisPlatform('compressed requests');
    }
  }

  async #forgeFrame(how: Forgery): Promise<Delivered['outcome']> {
    const json = (text: string) => this.raw(writeFrame(this.#frame(Buffer.from(text), this.chats.newId('frame'))));
    switch (how) {
      case 'malformed':
        await this.raw(Buffer.from([255, 255, 255, 1, 2]));
        return json('{"header":');
      case 'deep':
        return json(`${'['.repeat(5000)}${']'.repeat(5000)}`);
      case 'oversize':
        return json(JSON.stringify('x'.repeat(9 * 1024 * 1024)));
      default:
        throw new NotOfThisPlatform(`signatures on the long connection (${how})`);
    }
  }

  async verifyAddress(how: 'right' | 'wrong' = 'right'): Promise<boolean> {
    if (this.#options.mode === 'socket') throw new NotOfThisPlatform('a webhook address');
    const challenge = this.chats.newId('challenge');
    const body = encrypted(
      { challenge, token: 'token', type: 'url_verification' },
      how === 'right' ? encryptKey : otherKey,
    );
    const response = await fetch(this.#address, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const answer = (await response.json().catch(() => null)) as { challenge?: string } | null;
    return response.status === 200 && answer?.challenge === challenge;
  }

  async raw(bytes: Uint8Array): Promise<Delivered['outcome']> {
    if (this.#options.mode === 'webhook') return this.#post(bytes, signed(bytes, encryptKey, Date.now()));
    const [socket] = this.#sockets.clients;
    this.#hasSentRaw = true;
    socket?.send(bytes);
    return 'none';
  }

  async #tamper(change: (body: Uint8Array) => Uint8Array): Promise<Delivered['outcome']> {
    const body = encrypted(messageEvent(this.chats.newId('om'), { text: 'Changed' }, true, this.#names()), encryptKey);
    return this.#post(change(body), signed(body, encryptKey, Date.now()));
  }

  samples(): readonly Uint8Array[] {
    const made = [
      messageEvent('om_sample', { text: 'Hello', mention: 'account', chat: this.group() }, false, this.#names()),
      event('im.message.recalled_v1', { message_id: 'om_sample' }, this.#names()),
      event('im.chat.member.bot.added_v1', { chat_id: names.chat }, this.#names()),
    ].map((value) => Buffer.from(JSON.stringify(value)));
    if (this.#options.mode === 'socket')
      return made.map((bytes, index) => writeFrame(this.#frame(bytes, `sample${index}`)));
    return made.map((bytes) => encrypted(bytes.toString(), encryptKey));
  }

  sent(): readonly ShownMessage[] {
    return this.chats.shown();
  }

  calls(route: FakeRoute): number {
    return this.api.calls(route);
  }

  handOut(): void {
    if (this.#options.mode === 'webhook') throw new NotOfThisPlatform('addresses to connect to');
    this.api.socketAddress = 'ws://10.0.0.1:9';
  }

  violations(): readonly string[] {
    return this.api.violations;
  }

  fail(route: FakeRoute, how: FakeFault, times = 1): void {
    if (how === 'unreachable') throw new NotOfThisPlatform('single calls that cannot connect');
    this.api.fail(route, how, times);
  }

  limit(limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void {
    this.api.limit(limit);
  }

  failLater(): Promise<void> {
    throw new NotOfThisPlatform('failures that are reported later');
  }

  async goAway(): Promise<void> {
    this.#isAway = true;
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async comeBack(): Promise<void> {
    this.#isAway = false;
    this.#server = this.#createServer();
    await this.#listen(this.#port);
    if (this.#options.mode === 'webhook') await this.#deliverWaiting();
  }

  halfOpen(): void {
    if (this.#options.mode === 'webhook') throw new NotOfThisPlatform('connections to the platform');
    for (const socket of this.#sockets.clients) this.#silent.add(socket);
  }

  askToReconnect(): void {
    throw new NotOfThisPlatform('requests to connect again');
  }

  forgetSessions(): void {
    throw new NotOfThisPlatform('sessions that are resumed');
  }

  takeOver(): void {
    throw new NotOfThisPlatform('a second connection that ends the first');
  }

  revoke(): void {
    this.api.revoke();
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  expireToken(): void {
    this.api.expireToken();
  }

  connections(): { open: number; attempts: number } {
    return { open: this.#sockets.clients.size, attempts: this.#attempts };
  }

  stopAnswer(): Promise<void> {
    throw new NotOfThisPlatform('a button that stops the answer');
  }

  closeStream(): void {
    this.chats.closeCards();
  }

  pollStream(): Promise<null> {
    throw new NotOfThisPlatform('streams that the platform polls');
  }

  spendWindow(): void {
    throw new NotOfThisPlatform('time windows for answers');
  }

  signIn(step: 'scan' | 'confirm' | 'refuse' | 'expire' | 'slow_down'): void {
    this.api.signIn(step);
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    for (const socket of this.#open) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #names(): EventNames {
    const { accountId: botId, userId } = this;
    return {
      appId: this.api.appId,
      botId,
      userId,
      now: this.now(),
      keys: [],
      newId: (prefix) => this.chats.newId(prefix),
    };
  }

  async #deliver(id: string, value: Record<string, unknown>): Promise<Delivered> {
    const began = performance.now();
    if (this.#isAway) {
      this.#waiting.push(id);
      return { id, outcome: 'none', milliseconds: 0 };
    }
    const outcome = await (this.#options.mode === 'webhook' ? this.#postEvent(value) : this.#push(value));
    // What was not acknowledged comes again, on the next connection at the latest.
    if (outcome === 'none' && this.#options.mode === 'socket' && this.#events.has(id)) this.#waiting.push(id);
    return { id, outcome, milliseconds: performance.now() - began };
  }

  async #deliverWaiting(): Promise<void> {
    for (const id of this.#waiting.splice(0)) await this.#deliver(id, this.#events.get(id) ?? {});
  }

  #postEvent(value: unknown): Promise<Delivered['outcome']> {
    const body = encrypted(value, encryptKey);
    const headers = signed(body, encryptKey, Date.now());
    this.#last = { body, headers };
    return this.#post(body, headers);
  }

  async #post(body: Uint8Array, headers: Record<string, string>): Promise<Delivered['outcome']> {
    try {
      const signal = AbortSignal.timeout(this.#options.patienceMs);
      const { status } = await fetch(this.#address, { method: 'POST', body: Buffer.from(body), headers, signal });
      return status === 200 ? 'acknowledged' : 'refused';
    } catch {
      return 'none';
    }
  }

  /** Large events come in several frames. */
  async #push(value: unknown): Promise<Delivered['outcome']> {
    const socket = [...this.#sockets.clients].find(
      (one) => !this.#silent.has(one) && one.readyState === WebSocket.OPEN,
    );
    if (socket === undefined) return 'none';
    const payload = Buffer.from(JSON.stringify(value));
    const id = this.chats.newId('frame');
    const acknowledged = new Promise<number>((resolve) => this.#acknowledgements.set(id, resolve));
    const half = Math.ceil(payload.length / 2);
    for (const [index, part] of [payload.subarray(0, half), payload.subarray(half)].entries()) {
      socket.send(writeFrame(this.#frame(part, id, { sum: '2', seq: String(index) })));
    }
    const timer = Promise.withResolvers<number>();
    const timeout = setTimeout(() => timer.resolve(0), this.#options.patienceMs);
    const code = await Promise.race([acknowledged, timer.promise, once(socket, 'close').then(() => 0)]);
    clearTimeout(timeout);
    this.#acknowledgements.delete(id);
    if (code === 0) return 'none';
    return code === 200 ? 'acknowledged' : 'refused';
  }

  #frame(payload: Uint8Array, id: string, part = { sum: '1', seq: '0' }) {
    return { method: 1, service: 33, headers: { type: 'event', message_id: id, trace_id: 'trace', ...part }, payload };
  }

  #createServer(): Server {
    const server = createServer((request, response) => void this.#respond(request, response));
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    server.on('upgrade', (request, socket, head) => {
      const { searchParams } = new URL(request.url ?? '/', this.url);
      if (!this.api.takeTicket(searchParams.get('device_id') ?? '')) return socket.destroy();
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#onSocket(opened));
    });
    return server;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/callback/ws/endpoint')) this.#attempts += 1;
    await this.api.respond(request, response, this.url);
  }

  #onSocket(socket: WebSocket): void {
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      if (this.#silent.has(socket)) return;
      const frame = this.#frameOf(data);
      if (frame === null) return;
      if (frame.method === 0 && frame.headers.type === 'ping') {
        const payload = Buffer.from(JSON.stringify({ PingInterval: 1 }));
        return socket.send(writeFrame({ method: 0, service: frame.service, headers: { type: 'pong' }, payload }));
      }
      const { code } = JSON.parse(Buffer.from(frame.payload).toString()) as { code: number };
      this.#acknowledgements.get(frame.headers.message_id ?? '')?.(code);
    });
    // The vendor's answers to frames of websockets themselves stop, too.
    socket.on('ping', () => undefined);
    void this.#deliverWaiting();
  }

  /** Null for a frame that cannot be read, as an acknowledgement of a mutated one may be. */
  #frameOf(data: Buffer): FakeFrame | null {
    try {
      return readFrame(data);
    } catch (error) {
      if (!this.#hasSentRaw) this.api.violations.push(`unreadable frame: ${String(error)}`);
      return null;
    }
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    // Always so for a server that listens on a port.
    this.#port = (this.#server.address() as AddressInfo).port;
  }
}
