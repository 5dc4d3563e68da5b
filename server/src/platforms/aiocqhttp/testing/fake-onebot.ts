import { setTimeout as delay } from 'node:timers/promises';
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
import type { WebSocket } from 'ws';
import { freePort } from '../../../../test/shared/free-port.ts';
import { ActionRefused, FakeAccount, type KeptMessage } from './fake-account.ts';
import { FakeEvents, frameOf } from './fake-events.ts';
import { FakeLink } from './fake-link.ts';
import { FaultPlan, isOnRoute } from './fault-plan.ts';
import { forgedFrames, forgedHandshakes, sampleFrames } from './forgeries.ts';

export interface FakeOneBotOptions {
  /**
   * Who connects to whom. `reverse`: the client to the bot's own port. `webhook`: the client to the bot's webhook URL.
   * `forward`: the bot to the client. Default: `reverse`.
   */
  mode?: 'reverse' | 'webhook' | 'forward';
  /** One socket for actions and one for events. Default: false. */
  separate?: boolean;
  /** Milliseconds. Default: 1000. */
  heartbeatMs?: number;
  /** QQ number of the bot. */
  account?: string;
}

const [friend, stranger, group] = ['10001', '10404', '20001'];
const chat = (session_type: FakeChat['session_type'], session_id: string): FakeChat => ({
  session_type,
  session_id,
  thread_id: '',
});

/** Starts a QQ client. It connects as soon as it can, and again after each loss, as clients do. */
export async function startFakeOneBot(options: FakeOneBotOptions = {}): Promise<FakeOneBot> {
  const fake = new FakeOneBot(options, await freePort());
  await fake.open();
  return fake;
}

export class FakeOneBot implements FakePlatform {
  readonly accountId: string;
  readonly userId = friend;
  readonly account: FakeAccount;
  readonly events: FakeEvents;
  readonly link: FakeLink;
  token = 'the-token-of-the-bot';
  readonly #options: Required<Omit<FakeOneBotOptions, 'account'>>;
  readonly #port: number;
  #url = '';
  #webhook: string | null = null;
  #clock = 0;
  readonly #faults = new FaultPlan();
  #backlog: string[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  #isRevoked = false;
  isOnline = true;

  constructor(options: FakeOneBotOptions, port: number) {
    const { mode = 'reverse', separate = false, heartbeatMs = 1000, account = '10000' } = options;
    this.accountId = account;
    this.#options = { mode, separate, heartbeatMs };
    this.#port = port;
    const now = () => this.now();
    this.account = new FakeAccount(this.accountId, { friends: [friend], groups: [group], now });
    this.events = new FakeEvents(this.account, now);
    this.link = new FakeLink({
      target: () => this.#target(),
      token: () => this.token,
      selfId: this.accountId,
      roles: separate ? ['API', 'Event'] : ['Universal'],
      onFrame: (text, socket) => void this.#onFrame(text, socket),
      onOpen: (socket, role) => this.#onOpen(socket, role),
      media: (name, response) => {
        const media = this.account.media.get(name);
        if (media === undefined || media.fault === 'gone') response.writeHead(404).end();
        else if (media.fault === 'forbidden') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
        else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(media.content);
      },
    });
    this.#heartbeat = setInterval(() => this.beat(), heartbeatMs);
  }

  async open(): Promise<void> {
    this.#url = `127.0.0.1:${await this.link.listen()}`;
    this.account.mediaUrl = `http://${this.#url}`;
    if (this.#options.mode !== 'forward') this.link.connectAll();
  }

  /** Sends a heartbeat. */
  beat(): void {
    this.link.send(JSON.stringify(this.events.heartbeat(this.#options.heartbeatMs, this.isOnline)));
  }

  config(): Record<string, unknown> {
    const common = { 'access-token': this.token, 'require-token': true };
    if (this.#options.mode === 'forward') return { ...common, connection: 'forward', url: `ws://${this.#url}` };
    return { ...common, connection: 'reverse', host: '127.0.0.1', port: this.#port };
  }

  otherConfig(): Record<string, unknown> {
    throw new NotOfThisPlatform('another account: a client has one');
  }

  enterAddress({ url }: FakeBotAddress): void {
    this.#webhook = url.replace(/^http/, 'ws');
  }

  person = (): FakeChat => chat('person', friend);
  group = (): FakeChat => chat('group', group);
  thread = (): null => null;
  unknownChat = (): FakeChat => chat('person', stranger);

  async deliver(message: FakeMessage): Promise<Delivered> {
    if (message.sender === 'another_bot') throw new NotOfThisPlatform('a mark of other bots');
    const senderId = message.sender === 'the_bot' ? this.accountId : friend;
    const segments = this.events.segmentsOf(message);
    const at = message.sent_at?.getTime() ?? this.now();
    const kept = this.account.keep({ chat: message.chat ?? this.person(), senderId, segments, at });
    const event = this.events.message(kept, message);
    const malformed = { message: { a: [1] }, sender: 7, time: 'yesterday', raw_message: null };
    return this.#push(kept, message.kind === 'malformed' ? { ...event, ...malformed } : event, message.depth);
  }

  async redeliver(
    id: string,
    { asOtherKind = false, overOther = false }: { asOtherKind?: boolean; overOther?: boolean } = {},
  ): Promise<Delivered> {
    if (asOtherKind) throw new NotOfThisPlatform('other kinds of events for a message');
    const kept = this.#kept(id);
    if (!overOther) return this.#push(kept, this.events.message(kept));
    if (this.#options.mode === 'forward') throw new NotOfThisPlatform('a second connection');
    const socket = await this.link.connectOnce(this.link.headers('Universal'));
    if (socket === null) throw new Error('The second connection was refused');
    this.link.send(JSON.stringify(this.events.message(kept)), socket);
    socket.close();
    return { id, outcome: 'none', milliseconds: 0 };
  }

  async recall(id: string): Promise<Delivered> {
    const kept = this.#kept(id);
    return this.#push(kept, this.events.recall(kept));
  }

  async addBot(): Promise<Delivered> {
    await this.#send(JSON.stringify(this.events.addedTo(group)));
    return { id: '', outcome: 'none', milliseconds: 0 };
  }

  async forge(how: Forgery): Promise<Delivered['outcome'][]> {
    const frames = forgedFrames(how, this.events.message(this.#example()));
    if (frames !== null) {
      await this.link.up();
      for (const frame of frames) await this.#send(frame);
      if (how === 'oversize') await this.link.replaced();
      return frames.map(() => 'none');
    }
    const handshakes = this.#options.mode === 'forward' ? null : forgedHandshakes(how, this.link.headers('Universal'));
    if (handshakes === null) throw new NotOfThisPlatform(how);
    const outcomes: Delivered['outcome'][] = [];
    for (const headers of handshakes) {
      const socket = await this.link.connectOnce(headers);
      socket?.terminate();
      outcomes.push(socket === null ? 'refused' : 'acknowledged');
    }
    return outcomes;
  }

  async raw(bytes: Uint8Array): Promise<Delivered['outcome']> {
    await this.#send(Buffer.from(bytes).toString());
    return 'none';
  }

  samples(): readonly Uint8Array[] {
    return sampleFrames(this.events, this.#example());
  }

  sent(): readonly ShownMessage[] {
    return this.account.shown;
  }

  calls(route: FakeRoute): number {
    return this.account.calls.filter((action) => isOnRoute(action, route)).length;
  }

  violations(): readonly string[] {
    return this.account.violations;
  }

  fail(route: FakeRoute, how: FakeFault, times = 1): void {
    if (how === 'unreachable') {
      if (route !== 'start' || this.#options.mode !== 'forward') {
        throw new NotOfThisPlatform('a call that cannot connect: all go over one connection');
      }
      this.link.unreachable = times;
      return;
    }
    if (route === 'start' && this.#options.mode !== 'forward') throw new NotOfThisPlatform('a call at the start');
    this.#faults.fail(route, how, times);
  }

  limit(limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void {
    this.#faults.limit(limit);
  }

  async goAway(): Promise<void> {
    this.link.setAway(true);
  }

  async comeBack(): Promise<void> {
    this.link.setAway(false);
  }

  halfOpen(): void {
    this.link.silence();
  }

  revoke(): void {
    if (this.#options.mode !== 'forward') throw new NotOfThisPlatform('refusing credentials: the bot verifies them');
    this.token = 'another token';
    this.#isRevoked = true;
    setTimeout(() => this.link.cut(), 50).unref();
  }

  connections(): { open: number; attempts: number } {
    return { open: this.link.open.size, attempts: this.link.attempts };
  }

  now(): number {
    return Date.now() + this.#clock;
  }

  advance(milliseconds: number): void {
    this.#clock += milliseconds;
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.link.close();
  }

  edit = () => impossible('edited messages');
  verifyAddress = () => impossible('verification of an address');
  failLater = () => impossible('late failures');
  stopAnswer = () => impossible('stopping an answer');
  pollStream = () => impossible('streams');
  askToReconnect = () => notHere('a request to connect again');
  forgetSessions = () => notHere('sessions');
  takeOver = () => notHere('taking over');
  expireToken = () => notHere('access tokens that expire');
  closeStream = () => notHere('streams');
  spendWindow = () => notHere('time windows');
  signIn = () => notHere('signing in');

  #target(): string | null {
    const { mode } = this.#options;
    if (mode === 'forward') return null;
    return mode === 'reverse' ? `ws://127.0.0.1:${this.#port}/ws` : this.#webhook && `${this.#webhook}/ws`;
  }

  #kept(id: string): KeptMessage {
    const kept = this.account.messages.get(Number(id));
    if (kept === undefined) throw new Error(`There is no message ${id}`);
    return kept;
  }

  #example(): KeptMessage {
    const segments = this.events.segmentsOf({ text: 'Hello', mention: 'account' });
    return this.account.keep({ chat: this.group(), senderId: friend, segments, at: this.now() });
  }

  async #push(kept: KeptMessage, event: Record<string, unknown>, depth?: number): Promise<Delivered> {
    await this.#send(frameOf(event, depth));
    return { id: String(kept.id), outcome: 'none', milliseconds: 0 };
  }

  /** Sends an event now, or when there is a connection again. */
  async #send(frame: string): Promise<void> {
    if (this.link.isUp) this.link.send(frame);
    else this.#backlog.push(frame);
  }

  #onOpen(socket: WebSocket, role: string): void {
    if (role === 'API' || role === 'extra') return;
    this.link.send(JSON.stringify(this.events.lifecycle()), socket);
    this.link.send(JSON.stringify(this.events.heartbeat(this.#options.heartbeatMs, this.isOnline)), socket);
    for (const frame of this.#backlog.splice(0)) this.link.send(frame, socket);
  }

  async #onFrame(text: string, socket: WebSocket): Promise<void> {
    const { action, params, echo } = JSON.parse(text) as Record<string, unknown>;
    const name = String(action);
    if (this.link.open.get(socket) === 'Event') this.account.violations.push(`${name} on the socket for events`);
    const { fault, refusal } = this.#faults.next(name);
    if (this.#isRevoked) {
      this.link.send(JSON.stringify({ status: 'failed', retcode: 1403, data: null, echo }), socket);
      socket.close(1008);
      return;
    }
    const respond = (response: object) => this.link.send(JSON.stringify({ ...response, echo }), socket);
    if (refusal !== null) {
      this.account.calls.push(name);
      return respond({ status: 'failed', data: null, ...refusal });
    }
    const response = this.#run(name, params as Record<string, unknown>);
    // The next turn, as a client does not answer at once.
    await delay(1);
    if (fault === 'silence') return;
    if (fault === 'cut') return socket.terminate();
    if (fault === 'wrong_body') return this.link.send('<html>Bad gateway</html>', socket);
    respond(response);
  }

  #run(action: string, params: Record<string, unknown>): object {
    try {
      return { status: 'ok', retcode: 0, data: this.account.run(action, params), message: '' };
    } catch (error) {
      if (!(error instanceof ActionRefused)) throw error;
      return { status: 'failed', retcode: error.retcode, data: null, message: error.message, wording: error.message };
    }
  }
}

function impossible(what: string): Promise<never> {
  return Promise.reject(new NotOfThisPlatform(what));
}

function notHere(what: string): never {
  throw new NotOfThisPlatform(what);
}
