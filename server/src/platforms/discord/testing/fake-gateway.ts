import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { World, WorldBot } from './world.ts';

/** Intents that need the flag of the application. */
const privileged = 1 << 15;
/** All bits that the vendor documents. */
const knownIntents = (1 << 26) - 1;

interface Session {
  id: string;
  bot: WorldBot;
  sequence: number;
  /** Every event of it, for a resume. */
  events: { s: number; frame: string }[];
  link: Link | null;
  isForgotten: boolean;
}

interface Link {
  socket: WebSocket;
  session: Session | null;
  isSilent: boolean;
  /** The last event that a heartbeat named. */
  acknowledged: number;
}

export interface FakeGatewayOptions {
  world: World;
  botOf(token: string): WorldBot | undefined;
  heartbeatMs: number;
}

/** The gateway: sessions with their events, over websockets. */
export class FakeGateway {
  readonly violations: string[] = [];
  /** Addresses of websockets are on this host. */
  host = '';
  attempts = 0;
  /** Close codes that the next connections get instead of a session. */
  readonly refusals: number[] = [];
  readonly #options: FakeGatewayOptions;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #links = new Set<Link>();
  readonly #sessions = new Map<string, Session>();

  constructor(options: FakeGatewayOptions) {
    this.#options = options;
  }

  get open(): number {
    return [...this.#links].filter(({ session }) => session !== null).length;
  }

  /** How often a session was begun, and resumed. */
  readonly begun = { sessions: 0, resumes: 0 };

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.attempts += 1;
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (searchParams.get('v') !== '10') this.violations.push('the gateway was opened without its version');
    if (searchParams.get('encoding') !== 'json') this.violations.push('the gateway was opened without an encoding');
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#greet(opened));
  }

  /** Sends an event to the sessions of a bot, or of all. @returns the sequence of each session */
  dispatch(t: string, d: unknown, to?: WorldBot): { session: Session; sequence: number }[] {
    const sessions = [...this.#sessions.values()].filter(({ bot }) => to === undefined || bot === to);
    return sessions.map((session) => ({ session, sequence: this.#event(session, t, d) }));
  }

  /** Waits until heartbeats name the events, the connections end, or the time is over. */
  async processed(events: { session: Session; sequence: number }[], patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    const isPending = ({ session: { link }, sequence }: (typeof events)[number]) =>
      link !== null && !link.isSilent && link.acknowledged < sequence;
    while (events.some(isPending) && performance.now() < end) {
      for (const { session } of events) this.#send(session.link, { op: 1, d: null });
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  }

  /** Waits until there is a connection with a session. */
  async hasLink(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    while (this.open === 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 4));
  }

  /** Waits until a bot has a session that lasts. */
  async hasSession(bot: WorldBot, patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    const lasts = (session: Session) => session.bot === bot && !session.isForgotten;
    while (![...this.#sessions.values()].some(lasts) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  }

  /** Sends bytes as a frame to every connection. A sequence in it counts as that of an event. */
  raw(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString();
    const { s } = (frameOf(text) ?? {}) as { s?: unknown };
    for (const { socket, session } of this.#links) {
      if (session !== null && Number.isSafeInteger(s)) session.sequence = Math.max(session.sequence, Number(s));
      socket.send(text);
    }
  }

  askToReconnect(): void {
    for (const link of this.#links) this.#send(link, { op: 7, d: null });
  }

  invalidate(mayResume: boolean): void {
    if (!mayResume) this.forgetSessions();
    for (const link of this.#links) this.#send(link, { op: 9, d: mayResume });
  }

  forgetSessions(): void {
    for (const session of this.#sessions.values()) session.isForgotten = true;
  }

  halfOpen(): void {
    for (const link of this.#links) {
      link.isSilent = true;
      if (link.session !== null) link.session.link = null;
    }
  }

  /** Closes connections with a code of the gateway. */
  closeAll(code: number, only?: WorldBot): void {
    for (const { socket, session } of this.#links) {
      if (only === undefined || session?.bot === only) socket.close(code, 'Closed by the fake');
    }
  }

  terminate(): void {
    for (const { socket } of this.#links) socket.terminate();
  }

  #greet(socket: WebSocket): void {
    const link: Link = { socket, session: null, isSilent: false, acknowledged: 0 };
    this.#links.add(link);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#links.delete(link);
      if (link.session?.link === link) link.session.link = null;
    });
    socket.on('message', (data) => {
      if (!link.isSilent) this.#read(link, String(data));
    });
    this.#send(link, { op: 10, d: { heartbeat_interval: this.#options.heartbeatMs } });
  }

  #read(link: Link, text: string): void {
    // What was on its way while the connection was being closed counts no more.
    if (link.socket.readyState !== link.socket.OPEN) return;
    const frame = frameOf(text);
    if (frame === null) this.#refuse(link, 4002, 'a frame that is no JSON');
    else if (frame.op === 1) this.#beat(link, frame.d);
    else if (frame.op === 2) this.#identify(link, frame.d);
    else if (frame.op === 6) this.#resume(link, frame.d);
    else this.#refuse(link, 4001, `an unknown operation ${frame.op}`);
  }

  #beat(link: Link, d: unknown): void {
    if (d !== null && !Number.isSafeInteger(d)) this.#refuse(link, 4002, 'a heartbeat without a sequence');
    // While a session is being resumed, also in vain, heartbeats name its last event.
    const { sequence = Number.POSITIVE_INFINITY } = link.session ?? {};
    if (Number(d) > sequence) this.#refuse(link, 4007, 'a heartbeat for a later event');
    link.acknowledged = Number(d);
    this.#send(link, { op: 11 });
  }

  #identify(link: Link, d: unknown): void {
    const { token, intents, properties } = (d ?? {}) as Record<string, unknown>;
    if (properties === undefined) this.violations.push('identified without properties');
    if (link.session !== null) this.violations.push('identified twice');
    const bot = this.#options.botOf(String(token));
    const refusal = this.#refusalOf(bot) ?? intentRefusal(intents, bot) ?? this.#spendSession(bot);
    if (bot === undefined || refusal !== null) {
      link.socket.close(refusal ?? 4004);
      return;
    }
    this.begun.sessions += 1;
    const id = `session-${this.begun.sessions}-${this.#options.world.newId()}`;
    const session: Session = { id, bot, sequence: 0, events: [], link, isForgotten: false };
    this.#sessions.set(id, session);
    link.session = session;
    this.#welcome(session);
  }

  /** @returns the code that a connection is closed with */
  #refusalOf(bot: WorldBot | undefined): number | null {
    return this.refusals.shift() ?? (bot === undefined || bot.isRevoked ? 4004 : null);
  }

  #spendSession(bot: WorldBot | undefined): number | null {
    if (bot === undefined) return null;
    bot.sessionsLeft -= 1;
    if (bot.sessionsLeft >= 0) return null;
    this.violations.push('more sessions than the limit allows');
    return 4008;
  }

  #welcome(session: Session): void {
    const { guild, roles, channels } = this.#options.world;
    const { bot } = session;
    this.#event(session, 'READY', {
      v: 10,
      user: bot.user,
      guilds: [{ id: guild.id, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: `ws://${this.host}/resume`,
      application: { id: bot.applicationId, flags: bot.flags },
    });
    const own = [...channels.values()].filter(({ guild_id }) => guild_id === guild.id);
    this.#event(session, 'GUILD_CREATE', {
      ...guild,
      joined_at: '2020-01-01T00:00:00.000000+00:00',
      roles,
      members: [{ user: bot.user, roles: [roles[0].id] }],
      channels: own.filter(({ type }) => type < 10),
      threads: own.filter(({ type }) => type >= 10),
    });
  }

  #resume(link: Link, d: unknown): void {
    const { token, session_id, seq } = (d ?? {}) as Record<string, unknown>;
    const bot = this.#options.botOf(String(token));
    const session = this.#sessions.get(String(session_id));
    const refusal = this.#refusalOf(bot);
    if (refusal !== null) link.socket.close(refusal);
    else if (session === undefined || session.isForgotten || session.bot !== bot) this.#send(link, { op: 9, d: false });
    else if (typeof seq !== 'number' || seq > session.sequence) link.socket.close(4007, 'Invalid seq.');
    else this.#replay(link, session, seq);
  }

  #replay(link: Link, session: Session, after: number): void {
    session.link?.socket.close(4000);
    session.link = link;
    link.session = session;
    this.begun.resumes += 1;
    for (const { s, frame } of session.events) if (s > after) link.socket.send(frame);
    this.#event(session, 'RESUMED', {});
  }

  #event(session: Session, t: string, d: unknown): number {
    session.sequence += 1;
    const frame = JSON.stringify({ op: 0, t, s: session.sequence, d });
    session.events.push({ s: session.sequence, frame });
    if (session.link !== null && !session.link.isSilent) session.link.socket.send(frame);
    return session.sequence;
  }

  #send(link: Link | null, frame: unknown): void {
    if (link !== null && !link.isSilent && link.socket.readyState === link.socket.OPEN) {
      link.socket.send(JSON.stringify(frame));
    }
  }

  #refuse(link: Link, code: number, violation: string): void {
    this.violations.push(violation);
    link.socket.close(code);
  }
}

function intentRefusal(intents: unknown, bot: WorldBot | undefined): number | null {
  if (typeof intents !== 'number' || (intents & ~knownIntents) !== 0) return 4013;
  const mayRead = ((bot?.flags ?? 0) & ((1 << 18) | (1 << 19))) !== 0;
  return (intents & privileged) !== 0 && !mayRead ? 4014 : null;
}

function frameOf(text: string): { op: unknown; d: unknown } | null {
  try {
    return JSON.parse(text) as { op: unknown; d: unknown };
  } catch {
    return null;
  }
}
