import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import manifest from '../package.json' with { type: 'json' };
import { createComponents, type Extensions } from './assembly/components.ts';
import { start } from './assembly/start.ts';
import { stop } from './assembly/stop.ts';
import { watchStorage } from './assembly/storage-watch.ts';
import type { Config, ConfigSources } from './config/index.ts';
import type { SetUp } from './core/accounts/first-account.ts';
import { RecentLogs } from './core/logs/recent-logs.ts';
import type { TaskService } from './core/tasks/task-service.ts';
import type { InventoryRoute } from './http/access.ts';
import { createLogger } from './kit/logger.ts';
import { startFault } from './storage/start-fault.ts';
import { databaseFile, openStorage, type Storage } from './storage/storage.ts';

export type { Extensions } from './assembly/components.ts';

const { version } = manifest;
// The same from the sources and from the built server, which are in folders beside each other.
const repository = join(import.meta.dirname, '..', '..');

/** The whole product, wired up. */
export interface Service {
  /**
   * Starts processing and listens.
   * @returns the address, `http://127.0.0.1:5300`
   * @throws AbortError when it was stopped while it waited
   */
  start(): Promise<string>;
  /**
   * Refuses new work, waits for what runs, closes everything. Safe to call more than once. Where other replicas work, it
   * first hands over to them, and answers requests until load balancers have noticed.
   * @param options.isUrgent not to wait for load balancers, which also ends that wait of an earlier call
   */
  stop(options?: { isUrgent?: boolean }): Promise<void>;
  /** Resolves with a message for the operator when a fatal error requires a stop. */
  failure: Promise<Error>;
  /** Set-up data for the first account, since the start; null when there was an account. */
  setUp(): SetUp | null;
  /** The names of the migrations that opening the storage applied. */
  migrated: readonly string[];
  /** Background work; work that is started here ends with the service. */
  tasks: TaskService;
  server: FastifyInstance;
  inventory: readonly InventoryRoute[];
}

/**
 * Builds the service.
 * @param sources of the settings, for display; settings without an entry count as defaults
 * @throws Error with a message for the operator when the storage cannot be opened
 */
export async function createService(
  config: Config,
  extensions: Extensions = {},
  sources: Partial<ConfigSources> = {},
): Promise<Service> {
  const recentLogs = new RecentLogs();
  let opened: Storage | null = null;
  const logger = createLogger(config.logLevel, {
    copy: recentLogs,
    // Lines of several replicas come together in one place.
    fields: () => (opened?.engine === 'postgres' ? { replica: opened.replica.id } : {}),
  });
  const storage = await openStorage(config, {
    version,
  });
  opened = storage;
  const inWords = (error: unknown) => (config.databaseUrl === null ? startFault(error, databaseFile(config)) : error);
  try {
    const components = await createComponents(config, extensions, {
      logger,
      storage,
      recentLogs,
      sources,
      version,
      repository,
    });
    const { state, drain, tasks, server, inventory } = components;
    let setUp: SetUp | null = null;
    let stopping: Promise<void> | null = null;
    const stopped = new AbortController();
    return {
      start: async () => {
        try {
          const started = await start(storage, components, stopped.signal);
          setUp = started.setUp;
          return started.address;
        } catch (error) {
          throw inWords(error);
        }
      },
      stop: ({ isUrgent = false } = {}) => {
        if (isUrgent) drain.skip();
        stopping ??= (async () => {
          if (drain.isUseful) await drain.run();
          state.isStopping = true;
          stopped.abort();
          await stop(storage, components);
        })();
        return stopping;
      },
      failure: watchStorage(storage, components),
      setUp: () => setUp,
      migrated: storage.migrated,
      tasks,
      server,
      inventory,
    };
  } catch (error) {
    await storage.close();
    throw inWords(error);
  }
}
