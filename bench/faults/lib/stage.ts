import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Remote, startChildProgram } from '../../lib/child-program.ts';
import { type Caller, caller, createAccount } from '../../lib/program.ts';
import { type LaunchedServer, launchServer, type ProcessExit } from '../../lib/server-process.ts';
import { nodeOptions, serviceEnvironment, startArguments } from '../../lib/service-process.ts';
import type { Evidence, Incident } from '../judge.ts';
import type { ModelFunctions } from '../model-program.ts';
import { present } from '../record.ts';
import type { TelegramFunctions } from '../telegram/telegram-program.ts';
import { readListed } from './listed-messages.ts';

/** A bot of the service under test. */
export interface StageBot {
  name: string;
  streaming: boolean;
  /** Whether the platform calls the service. Default: the service polls. */
  webhook?: boolean;
  /** More fields of its record. */
  record?: Record<string, unknown>;
}

export interface StageOptions {
  /** Folder for the data and the compiled modules of the service. It outlives the stage. */
  folder: string;
  /** Null for SQLite. */
  databaseUrl: string | null;
  bots: readonly StageBot[];
  /** The source tree that the service is started from. Default: this repository. */
  tree?: string;
  /** More settings of the service. */
  environment?: Record<string, string>;
  /** See the judge's evidence. */
  wireMs?: number;
  log(line: string): void;
}

/** A service, a fake Telegram and a fake model, each a process of its own. */
export interface Stage {
  telegram: Remote<TelegramFunctions>;
  model: Remote<ModelFunctions>;
  bots: readonly StageBot[];
  /** An API key that may do everything. */
  readonly key: string;
  /** What was done to them so far, oldest first. */
  incidents: Incident[];
  log(line: string): void;
  /**
   * Starts a service. More than one may run.
   * @param environment settings of this one only
   * @param from the source tree of this one only
   */
  launch(environment?: Record<string, string>, from?: string): LaunchedServer;
  /** Waits for a service and for its bots to poll. @throws Error with its output when it takes too long */
  connected(service: LaunchedServer): Promise<string>;
  /** Ends a service at once and notes the incident. */
  kill(service: LaunchedServer): Promise<void>;
  /** Asks a service to end, waits for that and notes the incident. */
  terminate(service: LaunchedServer): Promise<ProcessExit & { seconds: number }>;
  /** Calls the API of a running service. */
  api(address: string): Caller;
  /**
   * Waits until nothing is pending and users have seen nothing new for a while.
   * @returns whether that came about in time
   */
  drained(service: LaunchedServer, patienceSeconds: number): Promise<boolean>;
  /** Everything a judge needs. The service has to run. */
  evidence(service: LaunchedServer): Promise<Evidence>;
}

/** How long a service may take to connect its bots, milliseconds. */
export const connectMs = 90_000;
/** How long users must have seen nothing new, milliseconds. */
const quietMs = 2500;
const tagProcess = fileURLToPath(new URL('../tag-process.mjs', import.meta.url));

/** Sets a new service up, stops it, and lets it be used. Every process has ended afterwards. */
export async function withStage<Result>(
  options: StageOptions,
  use: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const telegram = await startChildProgram<TelegramFunctions>(
    new URL('../telegram/telegram-program.ts', import.meta.url),
  );
  const model = await startChildProgram<ModelFunctions>(new URL('../model-program.ts', import.meta.url));
  const launched = new Set<LaunchedServer>();
  const { folder, databaseUrl, tree, environment = {}, bots, log, wireMs } = options;
  let key = '';
  const launch = (more: Record<string, string> = {}, from = tree) => {
    const service = launchServer(
      ['--import', tagProcess, ...(from === undefined ? startArguments : [...nodeOptions, 'server/start.js'])],
      {
        ...serviceEnvironment(folder),
        PARLEY_CONFIG_FILE: '/dev/null',
        PARLEY_LOG_LEVEL: 'warn',
        ...(databaseUrl === null ? {} : { PARLEY_DATABASE_URL: databaseUrl }),
        ...environment,
        ...more,
      },
      { channel: true, ...(from === undefined ? {} : { directory: from }) },
    );
    launched.add(service);
    void service.ended.then(() => launched.delete(service));
    return service;
  };
  const stage: Stage = {
    telegram: telegram.call,
    model: model.call,
    bots,
    get key() {
      return key;
    },
    incidents: [],
    log,
    launch,
    connected: async (service) => {
      const polling = bots.filter(({ webhook }) => webhook !== true).length;
      const polled = async () => (await telegram.call.status()).polled.length === polling;
      const address = await inTime(service.ready, connectMs, service);
      await until(polled, connectMs, service);
      return address;
    },
    kill: async (service) => {
      stage.incidents.push({ from: present(), until: present(), process: service.pid });
      await service.kill();
    },
    terminate: async (service) => {
      const begun = present();
      process.kill(service.pid, 'SIGTERM');
      const exit = await service.ended;
      stage.incidents.push({ from: present(), until: present(), process: service.pid });
      return { ...exit, seconds: (present() - begun) / 1000 };
    },
    api: (address) => caller(address, { 'x-api-key': key }),
    drained: async (service, patienceSeconds) => {
      const api = stage.api(await service.ready);
      const deadline = present() + patienceSeconds * 1000;
      while (present() < deadline) {
        const { pending, quietMs: quiet } = await telegram.call.status();
        if (pending === 0 && quiet > quietMs && !(await hasOpen(api))) return true;
        await inTime(delay(500), 1000, service);
      }
      return false;
    },
    evidence: async (service) => ({
      listed: await readListed(stage.api(await service.ready)),
      record: await telegram.call.record(),
      incidents: stage.incidents,
      ...(wireMs === undefined ? {} : { wireMs }),
      modelCalls: await model.call.calls(),
    }),
  };
  try {
    const service = launch();
    key = await setUp(await inTime(service.ready, connectMs, service), stage);
    await stage.connected(service);
    await stage.terminate(service);
    stage.incidents.length = 0;
    return await use(stage);
  } finally {
    for (const service of launched) await service.kill();
    await telegram.close();
    await model.close();
  }
}

async function hasOpen(api: Caller): Promise<boolean> {
  for (const state of ['received', 'processing']) {
    const page = await api.call('GET', `/api/v1/messages?direction=inbound&state=${state}&limit=1`).catch(() => null);
    if (page === null || page.messages.length > 0) return true;
  }
  return false;
}

/** @throws Error with the output of the service when that ends or the time does */
export async function inTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  service: LaunchedServer,
): Promise<Value> {
  const end = new AbortController();
  const fail = (what: string) => {
    throw new Error(`The service ${what}:\n${service.output()}`);
  };
  const late = delay(milliseconds, undefined, { signal: end.signal }).then(
    () => fail('took too long'),
    () => fail('was not waited for'),
  );
  late.catch(() => undefined);
  const ended = service.ended.then(() => fail('ended by itself'));
  ended.catch(() => undefined);
  try {
    return (await Promise.race([promise, late, ended])) as Value;
  } finally {
    end.abort();
  }
}

/** Waits for a condition. @throws Error as {@link inTime} */
export async function until(
  condition: () => Promise<boolean>,
  milliseconds: number,
  service: LaunchedServer,
): Promise<void> {
  const deadline = present() + milliseconds;
  while (!(await condition())) {
    if (present() > deadline) throw new Error(`The service took too long:\n${service.output()}`);
    await inTime(delay(50), 1000, service);
  }
}

/** @returns an API key that may do everything */
async function setUp(address: string, { telegram, model, bots }: Stage): Promise<string> {
  const account = await createAccount(address);
  const provider = await account.call('POST', '/api/v1/provider/providers', {
    name: 'Fake',
    requester: 'openai-chat-completions',
    base_url: await model.address(),
    api_keys: ['sk-0123456789abcdefghij'],
  });
  const { uuid } = await account.call('POST', '/api/v1/provider/models/llm', {
    name: 'fake',
    provider_uuid: provider.uuid,
  });
  const { pipelines } = await account.call('GET', '/api/v1/pipelines');
  const path = `/api/v1/pipelines/${pipelines[0].uuid}`;
  const { pipeline } = await account.call('GET', path);
  const { config } = pipeline;
  config.ai['local-agent'].model.primary = uuid;
  config.ai['local-agent']['max-round'] = 1;
  config.safety['rate-limit'].limitation = 1_000_000;
  config.output['long-text-processing'].strategy = 'none';
  await account.call('PUT', path, { config });
  for (const [index, { name, streaming, webhook = false, record }] of bots.entries()) {
    const token = `${100_000 + index}:AAfake-token_of_${name}`;
    await telegram.addBot(name, token);
    await account.call('POST', '/api/v1/platform/bots', {
      name,
      adapter: 'telegram',
      adapter_config: {
        token,
        api_base_url: await telegram.address(),
        'enable-stream-reply': streaming,
        'enable-webhook': webhook,
      },
      enable: true,
      use_pipeline_uuid: pipelines[0].uuid,
      ...record,
    });
  }
  const { key } = await account.call('POST', '/api/v1/apikeys', {
    name: 'faults',
    scopes: ['read', 'write', 'send', 'admin'],
  });
  return key.key;
}
