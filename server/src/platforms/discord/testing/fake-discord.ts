import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises';
import {
  type Delivered,
  type FakeChat,
  type FakeFault,
  type FakeMessage,
  type FakePlatform,
  type FakeRoute,
  type Forgery,
  NotOfThisPlatform,
  type ShownMessage,
} from '@parley/sdk/testing';
import { freePort } from '../../../../test/shared/free-port.ts';
import { FakeFaults } from './fake-faults.ts';
import { FakeGateway } from './fake-gateway.ts';
import { FakeRest } from './fake-rest.ts';
import { shownMessage, userMessage } from './fake-users.ts';
import { World, type WorldBot, type WorldMessage } from './world.ts';

/** For how long the fake waits for heartbeats that name an event, milliseconds. */
const patienceMs = 1500;

const parrotId = '600000000000000001';

/** Starts a fake on a free port of 127.0.0.1. @param account id of the bot */
export async function startFakeDiscord({ heartbeatMs = 250, account = parrotId } = {}): Promise<FakeDiscord> {
  const fake = new FakeDiscord(heartbeatMs, account);
  await fake.comeBack();
  return fake;
}

/** A fake of Discord: gateway, REST API and file server on one port, and what users see. */
export class FakeDiscord implements FakePlatform {
  readonly world = new World();
  readonly faults = new FakeFaults();
  readonly gateway: FakeGateway;
  readonly rest: FakeRest;
  readonly bot: WorldBot;
  readonly otherBot: WorldBot = botOf('finch', '600000000000000002');
  readonly userId = this.world.user.id;
  readonly accountId: string;
  #handsOutPrivate = false;
  #server: Server | null = null;
  #port = 0;

  constructor(heartbeatMs: number, account = parrotId) {
    this.bot = botOf('parrot', account);
    this.accountId = account;
    const bots = [this.bot, this.otherBot];
    const known = (token: string) => bots.find((bot) => bot.token === token);
    this.gateway = new FakeGateway({ world: this.world, botOf: known, heartbeatMs });
    this.rest = new FakeRest({
      world: this.world,
      faults: this.faults,
      botOf: known,
      gatewayUrl: () => (this.#handsOutPrivate ? 'ws://127.0.0.1:8009' : `ws://${this.gateway.host}`),
      changed: (kind, message) => void this.gateway.dispatch(kind, this.#inServer(message)),
    });
  }

  /** Address of the API, without its version. */
  get apiBaseUrl(): string {
    return `http://127.0.0.1:${this.#port}/api`;
  }

  config(): Record<string, unknown> {
    return this.#configOf(this.bot);
  }

  otherConfig(): Record<string, unknown> {
    return this.#configOf(this.otherBot);
  }

  enterAddress(): void {}

  handOut(): void {
    this.#handsOutPrivate = true;
  }

  person(): FakeChat {
    return { session_type: 'person', session_id: this.world.user.id, thread_id: '' };
  }

  group(): FakeChat {
    return { session_type: 'group', session_id: this.world.general.id, thread_id: '' };
  }

  thread(): FakeChat {
    return { session_type: 'group', session_id: this.world.general.id, thread_id: this.world.thread.id };
  }

  unknownChat(): FakeChat {
    return { session_type: 'group', session_id: '555555555555555555', thread_id: '' };
  }

  async deliver(message: FakeMessage): Promise<Delivered> {
    const { written, object } = userMessage(this.world, this.bot, message, this.person());
    return this.#deliver(written.id, 'MESSAGE_CREATE', this.#inServer(object));
  }

  async redeliver(id: string, how: { asOtherKind?: boolean; overOther?: boolean } = {}): Promise<Delivered> {
    if (how.asOtherKind) throw new NotOfThisPlatform('two kinds of event for one message');
    if (how.overOther) throw new NotOfThisPlatform('several connections of one session');
    return this.#deliver(id, 'MESSAGE_CREATE', this.#inServer(this.world.messageObject(this.#known(id))));
  }

  async edit(id: string, text: string): Promise<Delivered> {
    const message = this.#known(id);
    this.world.editMessage(message, text);
    return this.#deliver(id, 'MESSAGE_UPDATE', this.#inServer(this.world.messageObject(message)));
  }

  async recall(id: string): Promise<Delivered> {
    const { channel } = this.#known(id);
    this.#known(id).isDeleted = true;
    return this.#deliver(id, 'MESSAGE_DELETE', this.#inServer({ id, channel_id: channel }));
  }

  async addBot(): Promise<Delivered> {
    const id = this.world.newId();
    const channel = this.world.addChannel({ type: 0, name: 'welcome', guild_id: id });
    const joined_at = new Date(this.now()).toISOString();
    const server = { id, name: 'Another one', joined_at, system_channel_id: channel.id, channels: [channel] };
    return this.#deliver(id, 'GUILD_CREATE', { ...server, roles: [], members: [], threads: [] });
  }

  async forge(how: Forgery): Promise<Delivered['outcome'][]> {
    const frames: Partial<Record<Forgery, string>> = {
      malformed: '{"op":0,"t":"MESSAGE_CREATE"',
      // Beyond what a websocket takes.
      oversize: JSON.stringify({ op: 0, t: 'MESSAGE_CREATE', s: 1, d: { content: 'x'.repeat(17 * 1024 * 1024) } }),
      deep: `{"op":0,"t":"MESSAGE_CREATE","s":2,"d":{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    };
    const frame = frames[how];
    if (frame === undefined) throw new NotOfThisPlatform(`requests to the bot (${how})`);
    return [await this.raw(Buffer.from(frame))];
  }

  verifyAddress(): Promise<boolean> {
    throw new NotOfThisPlatform('a webhook');
  }

  async raw(bytes: Uint8Array): Promise<Delivered['outcome']> {
    // The adapter has a turn to read it, and to come back after what made it reconnect.
    await immediate();
    await this.gateway.hasLink(patienceMs);
    this.gateway.raw(bytes);
    return 'none';
  }

  samples(): readonly Uint8Array[] {
    const object = (message: FakeMessage) =>
      this.#inServer(userMessage(this.world, this.bot, message, this.person()).object);
    const file = { kind: 'image' as const, name: 'cat.png', content: new Uint8Array([1]) };
    const chat = this.group();
    const events: [string, unknown][] = [
      ['MESSAGE_CREATE', object({ text: 'Hello' })],
      ['MESSAGE_CREATE', object({ text: 'Look', media: [file], mention: 'role', chat, quotes: 'gone' })],
      ['MESSAGE_CREATE', { ...object({ text: 'All sorts' }), ...allSorts }],
      ['MESSAGE_UPDATE', { ...object({ text: 'Changed' }), edited_timestamp: new Date().toISOString() }],
      ['MESSAGE_DELETE', { id: '1', channel_id: chat.session_id }],
      ['MESSAGE_DELETE_BULK', { ids: ['1', '2'], channel_id: chat.session_id }],
      ['GUILD_CREATE', { ...this.world.guild, channels: [this.world.general], threads: [this.world.thread] }],
      ['THREAD_UPDATE', this.world.thread],
    ];
    return events.map(([t, d]) => Buffer.from(JSON.stringify({ op: 0, s: 1_000_000, t, d })));
  }

  sent(): readonly ShownMessage[] {
    const bots = [this.bot.user, this.otherBot.user];
    return this.world.messages
      .filter(({ author, isDeleted }) => bots.includes(author) && !isDeleted)
      .map((message) => shownMessage(this.world, message));
  }

  calls(route: FakeRoute): number {
    return this.faults.calls(route);
  }

  violations(): readonly string[] {
    return [...this.gateway.violations, ...this.rest.violations];
  }

  fail(route: FakeRoute, how: FakeFault, times = 1): void {
    if (route === 'token') throw new NotOfThisPlatform('access tokens');
    if (how === 'unreachable') void this.goAway().then(() => delay(times * 100).then(() => this.comeBack()));
    else this.faults.fail(route, how, times);
  }

  limit(limit: Parameters<FakePlatform['limit']>[0]): void {
    if (typeof limit.pause === 'object' && 'date' in limit.pause) {
      throw new NotOfThisPlatform('dates in rate limits');
    }
    this.faults.limit(limit);
  }

  failLater(): Promise<void> {
    throw new NotOfThisPlatform('failures after acceptance');
  }

  async goAway(): Promise<void> {
    await this.close();
    // Clients notice the end of their connections.
    await delay(20);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    this.gateway.terminate();
    server.closeAllConnections();
    await closed;
  }

  async comeBack(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer((request, response) => {
      this.rest.handle(request, response).catch(() => response.destroy());
    });
    server.on('upgrade', (request, socket, head) => this.gateway.upgrade(request, socket, head));
    await once(server.listen(this.#port || (await freePort()), '127.0.0.1'), 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.gateway.host = `127.0.0.1:${this.#port}`;
    this.world.filesAddress = `http://127.0.0.1:${this.#port}`;
  }

  halfOpen(): void {
    this.gateway.halfOpen();
  }

  askToReconnect(): void {
    this.gateway.askToReconnect();
  }

  forgetSessions(): void {
    this.gateway.forgetSessions();
  }

  takeOver(): void {
    throw new NotOfThisPlatform('a connection that ends another one');
  }

  revoke(): void {
    this.bot.isRevoked = true;
    this.gateway.closeAll(4004, this.bot);
  }

  expireToken(): void {
    throw new NotOfThisPlatform('tokens that expire');
  }

  connections(): { open: number; attempts: number } {
    return { open: this.gateway.open, attempts: this.gateway.attempts };
  }

  stopAnswer(): Promise<void> {
    throw new NotOfThisPlatform('stopping an answer');
  }

  closeStream(): void {
    throw new NotOfThisPlatform('streams of the platform');
  }

  pollStream(): Promise<null> {
    throw new NotOfThisPlatform('streams that the platform fetches');
  }

  spendWindow(): void {
    throw new NotOfThisPlatform('time windows');
  }

  signIn(): void {
    throw new NotOfThisPlatform('signing in');
  }

  now(): number {
    return this.world.now();
  }

  advance(milliseconds: number): void {
    this.world.advance(milliseconds);
  }

  #configOf({ token, applicationId }: WorldBot): Record<string, unknown> {
    return { client_id: applicationId, token, 'enable-stream-reply': true, api_base_url: this.apiBaseUrl };
  }

  /** The fields that only events have. */
  #inServer(object: Record<string, unknown>): Record<string, unknown> {
    const { guild_id, type } = this.world.channels.get(String(object.channel_id)) ?? {};
    if (guild_id === undefined) return { ...object, channel_type: type };
    return { ...object, guild_id, channel_type: type, member: { nick: null, roles: [] } };
  }

  /** Sends an event to the first bot. Resolves when it was processed, as far as heartbeats tell that. */
  async #deliver(id: string, type: string, data: Record<string, unknown>): Promise<Delivered> {
    const start = performance.now();
    // What is written while a bot has no session at all never reaches it.
    await this.gateway.hasSession(this.bot, patienceMs);
    await this.gateway.processed(this.gateway.dispatch(type, data, this.bot), patienceMs);
    // The gateway knows no acknowledgement of an event.
    return { id, outcome: 'none', milliseconds: performance.now() - start };
  }

  #known(id: string): WorldMessage {
    const message = this.world.messages.find((one) => one.id === id);
    if (message === undefined) throw new Error(`There is no message ${id}`);
    return message;
  }
}

/** Content of the rarer kinds. */
const allSorts = {
  message_reference: { type: 1, channel_id: '1', message_id: '2' },
  message_snapshots: [{ message: { type: 0, content: 'Earlier <@1>', mentions: [{ id: '1', username: 'bob' }] } }],
  sticker_items: [{ id: '1', name: 'Wave', format_type: 1 }],
  poll: { question: { text: 'Tea?' }, answers: [{ answer_id: 1, poll_media: { text: 'Yes' } }] },
};

function botOf(username: string, id: string): WorldBot {
  return {
    token: `${Buffer.from(id).toString('base64url')}.G1a2b3.${username}-secret-of-a-fake-bot`,
    user: { id, username, global_name: null, bot: true },
    applicationId: id,
    flags: 1 << 19,
    isRevoked: false,
    sessionsLeft: 1000,
  };
}
