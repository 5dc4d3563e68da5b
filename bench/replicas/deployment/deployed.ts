import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ComposeService } from '../../../server/test/deployment/compose-file.ts';
import {
  type Deployment,
  readDeployment,
  replicasOf,
  upstreams,
} from '../../../server/test/deployment/deploy-files.ts';
import { startPostgres } from '../../../server/test/postgres/postgres-server.ts';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import { freePort } from '../../../server/test/shared/free-port.ts';
import { connectMs, inTime, withStage } from '../../faults/lib/stage.ts';
import { type LaunchedServer, launchServer } from '../../lib/server-process.ts';
import { withFolder } from '../../lib/service-process.ts';
import { type Balancer, startBalancer } from '../balancer.ts';
import { telegramBots } from '../everyone.ts';
import type { Group } from '../group.ts';
import { type Health, HealthChecks } from './health.ts';
import { isNginxInstalled, startNginx } from './nginx.ts';

/** The services of `deploy/compose.yaml`, as processes of this machine. */
export interface Deployed {
  /** Its places are those of the replicas in the file. */
  group: Group;
  /** Stops a replica as Compose does. @returns seconds, and whether it had to be killed */
  stop(place: number): Promise<{ seconds: number; isKilled: boolean }>;
  /** Starts it again and waits until it is healthy. */
  start(place: number): Promise<void>;
  /** Ends the checks, and tells what they found. */
  health(): Promise<Health>;
  balancer: 'nginx' | 'node';
}

const tagProcess = fileURLToPath(new URL('../../faults/tag-process.mjs', import.meta.url));

/** Starts everything, in the order and with the settings of the file: only addresses, ports and folders are others. */
export async function withDeployment<Result>(
  log: (line: string) => void,
  use: (deployed: Deployed) => Promise<Result>,
): Promise<Result> {
  return await withFolder(async (folder) => {
    const port = await freePort();
    const secrets = {
      POSTGRES_PASSWORD: randomBytes(16).toString('hex'),
      PARLEY_SECRET_KEY: randomBytes(32).toString('base64'),
    };
    const deployment = readDeployment({ ...secrets, PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}` });
    const server = await startPostgres();
    const balancers: Balancer[] = [];
    try {
      const local = await LocalServices.of(deployment, { folder, port, database: new URL(server.url) });
      const [name, postgres] = local.database;
      await createDatabase(server.url, postgres.environment);
      const checks = new HealthChecks({ PGPORT: new URL(server.url).port });
      await checks.healthy(name, postgres.health);
      const [first] = local.replicas;
      const settings = local.environment(...(first as [string, ComposeService]));
      const { PARLEY_DATABASE_URL: databaseUrl = '', PARLEY_SECRET_KEY = '', PARLEY_FILES_FOLDER = '' } = settings;
      const environment = { PARLEY_SECRET_KEY, PARLEY_FILES_FOLDER };
      return await withStage({ folder, databaseUrl, bots: telegramBots, environment, log }, async (stage) => {
        const running = new Map<number, LaunchedServer>();
        const isNginx = isNginxInstalled();
        const localised = (text: string) => local.text(text);
        const balancer = isNginx
          ? await startNginx({ configuration: deployment.nginx, folder, port, localised })
          : await startBalancer(port);
        balancers.push(balancer);
        const launch = (place: number): LaunchedServer => {
          const [replica, service] = local.replicas[place] as [string, ComposeService];
          const [, ...command] = deployment.image.command;
          const launched = launchServer(['--import', tagProcess, ...command], local.environment(replica, service), {
            channel: true,
          });
          running.set(place, launched);
          balancer.add({ address: local.address(replica), pid: launched.pid });
          return launched;
        };
        const start = async (place: number) => {
          const [replica, service] = local.replicas[place] as [string, ComposeService];
          const launched = launch(place);
          await inTime(checks.healthy(replica, local.health(replica, service)), connectMs, launched);
          checks.resume(replica);
          return launched;
        };
        const stop = async (place: number) => {
          const [replica, { stopGracePeriod }] = local.replicas[place] as [string, ComposeService];
          const service = running.get(place) as LaunchedServer;
          checks.rest(replica);
          const end = new AbortController();
          const late = delay(stopGracePeriod, null, { signal: end.signal }).catch(() => undefined);
          const stopping = stage.terminate(service);
          const isKilled = (await Promise.race([stopping, late])) === null;
          end.abort();
          if (isKilled) await service.kill();
          running.delete(place);
          balancer.remove(service.pid);
          return { seconds: (await stopping).seconds, isKilled };
        };
        const group: Group = {
          stage,
          balancer,
          server,
          databaseUrl,
          running,
          start,
          kill: (place) => stage.kill(running.get(place) as LaunchedServer),
          stop: async (place) => void (await stop(place)),
        };
        try {
          await Promise.all(local.replicas.map((_, place) => start(place)));
          for (const [replica, service] of local.services) {
            const health = local.health(replica, service);
            await checks.healthy(replica, health);
            checks.watch(replica, health);
          }
          return await use({
            group,
            stop,
            start: async (place) => void (await start(place)),
            health: () => checks.close(),
            balancer: isNginx ? 'nginx' : 'node',
          });
        } finally {
          await checks.close();
          for (const launched of running.values()) await launched.kill();
        }
      });
    } finally {
      for (const balancer of balancers) await balancer.close();
      await server.stop();
    }
  });
}

/** What the image of PostgreSQL does with its variables when its volume is empty. */
async function createDatabase(url: string, environment: Record<string, string>): Promise<void> {
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '', POSTGRES_DB = '' } = environment;
  await queryDatabase(url, `create role ${POSTGRES_USER} superuser login password '${POSTGRES_PASSWORD}'`);
  await queryDatabase(url, `create database ${POSTGRES_DB} owner ${POSTGRES_USER}`);
}

interface Place {
  folder: string;
  /** Of nginx. */
  port: number;
  database: URL;
}

/** Translates addresses and folders of the file to those of this machine. */
class LocalServices {
  readonly #deployment: Deployment;
  readonly #folder: string;
  /** Addresses of this machine by those of the file, `replica-1:5300`. */
  readonly #addresses: ReadonlyMap<string, string>;
  readonly replicas: readonly [name: string, service: ComposeService][];

  private constructor(deployment: Deployment, folder: string, addresses: ReadonlyMap<string, string>) {
    this.#deployment = deployment;
    this.#folder = folder;
    this.#addresses = addresses;
    this.replicas = replicasOf(deployment);
  }

  static async of(deployment: Deployment, { folder, port, database }: Place): Promise<LocalServices> {
    const addresses = new Map<string, string>();
    for (const [name, { environment, ports }] of deployment.services) {
      const { PARLEY_REPLICA_ADDRESS: address } = environment;
      if (address !== undefined) addresses.set(address, `127.0.0.1:${await freePort()}`);
      for (const published of ports) addresses.set(`${name}:${published.split(':').at(-1)}`, `127.0.0.1:${port}`);
      if (environment.POSTGRES_DB !== undefined) addresses.set(`${name}:5432`, `127.0.0.1:${database.port}`);
    }
    for (const upstream of upstreams(deployment)) {
      addresses.set(`${upstream.host}:${upstream.port}`, `127.0.0.1:${await freePort()}`);
    }
    return new LocalServices(deployment, folder, addresses);
  }

  get services(): ReadonlyMap<string, ComposeService> {
    return this.#deployment.services;
  }

  get database(): [name: string, service: ComposeService] {
    const found = [...this.services].find(([, { environment }]) => environment.POSTGRES_DB !== undefined);
    if (found === undefined) throw new Error('The file has no PostgreSQL');
    return found;
  }

  text(text: string): string {
    let replaced = text;
    for (const [address, local] of this.#addresses) replaced = replaced.replaceAll(address, local);
    return replaced;
  }

  /** Of the port that nginx passes requests to, `http://127.0.0.1:5300`. */
  address(replica: string): string {
    const upstream = upstreams(this.#deployment).find(({ host }) => host === replica);
    if (upstream === undefined) throw new Error(`nginx passes nothing to ${replica}`);
    return `http://${this.#addresses.get(`${replica}:${upstream.port}`)}`;
  }

  /** What a replica is started with. */
  environment(replica: string, { environment, mounts }: ComposeService): Record<string, string> {
    const all = Object.entries({ ...this.#deployment.image.environment, ...environment });
    const local = all.map(([name, value]) => {
      const volume = mounts[value];
      if (volume === undefined) return [name, this.text(value)] as const;
      const path = join(this.#folder, 'volumes', volume);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return [name, path] as const;
    });
    const { hostname, port } = new URL(this.address(replica));
    return {
      ...Object.fromEntries(local),
      PARLEY_HOST: hostname,
      PARLEY_PORT: port,
      // Settings of the checkout are none of the image.
      PARLEY_CONFIG_FILE: '/dev/null',
      // As server/bin/parley.js sees to; it would start the process again, which loses the channel.
      MALLOC_ARENA_MAX: '2',
    };
  }

  /** The check of a service asks itself: its own ports are others as well. */
  health(name: string, { health }: ComposeService): ComposeService['health'] {
    const command = health.command.map((argument) => {
      let replaced = argument;
      for (const [address, local] of this.#addresses) {
        const [host, port] = address.split(':');
        if (host === name) replaced = replaced.replaceAll(`127.0.0.1:${port}`, local);
      }
      return replaced;
    });
    return { ...health, command };
  }
}
