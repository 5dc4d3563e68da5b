import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshDatabase } from '../../server/test/postgres/fresh-database.ts';
import { type PostgresServer, startPostgres } from '../../server/test/postgres/postgres-server.ts';
import { freePort } from '../../server/test/shared/free-port.ts';
import { connectMs, inTime, type Stage, type StageBot, withStage } from '../faults/lib/stage.ts';
import type { LaunchedServer } from '../lib/server-process.ts';
import { dataDirectory, withFolder } from '../lib/service-process.ts';
import { type Balancer, startBalancer } from './balancer.ts';

export interface GroupOptions {
  bots: readonly StageBot[];
  /** Whether the processes reach each other. Default: true. */
  channel?: boolean;
  tree?: string;
  environment?: Record<string, string>;
  /** Of the database as the processes see it; the server's by default. @param url of the server's */
  through?(url: string, server: PostgresServer): Promise<{ url: string; close(): Promise<void> }>;
  log(line: string): void;
}

/** Several processes on one database and one folder of files, behind a balancer. */
export interface Group {
  stage: Stage;
  balancer: Balancer;
  server: PostgresServer;
  /** Of the database itself. */
  databaseUrl: string;
  /** The processes by their place; those that run. */
  running: Map<number, LaunchedServer>;
  /**
   * Starts a process on the data folder of a place, and waits until it is ready, or ended here.
   * @param environment more settings
   * @param from another source tree
   */
  start(place: number, environment?: Record<string, string>, from?: string): Promise<LaunchedServer>;
  /** Ends one without a warning. */
  kill(place: number): Promise<void>;
  /** Asks one to end, and waits for that. */
  stop(place: number): Promise<void>;
}

/** Sets a service up and lets its processes be used. Nothing of it is left. */
export async function withGroup<Result>(
  options: GroupOptions,
  use: (group: Group) => Promise<Result>,
): Promise<Result> {
  const { bots, channel = true, tree, log, through } = options;
  return await withFolder(async (folder) => {
    const server = await startPostgres();
    const balancer = await startBalancer();
    const files = join(folder, 'shared-files');
    mkdirSync(files);
    let way: { url: string; close(): Promise<void> } | null = null;
    try {
      const { url: databaseUrl } = await freshDatabase(server.url);
      way = (await through?.(databaseUrl, server)) ?? null;
      const environment = {
        PARLEY_SECRET_KEY: randomBytes(32).toString('base64'),
        PARLEY_FILES_FOLDER: files,
        PARLEY_MAX_SOCKETS_PER_CALLER: '1000',
        ...options.environment,
      };
      const stageOptions = { folder, databaseUrl: way?.url ?? databaseUrl, bots, environment, log };
      return await withStage({ ...stageOptions, ...(tree === undefined ? {} : { tree }) }, async (stage) => {
        const running = new Map<number, LaunchedServer>();
        const end = async (place: number, how: 'kill' | 'terminate') => {
          const service = running.get(place);
          if (service === undefined) throw new Error(`No process runs at place ${place}`);
          running.delete(place);
          if (how === 'kill') balancer.remove(service.pid);
          await stage[how](service);
          balancer.remove(service.pid);
        };
        const start: Group['start'] = async (place, more = {}, from) => {
          const own: Record<string, string> = channel
            ? { PARLEY_REPLICA_ADDRESS: `127.0.0.1:${await freePort()}` }
            : {};
          const dataDir = place === 0 ? dataDirectory(folder) : join(folder, `data-${place}`);
          const port = await freePort();
          const reached = { PARLEY_PORT: `${port}`, PARLEY_PUBLIC_URL: balancer.address };
          const service = stage.launch({ PARLEY_DATA_DIR: dataDir, ...reached, ...own, ...more }, from);
          running.set(place, service);
          const isReady = inTime(service.ready, connectMs, service).then(() => true);
          // It may be ended while it starts.
          const isUp = await isReady.catch((error: unknown) => {
            if (running.get(place) !== service) return false;
            throw error;
          });
          if (!isUp) return service;
          balancer.add({ address: `http://127.0.0.1:${port}`, pid: service.pid });
          return service;
        };
        return await use({
          stage,
          balancer,
          server,
          databaseUrl,
          running,
          start,
          kill: (place) => end(place, 'kill'),
          stop: (place) => end(place, 'terminate'),
        });
      });
    } finally {
      await balancer.close();
      await way?.close();
      await server.stop();
    }
  });
}
