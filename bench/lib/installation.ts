import { setTimeout as delay } from 'node:timers/promises';
import { freshDatabase } from '../../server/test/postgres/fresh-database.ts';
import { startPostgres } from '../../server/test/postgres/postgres-server.ts';
import { queryDatabase } from '../../server/test/postgres/query-database.ts';
import { type EchoModel, startEchoModel } from '../fakes/echo-model.ts';
import type { EchoModelPace } from '../fakes/echo-model-program.ts';
import type { Messenger } from '../fakes/messenger.ts';
import { createAccount } from './program.ts';
import { type LaunchedServer, launchServer, type ServerProcess } from './server-process.ts';
import { dataDirectory, nodeOptions, serviceEnvironment, withFolder } from './service-process.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

export interface InstallationOptions {
  engine: Engine;
  /** Each gets a bot of its own, bound to the default pipeline. */
  messengers: readonly Messenger[];
  /** How the model writes. Default: at once. */
  pace?: EchoModelPace;
  /** Address of a PostgreSQL server that is there already; without one, a server of its own is started. */
  postgresUrl?: string;
  /** Folder in which the service leaves a profile of its processor time when it ends in good order. */
  profileFolder?: string;
  /** The tree whose service is started. Default: this one. */
  directory?: string;
}

/** A service with everything around it that people need to chat with its model. */
export interface Installation {
  model: EchoModel;
  messengers: readonly Messenger[];
  /** Of a program that may do everything. */
  key: string;
  /** Where the ledger is. */
  place: { dataDir: string; databaseUrl: string | null };
  /** The process of the database server; null without one, or where the system does not tell. */
  databasePid: number | null;
  /**
   * Starts the service, whose data outlives it. Whatever runs at the end is ended.
   * @param environment more environment variables
   */
  launch(environment?: Readonly<Record<string, string>>): LaunchedServer;
}

/**
 * Sets a new service up, stops it, and lets it be used. The default pipeline asks the echoing model, and takes any
 * number of messages from a conversation; all else is as it comes.
 */
export async function withInstallation<Result>(
  options: InstallationOptions,
  use: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  return await withFolder((folder) =>
    withDatabase(options, async (databaseUrl) => {
      const model = await startEchoModel(options.pace);
      const launched = new Set<LaunchedServer>();
      const launch = (profiling: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) => {
        const service = launchServer(
          [...nodeOptions, ...profiling, 'bench/service/start.ts'],
          {
            ...serviceEnvironment(folder),
            // A file with settings in the checkout is none of a benchmark's business.
            PARLEY_CONFIG_FILE: '/dev/null',
            ...(databaseUrl === null ? {} : { PARLEY_DATABASE_URL: databaseUrl }),
            ...environment,
          },
          { channel: true, ...(options.directory !== undefined && { directory: options.directory }) },
        );
        launched.add(service);
        void service.ended.then(() => launched.delete(service));
        return service;
      };
      try {
        const key = await setUp(launch(), model, options.messengers);
        const profiling = profilingOptions(options.profileFolder);
        const place = { dataDir: dataDirectory(folder), databaseUrl };
        const { messengers } = options;
        const databasePid = databaseUrl === null ? null : await serverPid(databaseUrl);
        const launchProfiled: Installation['launch'] = (environment) => launch(profiling, environment);
        return await use({ model, messengers, key, place, databasePid, launch: launchProfiled });
      } finally {
        for (const service of launched) await service.kill();
        await model.close();
      }
    }),
  );
}

/** Longest time a service may take from its start until its bots are connected, milliseconds. */
const connectMs = 60_000;

/** Starts the service, waits for its bots, and stops it whatever happens. */
export async function withRunning<Result>(
  installation: Installation,
  use: (service: ServerProcess) => Promise<Result>,
): Promise<Result> {
  const launched = installation.launch();
  const service = { ...launched, address: await launched.ready };
  try {
    await botsConnected(launched, installation);
    return await use(service);
  } finally {
    await service.stop();
  }
}

/** Waits until a service is ready and all of its bots are connected. @throws Error when that takes too long */
export async function botsConnected(service: LaunchedServer, { messengers }: Installation): Promise<void> {
  const end = new AbortController();
  const late = delay(connectMs, 'late', { signal: end.signal });
  const up = Promise.all([service.ready, ...messengers.map((messenger) => messenger.connected())]).then(() => 'up');
  const came = await Promise.race([up, late]).finally(() => end.abort());
  if (came === 'late') throw new Error(`The bots were not connected in time:\n${service.output()}`);
}

function profilingOptions(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

async function withDatabase<Result>(
  { engine, postgresUrl }: InstallationOptions,
  use: (url: string | null) => Promise<Result>,
): Promise<Result> {
  if (engine === 'sqlite') return await use(null);
  const server = postgresUrl === undefined ? await startPostgres() : null;
  try {
    const database = await freshDatabase(server?.url ?? postgresUrl ?? '');
    try {
      return await use(database.url);
    } finally {
      await database.drop();
    }
  } finally {
    await server?.stop();
  }
}

/** The process of the server; null for one elsewhere, or where the account may not read its files. */
export async function serverPid(url: string): Promise<number | null> {
  if (!['127.0.0.1', 'localhost'].includes(new URL(url).hostname)) return null;
  try {
    const [row] = await queryDatabase(url, "select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid");
    return Number(row?.pid);
  } catch {
    return null;
  }
}

async function setUp(service: LaunchedServer, model: EchoModel, messengers: readonly Messenger[]): Promise<string> {
  const account = await createAccount(await service.ready);
  const provider = await account.call('POST', '/api/v1/provider/providers', {
    name: 'Echo',
    requester: 'openai-chat-completions',
    base_url: model.baseUrl,
    api_keys: ['sk-0123456789abcdefghij'],
  });
  const { uuid } = await account.call('POST', '/api/v1/provider/models/llm', {
    name: 'echo',
    provider_uuid: provider.uuid,
  });
  const { pipelines } = await account.call('GET', '/api/v1/pipelines');
  const path = `/api/v1/pipelines/${pipelines[0].uuid}`;
  const { pipeline } = await account.call('GET', path);
  const { config } = pipeline;
  config.ai['local-agent'].model.primary = uuid;
  config.safety['rate-limit'].limitation = 1_000_000;
  await account.call('PUT', path, { config });
  for (const { adapter, adapterConfig } of messengers) {
    await account.call('POST', '/api/v1/platform/bots', {
      name: adapter,
      adapter,
      adapter_config: adapterConfig,
      enable: true,
      use_pipeline_uuid: pipelines[0].uuid,
    });
  }
  const { key } = await account.call('POST', '/api/v1/apikeys', {
    name: 'benchmark',
    scopes: ['read', 'write', 'send', 'admin'],
  });
  await service.stop();
  return key.key;
}
