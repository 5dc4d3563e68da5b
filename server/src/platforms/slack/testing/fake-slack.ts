import {
  type Delivered,
  type FakeBotAddress,
  type FakeChat,
  type FakeFault,
  type FakeMedia,
  type FakeMessage,
  type FakePause,
  type FakePlatform,
  type FakeRoute,
  type Forgery,
  NotOfThisPlatform,
  type ShownMessage,
} from '@parley/sdk/testing';
import { FakeDelivery } from './fake-delivery.ts';
import { bodiesOf, callbackOf, eventOf, textOf } from './fake-events.ts';
import { ids, type KeptMessage } from './fake-messages.ts';
import { FakeServer, isOnRoute } from './fake-server.ts';
import { FakeWorkspace } from './fake-workspace.ts';

type Outcome = Delivered['outcome'];

/** Starts a Slack with one workspace and one app. */
export async function startFakeSlack(
  mode: 'webhook' | 'socket' = 'webhook',
  account: string = ids.bot,
): Promise<FakeSlack> {
  const fake = new FakeSlack(mode, account);
  await fake.server.listen();
  return fake;
}

export class FakeSlack implements FakePlatform {
  readonly accountId: string;
  readonly userId = ids.user;
  readonly workspace: FakeWorkspace;
  readonly server: FakeServer;
  readonly #isSocket: boolean;
  readonly #events: FakeDelivery;
  #clock = 0;
  readonly #thread: string;
  readonly tamper?: Required<FakePlatform>['tamper'];

  constructor(mode: 'webhook' | 'socket', account: string) {
    this.accountId = account;
    this.#isSocket = mode === 'socket';
    this.workspace = new FakeWorkspace(() => this.now(), account);
    this.server = new FakeServer(this.workspace);
    this.#events = new FakeDelivery(this.server, this.#isSocket);
    this.#thread = this.workspace.nextTs();
    if (!this.#isSocket) this.tamper = (change) => this.#tampered(change);
  }

  config(): Record<string, unknown> {
    const { botToken, appToken } = this.server;
    const common = { bot_token: botToken, api_base_url: `${this.workspace.url}/api`, 'enable-stream-reply': true };
    if (this.#isSocket) return { ...common, app_token: appToken };
    return { ...common, signing_secret: this.#events.signingSecret };
  }

  otherConfig(): Record<string, unknown> {
    throw new NotOfThisPlatform('another app');
  }

  enterAddress({ url }: FakeBotAddress): void {
    this.#events.address = url;
  }

  secrets(): readonly string[] {
    return [this.server.botToken, this.server.appToken, this.#events.signingSecret];
  }

  person = (): FakeChat => ({ session_type: 'person', session_id: ids.user, thread_id: '' });
  group = (): FakeChat => ({ session_type: 'group', session_id: ids.channel, thread_id: '' });
  thread = (): FakeChat => ({ ...this.group(), thread_id: this.#thread });
  unknownChat = (): FakeChat => ({ session_type: 'person', session_id: 'U0NOBODY', thread_id: '' });

  async deliver(message: FakeMessage): Promise<Delivered> {
    if (message.quotes !== undefined) throw new NotOfThisPlatform('quotes');
    if (message.depth !== undefined) throw new NotOfThisPlatform('messages in messages');
    const chat = message.chat ?? this.person();
    const kept = this.workspace.keep(
      {
        channel: chat.session_type === 'person' ? ids.direct : chat.session_id,
        user: message.sender === 'the_bot' ? this.accountId : ids.user,
        text: textOf(message, this.accountId),
        thread_ts: chat.thread_id || null,
        files: (message.media ?? []).map((media) => this.#fileOf(media)),
      },
      message.sent_at?.getTime(),
    );
    return this.#delivered(kept, eventOf(kept, message));
  }

  async redeliver(id: string, { asOtherKind = false }: { asOtherKind?: boolean } = {}): Promise<Delivered> {
    const kept = this.#kept(id);
    if (asOtherKind && kept.channel === ids.direct) throw new NotOfThisPlatform('mentions in direct messages');
    const event = eventOf(kept);
    return this.#delivered(kept, asOtherKind ? { ...event, type: 'app_mention', channel_type: undefined } : event, 1);
  }

  async edit(id: string, text: string): Promise<Delivered> {
    const kept = this.#kept(id);
    const message = { ...eventOf({ ...kept, text }), edited: { user: ids.user, ts: this.workspace.nextTs() } };
    const changed = { type: 'message', subtype: 'message_changed', channel: kept.channel, ts: this.workspace.nextTs() };
    const channel_type = kept.channel === ids.direct ? 'im' : 'channel';
    return this.#delivered(kept, { ...changed, channel_type, message, previous_message: eventOf(kept) });
  }

  async recall(id: string): Promise<Delivered> {
    const kept = this.#kept(id);
    const deleted = { type: 'message', subtype: 'message_deleted', channel: kept.channel, deleted_ts: kept.ts };
    return this.#delivered(kept, { ...deleted, ts: this.workspace.nextTs() });
  }

  async addBot(): Promise<Delivered> {
    const event = {
      type: 'member_joined_channel',
      user: this.accountId,
      channel: ids.channel,
      event_ts: this.workspace.nextTs(),
    };
    return { id: '', milliseconds: 0, outcome: await this.#events.push(event) };
  }

  async forge(how: Forgery): Promise<Outcome[]> {
    const bodies = bodiesOf(how);
    if (bodies !== null) return Promise.all(bodies.map((body) => this.raw(Buffer.from(body))));
    if (this.#isSocket) throw new NotOfThisPlatform('requests to the bot');
    const kept = this.workspace.keep({
      channel: ids.direct,
      user: ids.user,
      text: 'Hello',
      thread_ts: null,
      files: [],
    });
    const body = Buffer.from(JSON.stringify(callbackOf(eventOf(kept))));
    return this.#events.forge(how, body);
  }

  async verifyAddress(how: 'right' | 'wrong' = 'right'): Promise<boolean> {
    if (this.#isSocket) throw new NotOfThisPlatform('an address');
    const body = Buffer.from(JSON.stringify({ type: 'url_verification', challenge: 'the challenge', token: 'x' }));
    const headers = this.#events.signed(body, how === 'right' ? this.#events.signingSecret : 'another-secret');
    const response = await fetch(this.#events.address, { method: 'POST', headers, body });
    return response.status === 200 && (await response.text()) === 'the challenge';
  }

  async raw(bytes: Uint8Array): Promise<Outcome> {
    if (!this.#isSocket) return this.#events.request(bytes, this.#events.signed(bytes));
    this.server.audible?.send(Buffer.from(bytes).toString());
    return 'none';
  }

  samples(): readonly Uint8Array[] {
    const kept = this.workspace.keep({
      channel: ids.channel,
      user: ids.user,
      text: `<@${this.accountId}> Hello`,
      thread_ts: null,
      files: [],
    });
    const event = eventOf(kept);
    const events = [event, { ...event, type: 'app_mention' }, { type: 'member_joined_channel', user: this.accountId }];
    const wrap = (one: object) =>
      this.#isSocket ? { type: 'events_api', envelope_id: 'e', payload: callbackOf(one) } : callbackOf(one);
    return events.map((one) => Buffer.from(JSON.stringify(wrap(one))));
  }

  sent(): readonly ShownMessage[] {
    return this.workspace.shown();
  }

  calls(route: FakeRoute): number {
    return this.workspace.calls.filter((method) => isOnRoute(method, route)).length;
  }

  violations(): readonly string[] {
    return this.workspace.violations;
  }

  fail(route: FakeRoute, how: FakeFault, times = 1): void {
    this.server.fail(route, how, times);
  }

  limit(limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void {
    this.server.limit(limit);
  }

  goAway = () => this.server.close();
  comeBack = () => this.server.listen();

  halfOpen(): void {
    if (!this.#isSocket) throw new NotOfThisPlatform('connections');
    this.server.silence();
  }

  askToReconnect(): void {
    if (!this.#isSocket) throw new NotOfThisPlatform('connections');
    this.server.audible?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
  }

  revoke(): void {
    this.server.botToken = 'xoxb-another-token';
    this.server.appToken = 'xapp-another-token';
    for (const socket of this.server.open) socket.close(1000);
  }

  connections(): { open: number; attempts: number } {
    return { open: this.server.open.size, attempts: this.server.attempts };
  }

  now(): number {
    return Date.now() + this.#clock;
  }

  advance(milliseconds: number): void {
    this.#clock += milliseconds;
  }

  close = () => this.server.close();
  failLater = () => Promise.reject(new NotOfThisPlatform('late failures'));
  pollStream = () => Promise.reject(new NotOfThisPlatform('pull streams'));
  forgetSessions = () => notHere('sessions');
  takeOver = () => notHere('taking over');
  expireToken = () => notHere('access tokens that expire');
  spendWindow = () => notHere('time windows');
  signIn = () => notHere('signing in');

  async stopAnswer(messageId: string): Promise<void> {
    if (!this.sent().some(({ id, isUnfinished }) => id === messageId && isUnfinished))
      notHere('stopping an edited message');
    this.workspace.endStreams('stopped_by_user', messageId);
  }

  closeStream(): void {
    if (!this.sent().some(({ isUnfinished }) => isUnfinished)) notHere('closing an edited message');
    this.workspace.endStreams(null);
  }

  async #tampered(change: (body: Uint8Array) => Uint8Array): Promise<Outcome> {
    const kept = this.workspace.keep({ channel: ids.direct, user: ids.user, text: 'Hi', thread_ts: null, files: [] });
    const body = Buffer.from(JSON.stringify(callbackOf(eventOf(kept))));
    return this.#events.request(change(body), this.#events.signed(body));
  }

  #fileOf(media: FakeMedia): object {
    const id = `F0${this.workspace.media.size + 1}`;
    this.workspace.media.set(id, media);
    const host = media.fault === 'private_address' ? 'http://10.255.255.1' : this.workspace.url;
    const types = { image: 'image/png', voice: 'audio/ogg', file: 'application/pdf' };
    const size = media.fault === 'wrong_type' ? 1 : media.content.length;
    return { id, name: media.name, mimetype: types[media.kind], size, url_private: `${host}/media/${id}` };
  }

  #kept(id: string): KeptMessage {
    const kept = this.workspace.messages.get(id);
    if (kept === undefined) throw new Error(`There is no message ${id}`);
    return kept;
  }

  async #delivered(kept: KeptMessage, event: object, retry = 0): Promise<Delivered> {
    const began = performance.now();
    const outcome = await this.#events.push(event, retry);
    return { id: kept.ts, outcome, milliseconds: performance.now() - began };
  }
}

function notHere(what: string): never {
  throw new NotOfThisPlatform(what);
}
