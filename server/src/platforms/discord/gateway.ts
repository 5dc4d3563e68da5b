import {
  type ConnectionReport,
  ParleyError,
  type PlatformContext,
  type SocketConnection,
  SocketRefusedError,
} from '@parley/sdk';
import { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import { inTime, pause } from '../../lib/waiting.ts';
import { lastingFault } from './close-codes.ts';
import type { Directory } from './directory.ts';
import { type DiscordApi, unauthorized } from './discord-api.ts';
import { DiscordRefusal } from './failure.ts';
import { GatewayLink, SessionLost } from './gateway-link.ts';
import type { GatewayEvent, Inbox } from './inbox.ts';
import { nameOf } from './parse.ts';
import { type GatewaySession, StoredSession } from './session.ts';
import { isId } from './target.ts';
import type { Timing } from './timing.ts';

/** Servers and channels, messages in them, direct messages, and what these say. @see https://docs.discord.com/developers/events/gateway#gateway-intents */
const intents = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);
const identify = 2;
const resume = 6;
/** Ends a connection without heartbeats of the gateway's own kind; these have a watchdog already. Milliseconds. */
const silenceCheckMs = 120_000;

export interface GatewayOptions {
  api: DiscordApi;
  token: string;
  /** The address of the API, whose kind of encryption that of the gateway must have. */
  baseUrl: string;
  context: PlatformContext;
  directory: Directory;
  inbox: Inbox;
  timing: Timing;
  report(report: ConnectionReport): void;
}

/** Keeps the bot connected to Discord's gateway, and resumes its session after a break or a restart. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #session: StoredSession;
  readonly #socket: SupervisedSocket;
  #link: GatewayLink | null = null;
  /** When the last session was asked for, by the monotonic clock. */
  #identifiedAt = Number.NEGATIVE_INFINITY;
  #isUnreadableLogged = false;

  constructor(options: GatewayOptions) {
    const { context, token, timing, report, baseUrl } = options;
    this.#options = options;
    this.#session = new StoredSession(context.state, token);
    this.#socket = new SupervisedSocket({
      host: new URL(baseUrl).host,
      connect: (signal) => this.#connect(signal),
      begin: async () => undefined,
      lastingFault,
      report,
      heartbeat: { intervalMs: silenceCheckMs, beat: () => undefined },
      timing: {
        firstPause: timing.firstPauseMs,
        longestPause: timing.longestPauseMs,
        begin: timing.beginMs,
        stable: timing.stableMs,
      },
    });
  }

  /** @throws ParleyError as {@link PlatformAdapter.start} */
  start(): Promise<void> {
    return this.#socket.start();
  }

  /** Disconnects, and leaves the session to the next process. */
  async stop(): Promise<void> {
    // The first code counts, and the one of `stop` would end the session.
    this.#socket.reconnect();
    await this.#socket.stop();
    await this.#settled();
    await this.#session.save().catch(() => undefined);
  }

  /** Waits until no event of the last connection is processed any more, as long as a stop may take. */
  async #settled(): Promise<void> {
    await inTime(this.#link?.settled ?? Promise.resolve(), this.#options.timing.stopMs, () => undefined);
  }

  async #connect(signal: AbortSignal): Promise<SocketConnection> {
    await this.#settled();
    const session = await this.#session.read();
    try {
      if (session !== null) return await this.#resume(session, signal);
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error;
    }
    return this.#identify(signal);
  }

  async #resume(session: GatewaySession & { sequence: number }, signal: AbortSignal): Promise<SocketConnection> {
    const { token, directory } = this.#options;
    directory.userId = session.userId;
    directory.userName = session.userName;
    const data = { token, session_id: session.id, seq: session.sequence };
    const socket = await this.#openToResume(session.resumeUrl, signal);
    return this.#begin(socket, { op: resume, d: data }, signal);
  }

  /** The address that Discord named for it; the usual one while that cannot be reached. */
  async #openToResume(address: string, signal: AbortSignal): Promise<SocketConnection> {
    try {
      return await this.#open(address, signal);
    } catch (error) {
      signal.throwIfAborted();
      const { url } = await this.#gatewayOf();
      if (url === address) throw error;
      return this.#open(url, signal);
    }
  }

  async #identify(signal: AbortSignal): Promise<SocketConnection> {
    const { token, timing } = this.#options;
    const { url, remaining, resetAfterMs } = await this.#gatewayOf();
    if (remaining <= 0) {
      const minutes = Math.ceil(resetAfterMs / 60_000);
      throw new ParleyError(
        'quota',
        `Discord takes no further session of this bot for ${minutes} minutes: it started too many today`,
        { retryAfterSeconds: Math.ceil(resetAfterMs / 1000) },
      );
    }
    await pause(Math.max(0, this.#identifiedAt + timing.identifyGapMs - performance.now()), signal);
    signal.throwIfAborted();
    const socket = await this.#open(url, signal);
    this.#identifiedAt = performance.now();
    const properties = { os: process.platform, browser: 'parley', device: 'parley' };
    return this.#begin(socket, { op: identify, d: { token, properties, intents } }, signal);
  }

  /** @see https://docs.discord.com/developers/events/gateway#get-gateway-bot */
  async #gatewayOf(): Promise<{ url: string; remaining: number; resetAfterMs: number }> {
    const { api } = this.#options;
    const answer = await api.call<Record<string, unknown>>({ method: 'GET', path: '/gateway/bot' }).catch(startFault);
    const { remaining, reset_after } = (answer.session_start_limit ?? {}) as Record<string, unknown>;
    return {
      url: String(answer.url),
      remaining: typeof remaining === 'number' ? remaining : 1,
      resetAfterMs: typeof reset_after === 'number' ? reset_after : 0,
    };
  }

  async #open(address: string, signal: AbortSignal): Promise<SocketConnection> {
    const { context, baseUrl } = this.#options;
    const url = URL.parse(address);
    // The token must not leave without encryption because an answer named such an address.
    const isSafe = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && baseUrl.startsWith('http:'));
    if (url === null || !isSafe) {
      throw new ParleyError('platform_failed', 'Discord named no valid address of its gateway');
    }
    url.searchParams.set('v', '10');
    url.searchParams.set('encoding', 'json');
    return context.openSocket(url.href, { signal }).catch((error: unknown) => {
      throw error instanceof SocketRefusedError && error.status === 401 ? unauthorized() : error;
    });
  }

  /** Resolves when the session stands. */
  async #begin(socket: SocketConnection, opening: unknown, signal: AbortSignal): Promise<SocketConnection> {
    const abort = () => socket.terminate();
    signal.addEventListener('abort', abort, { once: true });
    const link = new GatewayLink(socket, {
      opening,
      take: (event, ended) => this.#take(event, ended),
      acknowledged: () => this.#acknowledged(),
      forget: () => this.#session.forget(),
      onUnreadable: () => this.#logUnreadable(),
    });
    this.#link = link;
    try {
      await link.ready;
      signal.throwIfAborted();
      return socket;
    } catch (error) {
      socket.terminate();
      await this.#settled();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #take(event: GatewayEvent, signal: AbortSignal): Promise<void> {
    if (event.type === 'READY') {
      await this.#ready(event);
      return;
    }
    const isStored = await this.#options.inbox.take(event, signal);
    // Another session may have begun since.
    signal.throwIfAborted();
    this.#session.advance(event.sequence, isStored);
  }

  /** @see https://docs.discord.com/developers/events/gateway-events#ready */
  async #ready({ data, sequence }: GatewayEvent): Promise<void> {
    const { directory, inbox } = this.#options;
    const { session_id: id, resume_gateway_url: resumeUrl, user, guilds } = data;
    const { id: userId } = (user ?? {}) as { id?: unknown };
    if (typeof id !== 'string' || !isId(userId)) {
      throw new ParleyError('platform_failed', 'Discord began a session without its id');
    }
    const userName = nameOf(user as object);
    Object.assign(directory, { userId, userName });
    const servers = (Array.isArray(guilds) ? guilds : []).map((server: { id?: unknown } | null) => String(server?.id));
    inbox.begin(servers);
    await this.#session.begin({ id, resumeUrl: String(resumeUrl), userId, userName }, sequence);
  }

  /** For a heartbeat. What is not stored yet, the next one acknowledges. */
  #acknowledged(): number | null {
    const { acknowledged } = this.#session;
    this.#session.save().catch(() => undefined);
    return acknowledged;
  }

  #logUnreadable(): void {
    const { logger, bot_uuid: bot } = this.#options.context;
    if (!this.#isUnreadableLogged) logger.warn({ bot }, 'frames of the gateway cannot be read');
    this.#isUnreadableLogged = true;
  }
}

/** @throws ParleyError that says whether another attempt makes sense */
function startFault(error: unknown): never {
  if (!(error instanceof DiscordRefusal)) throw error;
  if (error.status === 401) throw unauthorized();
  throw new ParleyError('platform_failed', `Connecting to Discord failed: ${error.message}`);
}
