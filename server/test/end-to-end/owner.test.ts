import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createService } from '../../src/service.ts';
import { type ServiceProcess, startInVain, startServiceProcess } from '../factories/start-service-process.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { createTrackedPlatform } from '../factories/tracked-platform.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';

describe.runIf(looksClosely)('two processes on one PostgreSQL database', () => {
  let place: StoragePlace;
  let otherDirectory: string;
  let admin: Client;
  const running: ServiceProcess[] = [];
  // All processes on one database need the same key.
  const environment = { PARLEY_SECRET_KEY: Buffer.alloc(32, 5).toString('base64') };
  beforeEach(async () => {
    place = await makeMigratedPlace('postgres');
    otherDirectory = mkdtempSync(join(tmpdir(), 'parley-other-'));
    admin = new Client({ connectionString: place.databaseUrl as string });
    await admin.connect();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.kill('SIGKILL');
    await admin.end();
    await place.remove();
    rmSync(otherDirectory, { recursive: true });
  });

  const start = async (dataDir: string) => {
    const service = await startServiceProcess({ dataDir, databaseUrl: place.databaseUrl, environment });
    running.push(service);
    return service;
  };
  const cutAll = () =>
    admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  const readiness = async ({ address }: ServiceProcess) => (await fetch(`${address}/readyz`)).status;

  it('never both run: after its connections were cut, the first goes on and the second is refused', async () => {
    const first = await start(place.dataDir);
    await cutAll();
    const begun = performance.now();
    const refused = await startInVain({ dataDir: otherDirectory, databaseUrl: place.databaseUrl, environment });
    expect(refused).toMatchObject({ code: 1, stderr: 'The database is in use by another Parley process\n' });
    expect(performance.now() - begun).toBeLessThan(15_000);
    await expect.poll(() => readiness(first), { timeout: 5000 }).toBe(200);
    expect((await first.stop()).code).toBe(0);
  }, 60_000);

  it('never both run: the first stops when the second has taken over meanwhile', async () => {
    const first = await start(place.dataDir);
    first.signal('SIGSTOP');
    await cutAll();
    const second = await start(otherDirectory);
    const begun = performance.now();
    first.signal('SIGCONT');
    const { code, stderr } = await first.ended;
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(code).toBe(1);
    expect(stderr).toContain('Another Parley process has taken the database over');
    expect(await readiness(second)).toBe(200);
    expect((await second.stop()).code).toBe(0);
  }, 60_000);
});

describe('the files of a service on SQLite', () => {
  let place: StoragePlace;
  beforeEach(async () => {
    place = await makeMigratedPlace('sqlite');
  });
  afterEach(() => place.remove());

  it('hold no write-ahead log after a stop', async () => {
    const service = await startServiceProcess(place);
    expect(existsSync(join(place.dataDir, 'parley.db-wal'))).toBe(true);
    // The thread that reads figures has the file open, too.
    await fetch(`${service.address}/healthz`);
    expect((await service.stop()).code).toBe(0);
    expect(readdirSync(place.dataDir).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  }, 30_000);
});

it('a service whose port is taken has connected no bot', async () => {
  const tracked = createTrackedPlatform('tracked');
  const bots = [{ adapter: 'tracked', adapter_config: { token: 't', api_base_url: 'http://127.0.0.1' } }];
  const service = await startTestService({ extensions: { platforms: [tracked.platform] }, bots });
  const { dataDir } = service.config;
  try {
    await expect.poll(() => tracked.running.size).toBe(1);
    await service.service.stop();
    const connected = [...tracked.attempts.values()];
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const second = await createService({ ...service.config, dataDir, port }, { platforms: [tracked.platform] });
    await expect(second.start()).rejects.toThrow('is in use by another program');
    expect([...tracked.attempts.values()]).toEqual(connected);
    await second.stop();
    holder.close();
  } finally {
    await service.stop();
  }
}, 30_000);
