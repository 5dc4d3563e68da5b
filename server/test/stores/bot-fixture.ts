import { fakePlatformContext, silentLogger } from '@parley/sdk/testing';
import { AdapterLogins } from '../../src/core/bots/adapter-logins.ts';
import { AdapterStates } from '../../src/core/bots/adapter-states.ts';
import type { BotState, CreateBot, NewBot } from '../../src/core/bots/bot.ts';
import type { BotEventEntry } from '../../src/core/bots/bot-event.ts';
import { BotRuntime } from '../../src/core/bots/bot-runtime.ts';
import { BotService } from '../../src/core/bots/bot-service.ts';
import { SocketCount } from '../../src/core/bots/bot-sockets.ts';
import type { BotStateStore } from '../../src/core/bots/bot-state-store.ts';
import type { MessageReceiver } from '../../src/core/bots/message-receiver.ts';
import { ReplayGuard } from '../../src/core/bots/replay-guard.ts';
import type { RuntimeTiming } from '../../src/core/bots/runtime-timing.ts';
import { StateEvents } from '../../src/core/events/state-events.ts';
import { type Leases, SoleLeases } from '../../src/core/replicas/leases.ts';
import { now } from '../../src/lib/clock.ts';
import { Registry } from '../../src/lib/registry.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { AdapterValues } from '../../src/storage/bots/adapter-values.ts';
import { KyselyBotStore } from '../../src/storage/bots/kysely-bot-store.ts';
import { UsedRequests } from '../../src/storage/bots/used-requests.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { anyAddress } from '../factories/any-address.ts';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { openTestStorage } from './open-test-storage.ts';

/** Times that tests need not wait for. */
const quick: RuntimeTiming = {
  start: 10_000,
  stop: 1000,
  firstPause: 1,
  longestPause: 5,
  stable: 60_000,
  test: 5000,
  patience: 5000,
  leave: 5000,
  patienceAtStart: 5000,
};

/** Bots on a fake platform, with their events, on a new SQLite database. */
export interface BotFixture {
  storage: Storage;
  store: KyselyBotStore;
  secrets: SecretBox;
  fake: FakePlatform;
  runtime: BotRuntime;
  service: BotService;
  /** Events: bot, state, reason. */
  states: [string, BotState, string | null][];
  /** Entries of the event logs. */
  events: [string, BotEventEntry][];
  /** Everything that was logged, as one text. */
  logged: () => string;
  /** How often the dispatcher was woken. */
  released: () => number;
  /** Creates an enabled bot of the fake platform. @returns its uuid */
  create: (over?: Partial<CreateBot>) => Promise<string>;
  /** Stores a record without notifying. @returns its uuid */
  insert: (over?: Partial<NewBot>) => Promise<string>;
  state: (uuid: string) => BotState;
  close: () => Promise<void>;
}

export interface BotFixtureOptions {
  timing?: Partial<RuntimeTiming>;
  idle?: MessageReceiver['idle'];
  receive?: MessageReceiver['receive'];
  receiveAll?: MessageReceiver['receiveAll'];
  reportFailure?: MessageReceiver['reportFailure'];
  receiveNotice?: MessageReceiver['receiveNotice'];
  publicUrl?: string;
  leases?: Leases;
  botStates?: BotStateStore;
  fake?: FakePlatform;
  /** Additional platforms. */
  others?: FakePlatform[];
  maximumBots?: number;
  defaultPipeline?: () => Promise<{ uuid: string } | null>;
}

export async function openBotFixture(options: BotFixtureOptions = {}): Promise<BotFixture> {
  const storage = await openTestStorage('sqlite');
  const store = new KyselyBotStore(storage.database, storage.engine);
  const secrets = new SecretBox(Buffer.alloc(32, 1));
  const fake = options.fake ?? createFakePlatform();
  const states: BotFixture['states'] = [];
  const events: BotFixture['events'] = [];
  const log: unknown[] = [];
  const write = (...entry: unknown[]) => void log.push(entry);
  const stateEvents = new StateEvents();
  stateEvents.watch(({ data }) => {
    const { uuid, state, reason } = data as { uuid: string; state: BotState; reason: string | null };
    states.push([uuid, state, reason]);
  });
  let released = 0;
  const runtime = new BotRuntime(store, {
    platforms: new Registry([fake, ...(options.others ?? [])].map(({ platform }) => platform)),
    secrets,
    logger: { ...silentLogger, error: write, warn: write, info: write },
    facilities: fakePlatformContext(),
    states: new AdapterStates(new AdapterValues(storage.database, storage.replica), secrets),
    replayGuard: new ReplayGuard(new UsedRequests(storage.database, storage.replica)),
    webhookSecret: (bot) => `secret of ${bot}`,
    fetchFor: () => globalThis.fetch,
    listen: () => Promise.reject(new Error('The test does not expect this')),
    socketCount: new SocketCount({ perBot: 3, inAll: 4 }),
    network: () => fakePlatformContext(),
    publicUrl: options.publicUrl ?? null,
    events: { append: (bot, entry) => void events.push([bot, entry]) },
    stateEvents,
    leases: options.leases ?? new SoleLeases({ id: storage.replica.id, mayWork: true }),
    botStates: options.botStates ?? null,
    released: () => {
      released += 1;
    },
    timing: { ...quick, longestPause: options.timing?.firstPause ?? quick.longestPause, ...options.timing },
  });
  runtime.deliverTo({
    receive:
      options.receive ?? (async () => ({ outcome: 'accepted', uuid: newUuid(), sequence: 1, created_at: now() })),
    receiveAll:
      options.receiveAll ??
      (async (_, all) => all.map(() => ({ status: 'rejected', reason: new Error('The test does not expect this') }))),
    reportFailure: options.reportFailure ?? (async () => undefined),
    idle: options.idle ?? (async () => undefined),
    receiveNotice: options.receiveNotice ?? (() => Promise.reject(new Error('The test does not expect this'))),
  });
  const service = new BotService(store, {
    runtime,
    addresses: anyAddress,
    secrets,
    events: { window: async () => ({ logs: [], total_count: 0 }) },
    logins: new AdapterLogins(),
    defaultPipeline: options.defaultPipeline ?? (async () => null),
    maximumBots: options.maximumBots ?? -1,
    address: () => options.publicUrl ?? null,
  });
  return {
    storage,
    store,
    secrets,
    fake,
    runtime,
    service,
    states,
    events,
    logged: () => log.map((entry) => JSON.stringify(entry, showErrors)).join('\n'),
    released: () => released,
    create: (over = {}) =>
      service.create({ name: 'Bot', adapter: fake.platform.name, adapter_config: {}, enable: true, ...over }),
    insert: async (over = {}) => {
      const bot: NewBot = {
        uuid: newUuid(),
        name: 'Bot',
        description: '',
        adapter: fake.platform.name,
        adapter_config: {},
        sealed_secrets: null,
        enable: true,
        use_pipeline_uuid: null,
        created_at: now(),
        updated_at: now(),
        ...over,
      };
      await store.create(bot);
      return bot.uuid;
    },
    state: (uuid) => runtime.status(uuid).state,
    close: async () => {
      await runtime.stop();
      await storage.close();
    },
  };
}

function showErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? `${value.stack}` : value;
}
