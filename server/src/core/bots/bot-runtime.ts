import { type AccountProfile, type BotAccount, ParleyError, problemError } from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import type { Registry } from '../../lib/registry.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { inTime } from '../../lib/waiting.ts';
import type { StateEvents } from '../events/state-events.ts';
import type { Leases } from '../replicas/leases.ts';
import type { BotState, BotStatus } from './bot.ts';
import { BotAccounts } from './bot-accounts.ts';
import { BotArrivals } from './bot-arrivals.ts';
import { BotAssignments } from './bot-assignments.ts';
import { BotConfigs } from './bot-configs.ts';
import { BotConnection } from './bot-connection.ts';
import { type AdapterServices, BotContexts, welcomeTextIn } from './bot-contexts.ts';
import type { BotEventEntry } from './bot-event.ts';
import type { BotEventLog } from './bot-event-log.ts';
import { BotLeases } from './bot-leases.ts';
import { BotPresence } from './bot-presence.ts';
import { BotSockets, type BotSocketsOptions, type ListenForSockets, type SocketCount } from './bot-sockets.ts';
import type { BotStateStore, SharedBotState } from './bot-state-store.ts';
import type { BotStore } from './bot-store.ts';
import { BotSupervisor, type BotSupervisorOptions } from './bot-supervisor.ts';
import type { MessageReceiver } from './message-receiver.ts';
import type { ClaimableBots, ListeningBot, RunningBot } from './running-bot.ts';
import { defaultTiming, type RuntimeTiming } from './runtime-timing.ts';
import { stateEntries } from './state-entries.ts';

export interface BotRuntimeOptions extends AdapterServices {
  platforms: Registry<InternalPlatform>;
  secrets: SecretBox;
  listen: ListenForSockets;
  /** Websockets that platforms opened to bots. */
  socketCount: SocketCount;
  /** As of {@link BotSocketsOptions}. */
  fenced?: BotSocketsOptions['fenced'];
  /** Address under which platforms reach the service; null when it has none. */
  publicUrl: string | null;
  events: Pick<BotEventLog, 'append'>;
  stateEvents: Pick<StateEvents, 'publish'>;
  /** Called when messages of a bot need not wait any longer: it is connected, disabled or deleted. */
  released: () => void;
  /** Called when a bot is about to be connected with another configuration. */
  changed?: (botUuid: string) => void;
  leases: Leases;
  /** Where replicas show each other the states of bots; null in the only one that works. */
  botStates: BotStateStore | null;
  timing?: Partial<RuntimeTiming>;
}

/** What a beat has read. */
export interface SeenByBots {
  /** Raised by each change of a record. */
  recordVersion: number;
  /** Raised by each state of a bot that is stored. */
  botStateVersion: number;
  /** The other replicas that work. */
  others: readonly string[];
}

/**
 * Maintains the connections of enabled bots, according to their records: of those whose lease this replica holds, and of
 * those that are connected in every replica.
 */
export class BotRuntime {
  readonly #store: BotStore;
  readonly #options: BotRuntimeOptions;
  readonly #timing: RuntimeTiming;
  /** What the records say. */
  readonly configs: BotConfigs;
  /** What adapters use of the service. */
  readonly contexts: BotContexts;
  readonly #leases: BotLeases;
  readonly #assignments: BotAssignments;
  /** Null in the only replica that works. */
  readonly #presence: BotPresence | null;
  readonly #bots = new Map<string, BotSupervisor>();
  /** Enabled bots that are not connected here. */
  readonly #held = new Set<string>();
  readonly #accounts: BotAccounts;
  readonly #arrivals = new BotArrivals((uuid, entry) => this.tell(uuid, entry));
  /** Internal bots of the service, whose states are not published. */
  readonly #internal = new Set<string>();
  readonly #madeAt = now();
  /** Those that are about to be another replica's. */
  readonly #leaving = new Set<string>();
  #isStarted = false;
  #isClosed = false;
  #isSuspended = false;
  /** All bots have to be connected again. */
  #isResuming = false;
  #others: readonly string[] = [];
  /** Of the records that the wanted leases match; null when those have to be compared again. */
  #recordVersion: number | null = null;
  #following: Promise<void> | null = null;
  /** How often the state of a bot has changed. */
  #changes = 0;

  constructor(store: BotStore, options: BotRuntimeOptions) {
    this.#store = store;
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    const { platforms, secrets, logger, network, publicUrl, botStates } = options;
    const testTimeout = this.#timing.test;
    this.configs = new BotConfigs({ platforms, secrets, logger, network, publicUrl, testTimeout });
    this.contexts = new BotContexts({
      ...options,
      arrivals: this.#arrivals,
      webhookUrl: (uuid) => this.configs.webhookUrl(uuid),
      storedAccount: (uuid) => this.storedAccount(uuid),
    });
    this.#presence = botStates === null ? null : new BotPresence(botStates, logger);
    this.#leases = new BotLeases(options.leases, {
      gained: (uuid) => void this.#apply(uuid, 0),
      released: (uuid) => this.#release(uuid),
      lost: (uuid) => void this.#end(uuid),
      isInUse: (uuid) => this.isRunning(uuid),
    });
    this.#assignments = new BotAssignments(store, this.configs, this.#leases);
    this.#accounts = new BotAccounts({
      bots: store,
      token: (uuid) => this.#leases.token(uuid),
      use: botStates && ((account) => botStates.useAccount(account)),
    });
  }

  /** From now on, messages of platforms go to a receiver. */
  deliverTo(receiver: MessageReceiver): void {
    this.#arrivals.receiver = receiver;
  }

  /** Starts connecting the bots of this replica. Waits for the fast ones; the others continue in the background. */
  async start(): Promise<void> {
    const { leased, bots } = await this.#compare();
    this.#isStarted = true;
    if (this.#others.length === 0) bots.push(...leased.filter((uuid) => !bots.includes(uuid)));
    await Promise.all(bots.map((uuid) => this.#apply(uuid, this.#timing.patienceAtStart)));
  }

  /** Ends all connections, in bounded time; messages of enabled bots wait. No new ones are made until {@link resume}. */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    await Promise.all([...this.#bots.values()].map((bot) => bot.withdraw()));
  }

  /** Connects the bots again, according to the records as they are now. Continues in the background. */
  async resume(): Promise<void> {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#isResuming = true;
    await this.#follow();
  }

  /** Call with each beat: another replica may have changed records or connected bots. */
  see({ recordVersion, botStateVersion, others }: SeenByBots): void {
    this.#others = others;
    this.#presence?.see({ others, botStateVersion });
    this.#leases.noteHolders();
    // An account may become known, or be renamed, while the bot is connected.
    for (const [uuid, bot] of this.#bots) if (bot.connection?.isUp) this.#show(uuid, bot.status);
    if (!this.#isStarted || this.#isClosed || this.#isSuspended || this.#following !== null) return;
    if (recordVersion === this.#recordVersion && !this.#isResuming) return;
    this.#following = this.#follow()
      .then(() => {
        this.#recordVersion = recordVersion;
      })
      .catch((error: unknown) => this.#options.logger.error({ error }, 'the records of bots could not be read'))
      .finally(() => {
        this.#following = null;
      });
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

  /** What needs its connection has reached this replica: it comes here, unless it is connected elsewhere. */
  bring(botUuid: string): void {
    this.#leases.bring(botUuid);
  }

  /** Whether a bot may take here soon what its platform sends: another replica has it still, or it starts. */
  mayCome(botUuid: string): boolean {
    return !this.#leases.isHeld(botUuid) || this.#bots.get(botUuid)?.status.state === 'starting';
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

  /** Whether a bot takes here what its platform sends. */
  isListening(botUuid: string): boolean {
    return this.#connected(botUuid, ['running', 'reconnecting']) !== null;
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

  /** Of a bot that another replica connects, as that has stored it. */
  status(botUuid: string): BotStatus {
    const known = this.#bots.get(botUuid)?.status;
    if (known !== undefined && this.#assignments.isHere(botUuid)) return known;
    const isEnabled = this.#assignments.isEnabled(botUuid);
    const elsewhere = isEnabled ? this.#elsewhere(botUuid) : null;
    if (elsewhere !== null) {
      const { state, reason, error, since } = elsewhere;
      return { state, reason, error, since };
    }
    const since = known?.since ?? this.#madeAt;
    // A replica is about to take its lease.
    const isAwaited = isEnabled && this.#others.length > 0;
    return { state: isAwaited ? 'starting' : 'stopped', reason: null, error: null, since };
  }

  /** The bots with a status of their own; all others are `stopped`. */
  statuses(): { uuid: string; state: BotState }[] {
    const uuids = new Set([...this.#bots.keys(), ...this.#assignments.uuids()]);
    return [...uuids].map((uuid) => ({ uuid, state: this.status(uuid).state }));
  }

  platform(name: string): InternalPlatform | undefined {
    return this.configs.platform(name);
  }

  /** The bot's own id on its platform; null until it is known. */
  accountId(botUuid: string): string | null {
    const elsewhere = this.#elsewhere(botUuid);
    return elsewhere !== null ? elsewhere.account_id : (this.#bots.get(botUuid)?.connection?.accountId ?? null);
  }

  /** The account that the bot is connected with, or was last, on any replica; null when it is not known. */
  storedAccount(botUuid: string): BotAccount | null {
    const { accountId: id = null, accountProfile: profile = null } = this.#bots.get(botUuid)?.connection ?? {};
    return id === null ? (this.#presence?.account(botUuid) ?? null) : { id, profile };
  }

  /** How people find that account; null until it is known. */
  accountProfile(botUuid: string): AccountProfile | null {
    const elsewhere = this.#elsewhere(botUuid);
    return elsewhere !== null
      ? elsewhere.account_profile
      : (this.#bots.get(botUuid)?.connection?.accountProfile ?? null);
  }

  /** Another text whenever the status or the account of a bot is another one, or there are other platforms. */
  shownState(): string {
    const accounts = [...this.#bots.values()].flatMap(({ connection }) => [
      connection?.accountId,
      connection?.accountProfile?.name,
    ]);
    return [this.#changes, this.#presence?.changes, this.configs.changes, ...accounts].join(' ');
  }

  /** What a bot that is connected here says to a chat that it was added to; empty for nothing. */
  welcomeText(botUuid: string): string {
    return welcomeTextIn(this.#bots.get(botUuid)?.connection?.wanted.config ?? {});
  }

  /** Whether chat commands are enabled. */
  takesCommands(botUuid: string): boolean {
    const adapter = this.#assignments.adapterOf(botUuid);
    return adapter === undefined || this.configs.platform(adapter)?.commands !== false;
  }

  /** The bots that are enabled and not connected here: their messages wait, or are another replica's. */
  heldBots(): readonly string[] {
    return [...this.#held];
  }

  /**
   * The bots whose messages this replica may claim.
   * @param waiting bots whose messages wait although they are connected
   */
  claimable(waiting: readonly string[]): ClaimableBots {
    if (this.#others.length === 0) return { except: [...this.#held, ...this.#leaving, ...waiting] };
    const isFree = (uuid: string) => !this.#leaving.has(uuid) && !waiting.includes(uuid);
    const connected = [...this.#bots].filter(([uuid, { connection }]) => connection?.isUp && isFree(uuid));
    return { only: connected.map(([uuid]) => uuid) };
  }

  /**
   * Why a bot is not running here. An enabled one is held from now on, whatever wrote its record, and is being connected
   * unless that is for another replica to do.
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
    return this.configs.wantedBy(record).config;
  }

  async #apply(botUuid: string, patience: number): Promise<void> {
    if (this.#isClosed || this.#isSuspended) return;
    let bot = this.#bots.get(botUuid);
    if (bot === undefined) {
      bot = this.#supervise(botUuid);
      this.#bots.set(botUuid, bot);
      this.#changes += 1;
    }
    const applied = patience > 0 ? this.#applyAndWait(bot, botUuid) : bot.apply();
    await inTime(applied, patience, () => undefined);
  }

  /** Waits for the lease as well, which comes with one of the next beats where no other replica takes it. */
  async #applyAndWait(bot: BotSupervisor, uuid: string): Promise<void> {
    await bot.apply();
    if (!this.#assignments.isEnabled(uuid) || this.#assignments.isHere(uuid)) return;
    await this.#leases.decided(uuid);
    if (this.#assignments.isHere(uuid)) await bot.apply();
  }

  #supervise(uuid: string): BotSupervisor {
    const { logger, stateEvents } = this.#options;
    const bot: BotSupervisor = new BotSupervisor({
      uuid,
      logger,
      isEnabled: this.#assignments.isEnabled(uuid),
      read: () => this.#store.storedByUuid(uuid),
      follow: (record) => this.#assignments.follow(uuid, record),
      wantedBy: (record) => {
        if (this.configs.platform(record.adapter)?.internal) this.#internal.add(uuid);
        return this.configs.wantedBy(record);
      },
      connect: (...given) => this.#connect(uuid, ...given),
      changed: (status) => {
        this.#changes += 1;
        this.tell(uuid, stateEntries[status.state](status));
        const state = status.state === 'stopped' && this.#isMoving(uuid) ? 'starting' : status.state;
        const { reason } = status;
        this.#show(uuid, { ...status, state });
        if (!this.#internal.has(uuid)) stateEvents.publish({ type: 'bot', data: { uuid, state, reason } });
        if (state === 'error') logger.error({ bot: uuid, reason, error: status.error }, 'a bot is not connected');
      },
      heldChanged: () => this.#setHeld(uuid, bot.isHeld),
      left: (wasDeleted) => {
        if (wasDeleted) {
          this.#bots.delete(uuid);
          this.#presence?.forget(uuid);
          this.#changes += 1;
        }
        this.#assignments.leave(uuid);
      },
    });
    return bot;
  }

  /**
   * Another replica is to have a bot: answers that are being sent through it end first. Without its platform they cannot, and
   * a client that is to connect there does not wait for long.
   */
  async #release(uuid: string): Promise<void> {
    this.#leaving.add(uuid);
    if (this.isRunning(uuid)) await inTime(this.#arrivals.receiver.idle(uuid), this.#timing.leave, () => undefined);
    // It may have been enabled again meanwhile.
    if (!this.#leases.holds(uuid)) await this.#end(uuid);
    this.#leaving.delete(uuid);
  }

  /** Whether another replica is about to connect a bot: it is not shown as stopped meanwhile. */
  #isMoving(uuid: string): boolean {
    return this.#leaving.has(uuid) && this.#others.length > 0 && this.#assignments.isEnabled(uuid);
  }

  async #end(uuid: string): Promise<void> {
    const ended = this.#bots.get(uuid)?.withdraw();
    // Its adapter and its sockets are given up after that time each.
    if (ended !== undefined) await inTime(ended, 3 * this.#timing.stop, () => undefined);
  }

  #elsewhere(uuid: string): SharedBotState | null {
    return this.#assignments.isHere(uuid) ? null : (this.#presence?.elsewhere(uuid) ?? null);
  }

  /** Brings wanted leases and connections up to the records. */
  async #follow(): Promise<void> {
    const isResuming = this.#isResuming;
    const { bots } = await this.#compare();
    if (isResuming) this.#isResuming = false;
    await Promise.all(bots.map((uuid) => this.#apply(uuid, 0)));
  }

  /**
   * Wants the leases of all enabled bots.
   * @returns the bots that are connected by one replica each, and those whose connections may not match their records
   */
  async #compare(): Promise<{ leased: string[]; bots: string[] }> {
    const { leased, changed, left } = await this.#assignments.compare();
    for (const uuid of leased) if (!this.#bots.has(uuid)) this.#setHeld(uuid, true);
    for (const uuid of left) {
      if (this.#bots.has(uuid)) continue;
      this.#assignments.leave(uuid);
      this.#setHeld(uuid, false);
    }
    const suspended = this.#isResuming ? this.#bots.keys() : [];
    const bots = [...new Set([...changed, ...left.filter((uuid) => this.#bots.has(uuid)), ...suspended])];
    return { leased, bots };
  }

  /** Shows a state to other replicas. */
  #show(uuid: string, status: BotStatus): void {
    if (this.#presence === null || !this.#assignments.isLeased(uuid)) return;
    const connection = this.#bots.get(uuid)?.connection ?? null;
    const { state, reason, error, since } = status;
    const [account_id, account_profile] = [connection?.accountId ?? null, connection?.accountProfile ?? null];
    const shown = { bot_uuid: uuid, state, reason, error, since, account_id, account_profile };
    this.#presence.show(shown, this.#leases.token(uuid));
  }

  #setHeld(uuid: string, isHeld: boolean): void {
    if (isHeld) this.#held.add(uuid);
    else if (this.#held.delete(uuid)) this.#options.released();
  }

  #connect(uuid: string, ...given: Parameters<BotSupervisorOptions['connect']>): BotConnection {
    const [wanted, changed, intakeClosed] = given;
    const { listen, socketCount, fenced, logger } = this.#options;
    this.#options.changed?.(uuid);
    return new BotConnection(wanted, {
      context: this.contexts.of(uuid, wanted, intakeClosed),
      createSockets: () => new BotSockets({ bot_uuid: uuid, listen, count: socketCount, fenced, logger }),
      useAccount: (account) => this.#accounts.use(uuid, wanted.platform, account),
      changed,
      timing: this.#timing,
      logger,
    });
  }

  #connected(botUuid: string, states: readonly BotState[]): ListeningBot | null {
    const connection = this.#bots.get(botUuid)?.connection ?? null;
    if (connection === null || !states.includes(connection.state)) return null;
    return connection.running;
  }
}

function notRunning(): ParleyError {
  return new ParleyError('bot_not_running', 'The bot is not connected to its platform');
}
