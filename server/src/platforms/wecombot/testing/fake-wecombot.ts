import { once } from 'node:events';
import {
  type Delivered,
  type FakeBotAddress,
  type FakeChat,
  type FakeFault,
  type FakeMedia,
  type FakeMessage,
  type FakePlatform,
  type FakeRoute,
  type Forgery,
  NotOfThisPlatform,
  type ShownMessage,
} from '@parley/sdk/testing';
import { FakeCallbacks, secrets } from './fake-callbacks.ts';
import { FakeConversations, ids } from './fake-conversations.ts';
import { FakeMessages, robotName } from './fake-messages.ts';
import { type Account, FakeServer } from './fake-server.ts';
import { FaultPlan, type RateLimit } from './fault-plan.ts';

type Outcome = Delivered['outcome'];
type Fields = Record<string, unknown>;

/** Longest frame that bots take, bytes. */
const longestFrame = 16_777_216;

export interface FakeWecomBotOptions {
  mode?: 'socket' | 'webhook';
  /** Id of the bot. */
  account?: string;
  /** Between two requests for the text of a stream, milliseconds. Default 8; the platform itself takes about a second. */
  pollMs?: number;
}

/** Starts a WeCom with two bots, of which the first is used. */
export async function startFakeWecomBot(options: FakeWecomBotOptions = {}): Promise<FakeWecomBot> {
  const fake = new FakeWecomBot(options);
  await fake.server.listen();
  return fake;
}

export class FakeWecomBot implements FakePlatform {
  readonly userId = ids.user;
  readonly conversations: FakeConversations;
  readonly server: FakeServer;
  readonly callbacks: FakeCallbacks;
  readonly tamper?: Required<FakePlatform>['tamper'];
  readonly #accounts: [Account, Account];
  readonly #plan = new FaultPlan();
  readonly #isWebhook: boolean;
  readonly #messages: FakeMessages;
  /** What waits for a connection. */
  #waiting: (() => void)[] = [];
  #clock = 0;

  constructor({ mode = 'socket', account = 'aibParrot', pollMs = 8 }: FakeWecomBotOptions) {
    this.#isWebhook = mode === 'webhook';
    this.#accounts = [
      { BotId: account, Secret: `secret-of-${account}` },
      { BotId: `${account}-other`, Secret: 'secret-of-the-other' },
    ];
    const now = () => this.now();
    this.conversations = new FakeConversations(now);
    this.server = new FakeServer(this.conversations, { plan: this.#plan, accounts: this.#accounts, now });
    this.server.onReady = () => this.#flush();
    this.callbacks = new FakeCallbacks(this.conversations, now, pollMs);
    this.#messages = new FakeMessages({
      conversations: this.conversations,
      server: this.server,
      now,
      account,
      isWebhook: this.#isWebhook,
    });
    // A send that is to fail goes to the address for replies, so the stream before it is not fetched.
    this.callbacks.isHeld = () => this.server.isAway || this.#plan.hasPlanFor('send');
    if (this.#isWebhook) {
      this.tamper = (change) =>
        this.callbacks.tamper(JSON.stringify(this.#messages.write({ text: 'Changed' }).body), change);
    }
  }

  get accountId(): string {
    return this.#accounts[0].BotId;
  }

  config(): Record<string, unknown> {
    const { BotId, Secret } = this.#accounts[0];
    const modes = { 'enable-webhook': this.#isWebhook, 'enable-stream-reply': true };
    const common = { BotId, robot_name: robotName, ...modes };
    const { url } = this.server;
    if (!this.#isWebhook) return { ...common, Secret, websocket_url: url.replace('http', 'ws') };
    return { ...common, ...secrets, api_base_url: url };
  }

  otherConfig(): Record<string, unknown> {
    return { ...this.config(), ...this.#accounts[1] };
  }

  enterAddress({ url }: FakeBotAddress): void {
    this.callbacks.address = url;
  }

  secrets(): readonly string[] {
    return [this.#accounts[0].Secret, secrets.Token, secrets.EncodingAESKey];
  }

  person = (): FakeChat => ({ session_type: 'person', session_id: ids.user, thread_id: '' });
  group = (): FakeChat => ({ session_type: 'group', session_id: ids.group, thread_id: '' });
  thread = (): null => null;
  unknownChat = (): FakeChat => ({ session_type: 'person', session_id: 'nobody', thread_id: '' });

  async deliver(message: FakeMessage): Promise<Delivered> {
    const { id, body, chat } = this.#messages.write(message);
    return this.#delivered(id, body, chat);
  }

  async redeliver(
    id: string,
    { asOtherKind = false, overOther = false }: { asOtherKind?: boolean; overOther?: boolean } = {},
  ): Promise<Delivered> {
    if (asOtherKind) throw new NotOfThisPlatform('two kinds of event for a message');
    if (overOther) throw new NotOfThisPlatform('several connections of a bot');
    const known = this.#messages.known.get(id);
    if (known === undefined) throw new Error(`There is no message ${id}`);
    return this.#delivered(id, known.body, known.chat);
  }

  async addBot(): Promise<Delivered> {
    const body = this.#messages.event({ eventtype: 'enter_chat' });
    return this.#delivered(String(body.msgid), body, this.person());
  }

  /** A user judges an answer. @param type 1 for a like, 2 for a dislike, 3 to take it back */
  async judge(id: string, type: 1 | 2 | 3, content = ''): Promise<Delivered> {
    const feedback_event = { id, type, content, inaccurate_reason_list: type === 2 ? [2, 4] : [] };
    const body = this.#messages.event({ eventtype: 'feedback_event', feedback_event });
    return this.#delivered(String(body.msgid), body, this.person());
  }

  async forge(how: Forgery): Promise<Outcome[]> {
    const bodies = unreadable(how);
    if (bodies !== null) return Promise.all(bodies.map((body) => this.raw(Buffer.from(body))));
    if (!this.#isWebhook) throw new NotOfThisPlatform(how);
    return this.callbacks.forge(how, JSON.stringify(this.#messages.write({ text: 'Forged' }).body));
  }

  async verifyAddress(how: 'right' | 'wrong' = 'right'): Promise<boolean> {
    if (!this.#isWebhook) throw new NotOfThisPlatform('an address');
    return this.callbacks.verifyAddress(how);
  }

  async raw(bytes: Uint8Array): Promise<Outcome> {
    const text = Buffer.from(bytes).toString();
    if (this.#isWebhook) return this.callbacks.raw(text);
    await this.#connected();
    const socket = this.server.linkOf(this.#accounts[0])?.socket;
    socket?.send(text);
    // A bot ends a connection over which too much comes.
    if (socket !== undefined && bytes.length > longestFrame) await once(socket, 'close');
    return 'none';
  }

  samples(): readonly Uint8Array[] {
    const picture: FakeMedia = { kind: 'image', name: 'cat.png', content: Buffer.from('content') };
    const bodies = [
      this.#messages.write({ text: 'A sample', mention: 'account', chat: this.group(), quotes: 'gone' }).body,
      this.#messages.write({ text: 'A sample', media: [picture, picture] }).body,
      this.#messages.write({ media: [{ ...picture, kind: 'file' }] }).body,
      this.#messages.event({ eventtype: 'enter_chat' }),
      this.#messages.event({ eventtype: 'feedback_event', feedback_event: { id: 'stream message', type: 2 } }),
      ...(this.#isWebhook ? [{ msgid: 'sample', msgtype: 'stream', stream: { id: 'unknown' } }] : []),
    ];
    const frames = this.#isWebhook ? bodies : bodies.map((body) => frameOf(body, 'sample'));
    return frames.map((frame) => Buffer.from(JSON.stringify(frame)));
  }

  sent = (): readonly ShownMessage[] => this.conversations.shown;
  calls = (route: FakeRoute): number => this.#plan.calls(route);
  violations = (): readonly string[] => this.conversations.violations;
  fail = (route: FakeRoute, how: FakeFault, times = 1): void => this.#plan.fail(route, how, times);
  limit = (limit: RateLimit): void => this.#plan.limit(limit);
  /** The next calls are answered with a code. */
  answerWith = (errcode: number, times = 1): void => this.#plan.answer(errcode, times);
  goAway = (): Promise<void> => this.server.close();

  async comeBack(): Promise<void> {
    await this.server.listen();
    if (this.#isWebhook) this.#flush();
  }

  halfOpen(): void {
    for (const link of this.server.links) link.isMuted = true;
  }

  takeOver(): void {
    const link = this.server.linkOf(this.#accounts[0]);
    if (link !== null) this.server.end(link, this.conversations.newId('event'));
  }

  revoke(): void {
    this.#accounts[0].Secret = 'another-secret';
    this.callbacks.token = 'another-token';
    this.server.dismiss();
  }

  connections(): { open: number; attempts: number } {
    return { open: this.server.links.size, attempts: this.server.attempts };
  }

  closeStream = (): void => (this.#isWebhook ? this.callbacks.endStreams() : this.conversations.closeStreams());
  settled = (): Promise<void> => this.callbacks.settled();
  pollStream = (id?: string) => (this.#isWebhook ? this.callbacks.poll(id) : notHere('streams that are fetched'));

  spendWindow(messageId: string): void {
    this.conversations.forget(messageId);
    this.callbacks.endStreams();
    this.server.spendReply(String(this.#messages.known.get(messageId)?.body.response_url));
  }

  now = (): number => Date.now() + this.#clock;

  advance(milliseconds: number): void {
    this.#clock += milliseconds;
  }

  async close(): Promise<void> {
    this.callbacks.close();
    this.#flush();
    await this.server.close();
  }

  edit = () => Promise.reject(new NotOfThisPlatform('edits'));
  recall = () => Promise.reject(new NotOfThisPlatform('recalled messages'));
  failLater = () => Promise.reject(new NotOfThisPlatform('late failures'));
  stopAnswer = () => Promise.reject(new NotOfThisPlatform('stopping an answer'));
  askToReconnect = () => notHere('asking to connect again');
  forgetSessions = () => notHere('sessions');
  expireToken = () => notHere('access tokens');
  signIn = () => notHere('signing in');

  async #delivered(id: string, body: Fields, chat: FakeChat): Promise<Delivered> {
    await this.#connected();
    const began = performance.now();
    const outcome = this.#isWebhook ? await this.callbacks.deliver(body, chat) : this.#push(id, body, chat);
    return { id, outcome, milliseconds: performance.now() - began };
  }

  /** Frames are not acknowledged by bots. */
  #push(id: string, body: Fields, chat: FakeChat): Outcome {
    const reqId = this.conversations.newId('req');
    this.conversations.ask({ id, chat, reqId, at: this.now() });
    this.server.linkOf(this.#accounts[0])?.socket.send(JSON.stringify(frameOf(body, reqId)));
    return 'none';
  }

  /** Resolves when something can be delivered. */
  async #connected(): Promise<void> {
    const isThere = () => (this.#isWebhook ? !this.server.isAway : this.server.linkOf(this.#accounts[0]) !== null);
    while (!isThere() && !this.callbacks.isClosed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #flush(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function frameOf(body: Fields, reqId: string): object {
  const cmd = body.msgtype === 'event' ? 'aibot_event_callback' : 'aibot_msg_callback';
  return { cmd, headers: { req_id: reqId }, body };
}

/** Bodies that cannot be read; null for another forgery. */
function unreadable(how: Forgery): string[] | null {
  if (how === 'malformed') return ['{', 'null', '[]', '{"msgtype":7}', '{"cmd":"aibot_msg_callback","body":7}'];
  if (how === 'deep') return [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `{"quote":${'['.repeat(1000)}`];
  return how === 'oversize' ? [`"${'a'.repeat(17 * 1024 * 1024)}"`] : null;
}

function notHere(what: string): never {
  throw new NotOfThisPlatform(what);
}
