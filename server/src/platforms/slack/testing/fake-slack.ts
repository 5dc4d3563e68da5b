import { createHmac } from 'node:crypto';
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
import { ids, type KeptMessage } from './fake-messages.ts';
import { FakeServer, isOnRoute } from './fake-server.ts';
import { FakeWorkspace } from './fake-workspace.ts';

type Outcome = Delivered['outcome'];

/** Time for an acknowledgement, milliseconds. */
const patience = 1000;

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
  signingSecret = 'the-signing-secret';
  readonly #isSocket: boolean;
  #address = '';
  #clock = 0;
  #waiting: object[] = [];
  readonly #acknowledgements = new Map<string, () => void>();
  #envelopes = 0;
  /** The last request with an event. */
  #last: [body: Uint8Array, headers: Record<string, string>] | null = null;
  readonly #thread: string;
  readonly tamper?: Required<FakePlatform>['tamper'];

  constructor(mode: 'webhook' | 'socket', account: string) {
    this.accountId = account;
    this.#isSocket = mode === 'socket';
    this.workspace = new FakeWorkspace(() => this.now(), account);
    this.server = new FakeServer(this.workspace);
    this.#thread = this.workspace.nextTs();
    if (!this.#isSocket) this.tamper = (change) => this.#tampered(change);
    this.server.onFrame = (text) => {
      const { envelope_id } = JSON.parse(text) as { envelope_id?: string };
      this.#acknowledgements.get(envelope_id ?? '')?.();
    };
    this.server.onOpen = () => {
      for (const event of this.#waiting.splice(0)) void this.#push(event);
    };
  }

  config(): Record<string, unknown> {
    const { botToken, appToken } = this.server;
    const common = { bot_token: botToken, api_base_url: `${this.workspace.url}/api`, 'enable-stream-reply': true };
    if (this.#isSocket) return { ...common, app_token: appToken };
    return { ...common, signing_secret: this.signingSecret };
  }

  otherConfig(): Record<string, unknown> {
    throw new NotOfThisPlatform('another app');
  }

  enterAddress({ url }: FakeBotAddress): void {
    this.#address = url;
  }

  secrets(): readonly string[] {
    return [this.server.botToken, this.server.appToken, this.signingSecret];
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
    return this.#delivered(kept, this.eventOf(kept, message));
  }

  async redeliver(id: string, { asOtherKind = false }: { asOtherKind?: boolean } = {}): Promise<Delivered> {
    const kept = this.#kept(id);
    if (asOtherKind && kept.channel === ids.direct) throw new NotOfThisPlatform('mentions in direct messages');
    const event = this.eventOf(kept);
    return this.#delivered(kept, asOtherKind ? { ...event, type: 'app_mention', channel_type: undefined } : event, 1);
  }

  async edit(id: string, text: string): Promise<Delivered> {
    const kept = this.#kept(id);
    const message = { ...this.eventOf({ ...kept, text }), edited: { user: ids.user, ts: this.workspace.nextTs() } };
    const changed = { type: 'message', subtype: 'message_changed', channel: kept.channel, ts: this.workspace.nextTs() };
    const channel_type = kept.channel === ids.direct ? 'im' : 'channel';
    return this.#delivered(kept, { ...changed, channel_type, message, previous_message: this.eventOf(kept) });
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
    return { id: '', milliseconds: 0, outcome: await this.#push(event) };
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
    const body = Buffer.from(JSON.stringify(callbackOf(this.eventOf(kept))));
    const right = this.#signed(body);
    const signature = right['x-slack-signature'] ?? '';
    const { 'x-slack-signature': _, ...unsigned } = right;
    const { 'x-slack-request-timestamp': __, ...undated } = right;
    const aged = (seconds: number) => this.#signed(body, this.signingSecret, seconds);
    switch (how) {
      case 'wrong_signature':
        return [
          await this.#request(body, {
            ...right,
            'x-slack-signature': signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          }),
        ];
      case 'missing_signature':
        return [await this.#request(body, unsigned), await this.#request(body, undated)];
      case 'short_signature':
        return [await this.#request(body, { ...right, 'x-slack-signature': signature.slice(0, -2) })];
      case 'of_another_bot':
        return [await this.#request(body, this.#signed(body, 'another-secret'))];
      case 'too_old':
        return [await this.#request(body, aged(-301))];
      case 'from_the_future':
        return [await this.#request(body, aged(301))];
      case 'replayed':
        return [this.#last === null ? await this.#request(body, right) : await this.#request(...this.#last)];
      default:
        throw new NotOfThisPlatform(how);
    }
  }

  async verifyAddress(how: 'right' | 'wrong' = 'right'): Promise<boolean> {
    if (this.#isSocket) throw new NotOfThisPlatform('an address');
    const body = Buffer.from(JSON.stringify({ type: 'url_verification', challenge: 'the challenge', token: 'x' }));
    const headers = this.#signed(body, how === 'right' ? this.signingSecret : 'another-secret');
    const response = await fetch(this.#address, { method: 'POST', headers, body });
    return response.status === 200 && (await response.text()) === 'the challenge';
  }

  async raw(bytes: Uint8Array): Promise<Outcome> {
    if (!this.#isSocket) return this.#request(bytes, this.#signed(bytes));
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
    const event = this.eventOf(kept);
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

  /** An event of a message. */
  eventOf(kept: KeptMessage, { kind, sender }: FakeMessage = {}): Record<string, unknown> {
    const isDirect = kept.channel === ids.direct;
    return {
      type: 'message',
      ...(kept.files.length === 0 ? {} : { subtype: 'file_share', files: kept.files }),
      ...(sender === 'another_bot' ? { bot_id: 'B0OTHER', subtype: 'bot_message' } : {}),
      client_msg_id: kept.client_msg_id,
      user: kind === 'malformed' ? { id: 7 } : kept.user,
      text: kind === 'malformed' ? ['Hello'] : kept.text,
      ...(kind === 'unknown' ? { text: '', blocks: [{ type: 'hologram' }] } : {}),
      channel: kept.channel,
      channel_type: isDirect ? 'im' : 'channel',
      ts: kept.ts,
      event_ts: kept.ts,
      ...(kept.thread_ts === null ? {} : { thread_ts: kept.thread_ts, parent_user_id: ids.other }),
    };
  }

  async #tampered(change: (body: Uint8Array) => Uint8Array): Promise<Outcome> {
    const kept = this.workspace.keep({ channel: ids.direct, user: ids.user, text: 'Hi', thread_ts: null, files: [] });
    const body = Buffer.from(JSON.stringify(callbackOf(this.eventOf(kept))));
    return this.#request(change(body), this.#signed(body));
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
    const outcome = await this.#push(event, retry);
    return { id: kept.ts, outcome, milliseconds: performance.now() - began };
  }

  async #push(event: object, retry = 0): Promise<Outcome> {
    if (this.#isSocket) return this.#pushFrame(event);
    const body = Buffer.from(JSON.stringify(callbackOf(event)));
    const marks: Record<string, string> =
      retry === 0 ? {} : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'timeout' };
    const headers = { ...this.#signed(body), ...marks };
    this.#last = [body, headers];
    return this.#request(body, headers);
  }

  async #pushFrame(event: object): Promise<Outcome> {
    const socket = this.server.audible;
    if (socket === null) {
      this.#waiting.push(event);
      return 'none';
    }
    this.#envelopes += 1;
    const envelope_id = `envelope-${this.#envelopes}`;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#acknowledgements.set(envelope_id, () => resolve('acknowledged'));
    const timer = setTimeout(resolve, patience, 'refused');
    socket.send(JSON.stringify({ type: 'events_api', envelope_id, payload: callbackOf(event), retry_attempt: 0 }));
    return promise.finally(() => clearTimeout(timer));
  }

  #signed(body: Uint8Array, secret = this.signingSecret, seconds = 0): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000) + seconds);
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
    return {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    };
  }

  async #request(body: Uint8Array, headers: Record<string, string>): Promise<Outcome> {
    try {
      const init = { method: 'POST', headers, body: Buffer.from(body), signal: AbortSignal.timeout(patience) };
      const response = await fetch(this.#address, init);
      await response.arrayBuffer();
      return response.ok ? 'acknowledged' : 'refused';
    } catch {
      return 'none';
    }
  }
}

/** Bodies that cannot be read; null for another forgery. */
function bodiesOf(how: Forgery): string[] | null {
  if (how === 'malformed') return ['{', '[]', 'null', '{"type":"event_callback","event":7}'];
  if (how === 'deep')
    return ['['.repeat(1000), `{"type":"event_callback","event":${'['.repeat(1000)}${']'.repeat(1000)}}`];
  return how === 'oversize' ? ['x'.repeat(11 * 1024 * 1024)] : null;
}

let events = 0;

function callbackOf(event: object): object {
  events += 1;
  return { type: 'event_callback', event_id: `Ev${events}`, team_id: 'T0', api_app_id: 'A0', event };
}

function textOf({ text, mention, kind, media }: FakeMessage, bot: string): string {
  if (kind === 'empty') return '';
  const escaped = (text ?? (media ? '' : 'Hello'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  switch (mention) {
    case undefined:
      return escaped;
    case 'account':
      return `<@${bot}> ${escaped}`;
    case 'other':
      return `<@${ids.other}> ${escaped}`;
    case 'everyone':
      return `<!channel> ${escaped}`;
    case 'name':
      return `@parrot ${escaped}`;
    default:
      throw new NotOfThisPlatform('roles of the bot');
  }
}

function notHere(what: string): never {
  throw new NotOfThisPlatform(what);
}
