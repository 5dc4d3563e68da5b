import {
  type AccountProfile,
  type DeliveryError,
  type FeedbackEvent,
  type Logger,
  type LoginStep,
  type MessageEvent,
  type MessageReceipt,
  ParleyError,
  type PlatformContext,
  type PlatformNotice,
  type PlatformTest,
  problemError,
  type StateValues,
  type TestFinding,
  textOfChain,
} from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import type { Registry } from '../../lib/registry.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { inTime, untilAborted } from '../../lib/waiting.ts';
import type { FetchFor, PlatformNetwork } from '../addresses/fetch-for.ts';
import type { StateEvents } from '../events/state-events.ts';
import { openSecrets, restoreSecrets } from '../secrets/secret-fields.ts';
import type { AdapterStates } from './adapter-states.ts';
import type { BotState, BotStatus, StoredBot } from './bot.ts';
import { BotConnection, type ConnectionTiming, type WantedConnection } from './bot-connection.ts';
import type { BotEventEntry } from './bot-event.ts';
import type { BotEventLog } from './bot-event-log.ts';
import { proxyOf } from './bot-proxy.ts';
import { BotSockets, type ListenForSockets, type SocketCount } from './bot-sockets.ts';
import type { BotStore } from './bot-store.ts';
import { BotSupervisor } from './bot-supervisor.ts';
import type { ReplayGuard } from './replay-guard.ts';
import type { ListeningBot, RunningBot } from './running-bot.ts';

/** Times of the runtime, milliseconds. */
export interface RuntimeTiming extends ConnectionTiming {
  /** Timeout of a connection test. */
  test: number;
  /** How long `apply` waits for a platform. */
  patience: number;
  /** How long the start of the service waits for all of them together. */
  patienceAtStart: number;
}

/** Takes what platforms send to bots. */
export interface MessageReceiver {
  receive(botUuid: string, event: MessageEvent, state?: StateValues): Promise<MessageReceipt>;
  /** As {@link PlatformContext.receiveAll}. */
  receiveAll(botUuid: string, events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]>;
  /** As {@link PlatformContext.receiveNotice}. */
  receiveNotice(botUuid: string, notice: PlatformNotice): Promise<void>;
  /** As {@link PlatformContext.reportFailure}. */
  reportFailure(botUuid: string, platformMessageId: string, failure: DeliveryError): Promise<void>;
}

/** Until there is a receiver, platforms keep their messages. */
const notReady = () => Promise.reject(new ParleyError('not_ready', 'The server is starting'));
const noReceiver: MessageReceiver = {
  receive: notReady,
  receiveAll: notReady,
  receiveNotice: notReady,
  reportFailure: notReady,
};

export interface BotRuntimeOptions {
  platforms: Registry<InternalPlatform>;
  secrets: SecretBox;
  logger: Logger;
  /** Feedback is discarded without it. */
  receiveFeedback?: (botUuid: string, event: FeedbackEvent) => Promise<void>;
  /** What every adapter may use. */
  facilities: Pick<PlatformContext, 'storeMedia' | 'readMedia'>;
  states: Pick<AdapterStates, 'of'>;
  replayGuard: Pick<ReplayGuard, 'isFirstUse'>;
  /** For addresses in messages. */
  fetchFor: FetchFor;
  network: PlatformNetwork;
  listen: ListenForSockets;
  /** Websockets that platforms opened to bots. */
  socketCount: SocketCount;
  /** Address under which platforms reach the service; null when it has none. */
  publicUrl: string | null;
  events: Pick<BotEventLog, 'append'>;
  stateEvents: Pick<StateEvents, 'publish'>;
  /** Called when messages of a bot need not wait any longer: it is connected, disabled or deleted. */
  released: () => void;
  /** Called when a bot is about to be connected with another configuration. */
  changed?: (botUuid: string) => void;
  timing?: Partial<RuntimeTiming>;
}

const defaultTiming: RuntimeTiming = {
  start: 60_000,
  stop: 5000,
  firstPause: 1000,
  longestPause: 60_000,
  stable: 60_000,
  test: 15_000,
  patience: 3000,
  patienceAtStart: 1000,
};

/** The entry of the event log for a new state. */
const entries: Record<BotState, (status: BotStatus) => BotEventEntry> = {
  starting: () => ({ level: 'debug', code: 'connecting', text: 'Connecting' }),
  running: () => ({ level: 'info', code: 'connected', text: 'Connected' }),
  reconnecting: ({ reason, error }) => ({
    level: 'warning',
    code: 'connection_lost',
    reason,
    text: `Connection lost: ${error}`,
  }),
  error: ({ reason, error }) => ({ level: 'error', code: 'not_connected', reason, text: `Not connected: ${error}` }),
  stopped: () => ({ level: 'info', code: 'disconnected', text: 'Disconnected' }),
};

/** Maintains the connections of all enabled bots, according to their records. */
export class BotRuntime {
  readonly #store: BotStore;
  readonly #options: BotRuntimeOptions;
  readonly #timing: RuntimeTiming;
  readonly #platforms: Registry<InternalPlatform>;
  readonly #bots = new Map<string, BotSupervisor>();
  readonly #held = new Set<string>();
  /** The bots that are connected, by their platform and account. */
  readonly #accounts = new Map<string, string>();
  /** Internal bots of the service, whose states are not published. */
  readonly #internal = new Set<string>();
  readonly #madeAt = now();
  #receiver = noReceiver;
  #isClosed = false;
  /** How often the state of a bot has changed. */
  #changes = 0;

  constructor(store: BotStore, options: BotRuntimeOptions) {
    this.#store = store;
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#platforms = options.platforms;
  }

  /** From now on, messages of platforms go to a receiver. */
  deliverTo(receiver: MessageReceiver): void {
    this.#receiver = receiver;
  }

  /** Starts connecting every enabled bot. Waits for the fast ones; the others continue in the background. */
  async start(): Promise<void> {
    const bots = (await this.#store.stored()).filter((bot) => bot.enable);
    await Promise.all(bots.map((bot) => this.#apply(bot.uuid, this.#timing.patienceAtStart)));
  }

  /** Ends all connections, in bounded time; no new ones are made. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#bots.values()].map((bot) => bot.close()));
  }

  /**
   * Makes the connection of a bot match its record, which was created, changed or deleted. After a few seconds it
   * continues in the background; the state of the bot shows the progress.
   */
  apply(botUuid: string): Promise<void> {
    return this.#apply(botUuid, this.#timing.patience);
  }

  /** Ends the connection of a bot that is about to be removed. `apply` has to follow. */
  async withdraw(botUuid: string): Promise<void> {
    const bot = this.#bots.get(botUuid);
    if (bot !== undefined) await inTime(bot.withdraw(), this.#timing.patience, () => undefined);
  }

  /** @throws ParleyError `bot_not_running` */
  running(botUuid: string): RunningBot {
    const bot = this.#connected(botUuid, ['running']);
    if (bot === null) throw notRunning();
    return bot;
  }

  isRunning(botUuid: string): boolean {
    return this.#connected(botUuid, ['running']) !== null;
  }

  /**
   * A bot that takes what its platform sends, which may come although the platform cannot be reached just now.
   * @throws ParleyError `bot_not_running`
   */
  listening(botUuid: string): ListeningBot {
    const bot = this.#connected(botUuid, ['running', 'reconnecting']);
    if (bot === null) throw notRunning();
    return bot;
  }

  status(botUuid: string): BotStatus {
    const known = this.#bots.get(botUuid)?.status;
    return known ?? { state: 'stopped', reason: null, error: null, since: this.#madeAt };
  }

  /** The bots with a status of their own; all others are `stopped`. */
  statuses(): { uuid: string; state: BotState }[] {
    return [...this.#bots].map(([uuid, { status }]) => ({ uuid, state: status.state }));
  }

  /** The platforms whose bots belong to the service. */
  internalPlatforms(): string[] {
    return this.#platforms
      .list()
      .filter(({ internal }) => internal === true)
      .map(({ name }) => name);
  }

  /** The bot's own id on its platform; null until it is known. */
  accountId(botUuid: string): string | null {
    return this.#bots.get(botUuid)?.connection?.accountId ?? null;
  }

  /** How people find that account; null until it is known. */
  accountProfile(botUuid: string): AccountProfile | null {
    return this.#bots.get(botUuid)?.connection?.accountProfile ?? null;
  }

  /** Another text whenever the status or the account of a bot is another one, or there are other platforms. */
  shownState(): string {
    const accounts = [...this.#bots.values()].flatMap(({ connection }) => [
      connection?.accountId,
      connection?.accountProfile?.name,
    ]);
    return [this.#changes, this.#platforms.changes, ...accounts].join(' ');
  }

  /** What a connected bot says to a chat that it was added to; empty for nothing. */
  welcomeText(botUuid: string): string {
    const text = this.#bots.get(botUuid)?.connection?.wanted.config.welcome_text;
    return typeof text === 'string' ? text.trim() : '';
  }

  /** Whether chat commands are enabled. */
  takesCommands(botUuid: string): boolean {
    return this.#bots.get(botUuid)?.connection?.wanted.platform.commands !== false;
  }

  /** The bots that are enabled and not connected: their messages wait. */
  heldBots(): readonly string[] {
    return [...this.#held];
  }

  /**
   * Why a bot is not running. An enabled one is held from now on, whatever wrote its record, and is being connected.
   */
  async absence(botUuid: string): Promise<'not_found' | 'bot_disabled' | 'bot_not_running'> {
    const record = await this.#store.byUuid(botUuid);
    if (record === null) return 'not_found';
    if (!record.enable) return 'bot_disabled';
    await this.apply(botUuid);
    return 'bot_not_running';
  }

  /** Writes to the event log of a bot, without the secrets of its connection. */
  tell(botUuid: string, entry: BotEventEntry): void {
    if (this.#internal.has(botUuid)) return;
    const connection = this.#bots.get(botUuid)?.connection ?? null;
    const text = connection === null ? entry.text : connection.hide(entry.text);
    this.#options.events.append(botUuid, { ...entry, text });
  }

  /** The configuration of a bot with its secrets in clear. @throws ParleyError `not_found`, `secret_required` */
  async configOf(botUuid: string): Promise<Record<string, unknown>> {
    const { connection } = this.#bots.get(botUuid) ?? {};
    if (connection) return connection.wanted.config;
    const record = await this.#store.storedByUuid(botUuid);
    if (record === null) throw problemError('bot_not_found');
    return this.#wantedBy(record).config;
  }

  platform(name: string): InternalPlatform | undefined {
    return this.#platforms.get(name);
  }

  async #apply(botUuid: string, patience: number): Promise<void> {
    if (this.#isClosed) return;
    let bot = this.#bots.get(botUuid);
    if (bot === undefined) {
      bot = this.#supervise(botUuid);
      this.#bots.set(botUuid, bot);
      this.#changes += 1;
    }
    await inTime(bot.apply(), patience, () => undefined);
  }

  #supervise(uuid: string): BotSupervisor {
    const { logger, stateEvents } = this.#options;
    const bot: BotSupervisor = new BotSupervisor({
      uuid,
      logger,
      read: () => this.#store.storedByUuid(uuid),
      wantedBy: (record) => this.#wantedBy(record),
      connect: (wanted, changed) => this.#connect(uuid, wanted, changed),
      changed: (status) => {
        this.#changes += 1;
        const { state, reason } = status;
        this.tell(uuid, entries[state](status));
        if (!this.#internal.has(uuid)) stateEvents.publish({ type: 'bot', data: { uuid, state, reason } });
        if (state === 'error') logger.error({ bot: uuid, reason, error: status.error }, 'a bot is not connected');
      },
      heldChanged: () => this.#setHeld(uuid, bot.isHeld),
      gone: () => {
        this.#bots.delete(uuid);
        this.#changes += 1;
      },
    });
    return bot;
  }

  /**
   * Tests a configuration with its platform, without touching existing connections.
   * @throws ParleyError `conflict` when the platform has no connection test, `platform_failed` after a timeout, or the
   * error of the platform
   */
  async test(platform: InternalPlatform, record: ConnectedRecord): Promise<PlatformTest> {
    const { test } = await platform.load();
    if (test === undefined) {
      throw problemError('no_connection_test');
    }
    const { config, secrets } = this.#opened(platform, record);
    const signal = AbortSignal.timeout(this.#timing.test);
    const clients = this.#options.network(record.admin_addresses, proxyOf(platform, config));
    const webhook_url = this.#webhookUrl(record.uuid);
    const hide = hidingSecrets(secrets);
    try {
      const tested = await untilAborted(test(config, { ...clients, webhook_url, signal }), signal);
      return { ...tested, findings: (tested.findings ?? []).map((finding) => withoutSecrets(finding, hide)) };
    } catch (error) {
      if (signal.aborted) throw new ParleyError('platform_failed', 'The platform did not answer in time');
      if (!(error instanceof ParleyError)) throw error;
      const details = error.details?.map((one) => {
        return { ...one, path: `adapter_config.${one.path}`, message: hide(one.message) };
      });
      throw new ParleyError(error.reason, hide(error.message), details === undefined ? {} : { details });
    }
  }

  /** The steps of a sign-in. @throws ParleyError `conflict` when the platform has none */
  async login(
    platform: InternalPlatform,
    config: Record<string, unknown>,
    { admin_addresses, signal }: { admin_addresses: readonly string[] | null; signal: AbortSignal },
  ): Promise<AsyncIterable<LoginStep>> {
    const { login } = await platform.load();
    if (login === undefined) throw problemError('no_platform_sign_in');
    return login(config, { ...this.#options.network(admin_addresses, null), webhook_url: null, signal });
  }

  #setHeld(uuid: string, isHeld: boolean): void {
    if (isHeld) this.#held.add(uuid);
    else if (this.#held.delete(uuid)) this.#options.released();
  }

  #wantedBy(record: StoredBot): WantedConnection {
    const { uuid, adapter } = record;
    const platform = this.#platforms.get(adapter);
    if (platform === undefined) throw new ParleyError('invalid_request', `There is no adapter "${adapter}"`);
    if (platform.internal) this.#internal.add(uuid);
    return this.#opened(platform, record);
  }

  #opened(
    platform: InternalPlatform,
    { uuid, adapter_config, sealed_secrets, admin_addresses }: ConnectedRecord,
  ): WantedConnection {
    try {
      const secrets = openSecrets(this.#options.secrets, sealed_secrets, secretContext(uuid));
      const config = restoreSecrets(platform.config, adapter_config, secrets);
      return { platform, config, secrets: Object.values(secrets), admin_addresses };
    } catch (error) {
      this.#options.logger.error({ bot: uuid, error }, 'the secrets of a bot cannot be opened');
      throw problemError('secrets_unreadable');
    }
  }

  /** Null when the service has no public address. */
  #webhookUrl(uuid: string): string | null {
    const { publicUrl } = this.#options;
    return publicUrl === null ? null : publicUrl + webhookPath(uuid);
  }

  #connect(uuid: string, wanted: WantedConnection, changed: (status: BotStatus) => void): BotConnection {
    const { facilities, fetchFor, network, listen, socketCount, logger, receiveFeedback, replayGuard, states } =
      this.#options;
    const { fetch, openSocket } = network(wanted.admin_addresses, proxyOf(wanted.platform, wanted.config));
    this.#options.changed?.(uuid);
    return new BotConnection(wanted, {
      context: {
        ...facilities,
        isFirstUse: (id, expiresAt) => replayGuard.isFirstUse(uuid, id, expiresAt),
        state: states.of({ bot_uuid: uuid, adapter: wanted.platform.name }),
        fetch,
        openSocket,
        fetchContent: fetchFor([]),
        bot_uuid: uuid,
        logger,
        webhook_url: this.#webhookUrl(uuid),
      },
      receive: (event, state) => this.#receive(uuid, vouchedFor(wanted.platform, event), state),
      receiveAll: (events) =>
        this.#receiveAll(
          uuid,
          events.map((event) => vouchedFor(wanted.platform, event)),
        ),
      receiveNotice: (notice) => this.#receiver.receiveNotice(uuid, notice),
      receiveFeedback: async (event) => receiveFeedback?.(uuid, event),
      reportFailure: (id, failure) => this.#receiver.reportFailure(uuid, id, failure),
      createSockets: () => new BotSockets({ bot_uuid: uuid, listen, count: socketCount, logger }),
      useAccount: (account) => this.#useAccount(uuid, wanted.platform, account),
      changed,
      timing: this.#timing,
      logger,
    });
  }

  /** Two connections with one account would take messages from each other, or receive each twice. */
  async #useAccount(uuid: string, platform: InternalPlatform, account: string): Promise<() => void> {
    // Bots of the web chat have no account of their own.
    if (platform.sockets === true) return () => {};
    const key = JSON.stringify([platform.name, account]);
    const other = this.#accounts.get(key);
    if (other !== undefined && other !== uuid) {
      const name = (await this.#store.byUuid(other))?.name ?? other;
      throw problemError('account_connected', { bot: name });
    }
    this.#accounts.set(key, uuid);
    return () => void this.#accounts.delete(key);
  }

  async #receive(uuid: string, event: MessageEvent, state?: StateValues): Promise<MessageReceipt> {
    const receipt = await this.#receiver.receive(uuid, event, state);
    if (receipt.outcome === 'accepted') this.#logArrival(uuid, event);
    return receipt;
  }

  async #receiveAll(uuid: string, events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const results = await this.#receiver.receiveAll(uuid, events);
    for (const [index, result] of results.entries()) {
      const isNew = result.status === 'fulfilled' && result.value.outcome === 'accepted';
      if (isNew) this.#logArrival(uuid, events[index] as MessageEvent);
    }
    return results;
  }

  /** Writes a message that was stored into the event log of its bot. */
  #logArrival(uuid: string, { session_type, session_id, message_chain }: MessageEvent): void {
    this.tell(uuid, {
      level: 'info',
      text: textOfChain(message_chain),
      images: message_chain.flatMap((element) => (element.type === 'Image' && element.path) || []),
      message_session_id: `${session_type}_${session_id}`,
    });
  }

  #connected(botUuid: string, states: readonly BotState[]): ListeningBot | null {
    const connection = this.#bots.get(botUuid)?.connection ?? null;
    if (connection === null || !states.includes(connection.state)) return null;
    return connection.running;
  }
}

/** The inputs of a connection. */
type ConnectedRecord = Pick<StoredBot, 'uuid' | 'adapter_config' | 'sealed_secrets' | 'admin_addresses'>;

/** Names a bot's record to the box of its secrets. */
export function secretContext(botUuid: string): string {
  return `bot/${botUuid}`;
}

/** Where the platform of a bot sends what happens, below the address of the service. */
export function webhookPath(botUuid: string): string {
  return `/bots/${botUuid}`;
}

/** Only a platform with sockets of this service knows who is signed in to it, and tries pipelines. */
function vouchedFor({ sockets }: InternalPlatform, event: MessageEvent): MessageEvent {
  if (event.facts === undefined || sockets === true) return event;
  const { signed_in_admin, trial, replaces, ...facts } = event.facts;
  const isPlain = signed_in_admin === undefined && trial === undefined && replaces === undefined;
  return isPlain ? event : { ...event, facts };
}

/** A platform may repeat in a text what it was sent. */
function withoutSecrets({ text, ...finding }: TestFinding, hide: (text: string) => string): TestFinding {
  const hidden = Object.entries(text).map(([language, words]) => [language, hide(words)]);
  return { ...finding, text: Object.fromEntries(hidden) as TestFinding['text'] };
}

function notRunning(): ParleyError {
  return new ParleyError('bot_not_running', 'The bot is not connected to its platform');
}
