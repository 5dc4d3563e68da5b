import { type AccountProfile, type ConnectionReport, type Logger, ParleyError, type Reason } from '@parley/sdk';
import type {
  InternalPlatform,
  InternalPlatformAdapter,
  InternalPlatformContext,
  InternalPlatformImplementation,
} from '@parley/sdk/internal';
import pRetry from 'p-retry';
import { now } from '../../lib/clock.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { inTime, untilAborted } from '../../lib/waiting.ts';
import type { BotState, BotStatus } from './bot.ts';
import type { BotSockets } from './bot-sockets.ts';
import type { ListeningBot } from './running-bot.ts';
import { StreamBudget } from './stream-budget.ts';

/** The connection that the record of a bot requires. */
export interface WantedConnection {
  platform: InternalPlatform;
  /** With its secrets in clear. */
  config: Record<string, unknown>;
  /** These secrets, which are never exposed. */
  secrets: readonly string[];
  /** As {@link SavedAddresses}. */
  admin_addresses: readonly string[] | null;
}

/** A context without what belongs to a connection. */
export type AdapterContext = Omit<InternalPlatformContext, 'reportConnection' | 'listen' | 'passOn'>;

/** Times of a connection, milliseconds. */
export interface ConnectionTiming {
  /** How long an attempt may take. */
  start: number;
  /** How long an adapter may take to stop. */
  stop: number;
  /** Pause after the first failure; each one after it is twice as long, up to `longestPause`. */
  firstPause: number;
  longestPause: number;
  /** A connection that lasted this long is re-established immediately when it breaks. */
  stable: number;
}

export interface BotConnectionOptions {
  context: AdapterContext;
  /**
   * Called with the account of a bot that has connected. @returns a function to call when it disconnects
   * @throws ParleyError `conflict` when another bot is connected with it
   */
  useAccount: (accountId: string) => Promise<() => void>;
  /** What takes websockets of the platform, for one adapter. */
  createSockets: () => BotSockets;
  /** Called with each new state. */
  changed: (status: BotStatus) => void;
  timing: ConnectionTiming;
  logger: Logger;
}

/** After these, only another configuration helps. */
const lastingReasons: readonly Reason[] = ['platform_unauthorized', 'invalid_request'];

/** Keeps one bot connected to its platform, with one configuration, from `open` to `close`. */
export class BotConnection {
  readonly wanted: WantedConnection;
  /** Gives a text without the secrets of the configuration. */
  readonly hide: (text: string) => string;
  readonly #options: BotConnectionOptions;
  readonly #closing = new AbortController();
  readonly #streamBudget = new StreamBudget();
  readonly #settled = Promise.withResolvers<void>();
  #ended: Promise<void> = Promise.resolve();
  #running: ListeningBot | null = null;
  #status: BotStatus = { state: 'stopped', reason: null, error: null, since: now() };

  constructor(wanted: WantedConnection, options: BotConnectionOptions) {
    this.wanted = wanted;
    this.#options = options;
    this.hide = hidingSecrets(wanted.secrets);
  }

  open(): void {
    this.#ended = this.#keepUp();
  }

  /** Ends it in bounded time. From now on, nothing is sent and no state is reported. */
  close(): Promise<void> {
    this.#closing.abort();
    this.#running = null;
    this.#settled.resolve();
    return this.#ended;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Resolves when the first attempt has ended, well or not. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  get state(): BotState {
    return this.#status.state;
  }

  /** Whether messages can be sent. */
  get isUp(): boolean {
    return this.#running !== null && this.#status.state === 'running';
  }

  /** The bot while its adapter is up, even if the platform cannot be reached just now; else null. */
  get running(): ListeningBot | null {
    return this.#running;
  }

  /** The bot's own id on its platform; null until it is known. */
  get accountId(): string | null {
    return this.#running === null ? null : this.#accountOf(this.#running.adapter);
  }

  /** How people find that account; null until it is known. */
  get accountProfile(): AccountProfile | null {
    const adapter = this.#running?.adapter;
    const profile = this.#told(() => adapter?.accountProfile?.());
    if (profile === null) return null;
    const { name, url } = profile;
    return { name, ...(url?.startsWith('https://') && { url }) };
  }

  async #keepUp(): Promise<void> {
    const { signal } = this.#closing;
    const { firstPause, longestPause } = this.#options.timing;
    try {
      for (;;) {
        await pRetry(() => this.#live(), {
          retries: Number.POSITIVE_INFINITY,
          minTimeout: firstPause,
          maxTimeout: longestPause,
          randomize: true,
          signal,
          shouldRetry: ({ error }) => !isLasting(error),
        });
      }
    } catch {
      // It was closed, or the state says why there is no further attempt.
    }
  }

  /**
   * The life of one adapter. Resolves when it broke after it had been up for long.
   * @throws ParleyError when it did not come up, or not for long
   */
  async #live(): Promise<void> {
    const { signal } = this.#closing;
    const { timing } = this.#options;
    const { intakeClosed } = this.#options.context;
    const life = new AdapterLife((report) => this.#onReport(report), intakeClosed);
    const sockets = this.#options.createSockets();
    let upSince = Number.POSITIVE_INFINITY;
    let adapter: InternalPlatformAdapter | null = null;
    let starting: Promise<void> | null = null;
    let leaveAccount = () => {};
    try {
      this.#change('starting');
      const { platform, config } = this.wanted;
      const implementation = await inTime(platform.load(), timing.start, tooSlow);
      signal.throwIfAborted();
      adapter = implementation.create(config, this.#contextOf(life, sockets));
      starting = adapter.start();
      await inTime(untilAborted(starting, signal), timing.start, tooSlow);
      starting = null;
      const account = this.#accountOf(adapter);
      if (account !== null) leaveAccount = await this.#options.useAccount(account);
      signal.throwIfAborted();
      upSince = performance.now();
      this.#running = this.#runningWith(adapter, implementation, sockets);
      this.#change('running');
      life.begin();
      await untilAborted(life.failed, signal);
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#asFailure(error);
      this.#running = null;
      this.#change('error', failure);
      if (performance.now() - upSince >= timing.stable && !isLasting(failure)) return;
      throw failure;
    } finally {
      if (adapter !== null) await this.#stop(adapter, starting);
      // An adapter that says goodbye does so while it stops; what it left open ends now.
      await inTime(sockets.close(), timing.stop, () => undefined);
      leaveAccount();
      life.over = true;
    }
  }

  #runningWith(
    adapter: InternalPlatformAdapter,
    implementation: InternalPlatformImplementation,
    sockets: BotSockets,
  ): ListeningBot {
    const { platform, config } = this.wanted;
    return {
      uuid: this.#options.context.bot_uuid,
      platform,
      config,
      capabilities: platform.capabilitiesOf?.(config) ?? platform.capabilities,
      implementation,
      adapter,
      sockets,
      streamBudget: this.#streamBudget,
    };
  }

  #accountOf(adapter: InternalPlatformAdapter): string | null {
    return this.#told(() => adapter.accountId?.());
  }

  #told<Value>(tell: () => Value | null | undefined): Value | null {
    try {
      return tell() ?? null;
    } catch (error) {
      const { context, logger } = this.#options;
      logger.error({ bot: context.bot_uuid, error }, 'failed to get the account of a platform adapter');
      return null;
    }
  }

  #contextOf(life: AdapterLife, sockets: BotSockets): InternalPlatformContext {
    const { context } = this.#options;
    return {
      ...context,
      receive: async (event, state) => {
        life.requireOpen();
        return context.receive(event, state);
      },
      receiveAll: async (events) => {
        if (life.isOpen) return context.receiveAll(events);
        const reason = closed();
        return events.map(() => ({ status: 'rejected', reason }));
      },
      receiveFeedback: async (event) => {
        life.requireOpen();
        return context.receiveFeedback?.(event);
      },
      receiveNotice: async (notice) => {
        life.requireOpen();
        return context.receiveNotice(notice);
      },
      reportFailure: async (platformMessageId, failure) => {
        life.requireOpen();
        return context.reportFailure(platformMessageId, failure);
      },
      listen: (address, accept) => sockets.listen(address, accept),
      reportConnection: (report) => life.report(report),
    };
  }

  /** @param starting its start if still pending: should it succeed later, it is stopped again */
  async #stop(adapter: InternalPlatformAdapter, starting: Promise<void> | null): Promise<void> {
    const { context, logger, timing } = this.#options;
    const fields = { bot: context.bot_uuid, adapter: this.wanted.platform.name };
    const stop = async () => {
      try {
        await adapter.stop();
      } catch (error) {
        logger.warn({ ...fields, error: this.hide(describe(error)) }, 'a platform adapter failed to stop');
      }
    };
    const ended = Promise.all([stop(), starting?.then(stop, () => undefined)]);
    await inTime(ended, timing.stop, () => logger.error(fields, 'a platform adapter did not stop in time'));
  }

  #onReport(report: ConnectionReport): void {
    if (this.#running === null || report.state === 'failed') return;
    if (report.state === 'connected') this.#change('running');
    else this.#change('reconnecting', new ParleyError(report.reason, this.hide(report.message)));
  }

  #change(state: BotState, failure: ParleyError | null = null): void {
    const { state: before, reason, error } = this.#status;
    // The error is shown until an attempt succeeds.
    if (this.#closing.signal.aborted || (before === 'error' && state === 'starting')) return;
    const status = { state, reason: failure?.reason ?? null, error: failure?.message ?? null };
    if (before === state && reason === status.reason && error === status.error) return;
    this.#status = { ...status, since: state === before ? this.#status.since : now() };
    this.#options.changed(this.#status);
    if (state !== 'starting') this.#settled.resolve();
  }

  #asFailure(error: unknown): ParleyError {
    if (error instanceof ParleyError) return new ParleyError(error.reason, this.hide(error.message));
    const { context, logger } = this.#options;
    const fields = { bot: context.bot_uuid, adapter: this.wanted.platform.name, error: this.hide(describe(error)) };
    logger.error(fields, 'a platform adapter failed unexpectedly');
    return new ParleyError('platform_failed', 'The connection failed unexpectedly; the log of the server says more');
  }
}

/** Reports of an adapter on its connection, from its start on. */
class AdapterLife {
  readonly #onReport: (report: ConnectionReport) => void;
  readonly #intakeClosed: AbortSignal;
  readonly #failed = Promise.withResolvers<never>();
  #early: ConnectionReport | null = null;
  #started = false;
  /** When true, reports of the adapter are ignored. */
  over = false;

  constructor(onReport: (report: ConnectionReport) => void, intakeClosed: AbortSignal) {
    this.#onReport = onReport;
    this.#intakeClosed = intakeClosed;
    this.#failed.promise.catch(() => undefined);
  }

  /** Rejects when the adapter gives up. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Whether what its adapter hands over is taken: one that was up and was stopped may have received it before. */
  get isOpen(): boolean {
    return !this.over || (this.#started && !this.#intakeClosed.aborted);
  }

  /** @throws ParleyError `bot_not_running` when it is not open */
  requireOpen(): void {
    if (!this.isOpen) throw closed();
  }

  report(report: ConnectionReport): void {
    if (this.over) return;
    if (!this.#started) this.#early = report;
    else if (report.state === 'failed') this.#failed.reject(new ParleyError(report.reason, report.message));
    else this.#onReport(report);
  }

  /** The adapter has started: its earlier report takes effect now. */
  begin(): void {
    this.#started = true;
    if (this.#early !== null) this.report(this.#early);
  }
}

function isLasting(error: unknown): boolean {
  return error instanceof ParleyError && lastingReasons.includes(error.reason);
}

function closed(): ParleyError {
  return new ParleyError('bot_not_running', 'The connection was closed');
}

function tooSlow(): never {
  throw new ParleyError('platform_failed', 'The platform did not answer in time');
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
