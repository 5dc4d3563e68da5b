import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { looksClosely } from '../../test/shared/looks-closely.ts';
import { engines } from '../../test/stores/each-engine.ts';
import { makeStoragePlace, openTestStorage, type StoragePlace } from '../../test/stores/open-test-storage.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { openStorage, type Storage, type StorageOptions } from './storage.ts';

/** Opens a storage in a separate process, which then waits to be killed. */
async function holdInAnotherProcess({ dataDir, databaseUrl }: StorageOptions) {
  const program = `
    const { openStorage } = await import(${JSON.stringify(new URL('./storage.ts', import.meta.url).href)});
    await openStorage(${JSON.stringify({ dataDir, databaseUrl })});
    console.log('open');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.each(engines)('a storage on %s', (engine) => {
  const withPlace = async (use: (place: StoragePlace) => Promise<void>) => {
    const place = await makeStoragePlace(engine);
    try {
      await use(place);
    } finally {
      await place.remove();
    }
  };

  it('is open to its owner only', () =>
    withPlace(async (place) => {
      const dataDir = join(place.dataDir, 'below', 'data');
      const storage = await openStorage({ ...place, dataDir });
      await storage.ping();
      expect(modeOf(dataDir)).toBe(0o700);
      expect(existsSync(join(dataDir, 'parley.db'))).toBe(engine === 'sqlite');
      if (engine === 'sqlite') expect(modeOf(join(dataDir, 'parley.db'))).toBe(0o600);
      await storage.close();
      await expect(storage.ping()).rejects.toThrow();
    }));

  it.runIf(looksClosely || engine === 'sqlite')(
    'refuses a second process while the first lives, and not when it was killed',
    { timeout: 30_000 },
    () =>
      withPlace(async (place) => {
        const holder = await holdInAnotherProcess(place);
        try {
          await expect(openStorage(place)).rejects.toThrow(
            `The data directory ${place.dataDir} is in use by another Parley process`,
          );
        } finally {
          await holder.kill();
        }
        const storage = await openStorage(place);
        await storage.ping();
        await storage.close();
      }),
  );

  it('can be opened again after it was closed, and after it could not be opened', () =>
    withPlace(async (place) => {
      const first = await openStorage(place);
      await sql`insert into migrations (name, checksum, applied_at) values ('9999', '', '')`.execute(first.database);
      await first.close();
      await expect(openStorage(place)).rejects.toThrow('made by a newer version');
      await expect(openStorage(place)).rejects.toThrow('made by a newer version');
    }));
});

describe('a PostgreSQL database', () => {
  it.runIf(looksClosely)(
    'is refused to one that has to be alone while another one lives',
    { timeout: 60_000 },
    async () => {
      const [place, other] = [await makeStoragePlace('postgres'), await makeStoragePlace('sqlite')];
      const holder = await holdInAnotherProcess(place);
      const beside = { ...place, dataDir: other.dataDir };
      try {
        const second = await openStorage(beside);
        expect(second.replica.mayWork).toBe(true);
        await second.close();
        const begun = performance.now();
        await expect(openStorage(beside, { isAlone: true })).rejects.toThrow(
          'The database is in use by another Parley process',
        );
        expect(performance.now() - begun).toBeLessThan(5000);
        await holder.kill();
        // Its row is still there: it is known to be dead once its beat has stood still.
        const alone = await openStorage(beside, { isAlone: true });
        expect(alone.replica.mayWork).toBe(true);
        await alone.close();
      } finally {
        await holder.kill();
        await other.remove();
        await place.remove();
      }
    },
  );

  it('is refused while a process of a version before replicas works on it, as long as tables are missing', async () => {
    const place = await makeStoragePlace('postgres');
    const earlier = new Client({ connectionString: place.databaseUrl as string });
    await earlier.connect();
    await earlier.query('select pg_advisory_lock($1)', [advisoryLocks.database]);
    await expect(openStorage(place)).rejects.toThrow('in use by another Parley process');
    await earlier.end();
    const storage = await openStorage(place);
    expect(storage.replica.mayWork).toBe(true);
    await storage.close();
    await place.remove();
  }, 30_000);

  it('is first opened by several processes at the same time, which all work', async () => {
    const place = await makeStoragePlace('postgres');
    const others = await Promise.all([1, 2, 3].map(() => makeStoragePlace('sqlite')));
    const opened = await Promise.all(others.map(({ dataDir }) => openStorage({ ...place, dataDir })));
    expect(opened.map(({ replica }) => replica.mayWork)).toEqual([true, true, true]);
    for (const storage of opened) await storage.close();
    for (const one of [...others, place]) await one.remove();
  }, 30_000);

  it('that cannot be reached is named without its password', async () => {
    const place = await makeStoragePlace('sqlite');
    const databaseUrl = 'postgres://someone:hunter2@127.0.0.1:1/parley';
    const failure = await openStorage({ ...place, databaseUrl }).catch((error: Error) => error.message);
    expect(failure).toBe('The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1');
    await place.remove();
  });

  it('may break connections in use without ending the process', async () => {
    const storage = await openTestStorage('postgres');
    const broken = storage.database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(storage.database);
      // The connection is lost between two queries of the transaction.
      await expect.poll(() => isAlive(rows[0]?.pid)).toBe(false);
      await sql`select 1`.execute(transaction);
    });
    const isAlive = async (pid: number | undefined) => {
      const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(storage.database);
      return rows.length > 0;
    };
    await expect(broken).rejects.toThrow();
    await storage.ping();
    await storage.close();
  });
});

describe('the health of a storage', () => {
  const setMetadata = (storage: Storage, value: string) =>
    storage.database
      .insertInto('metadata')
      .values({ key: value.slice(0, 20), value })
      .execute();

  it('follows a SQLite file that is read-only for a while', async () => {
    const storage = await openTestStorage('sqlite');
    expect(await storage.health.check()).toBe(null);
    await sql`pragma query_only = on`.execute(storage.database);
    await expect(setMetadata(storage, 'one')).rejects.toMatchObject({ kind: 'unavailable', detail: 'read_only' });
    expect(await storage.health.check()).toMatchObject({ detail: 'read_only' });
    await sql`pragma query_only = off`.execute(storage.database);
    await expect.poll(() => storage.health.trouble, { timeout: 5000 }).toBe(null);
    await storage.close();
  });

  it('learns of a full disk, and not of a constraint, on SQLite', async () => {
    const storage = await openTestStorage('sqlite');
    const seen: unknown[] = [];
    storage.health.onChange((trouble) => seen.push(trouble?.detail ?? null));
    await setMetadata(storage, 'one');
    await expect(setMetadata(storage, 'one')).rejects.toMatchObject({ kind: 'other', detail: 'constraint' });
    await sql`pragma max_page_count = 1`.execute(storage.database);
    await expect(setMetadata(storage, 'x'.repeat(1_000_000))).rejects.toMatchObject({ detail: 'disk_full' });
    // Small writes still fit, so the disk is healthy at once.
    await expect.poll(() => seen, { timeout: 5000 }).toEqual(['disk_full', null]);
    await storage.close();
  });

  it('learns of a constraint and a lost connection on PostgreSQL', async () => {
    const storage = await openTestStorage('postgres');
    const seen: unknown[] = [];
    storage.health.onChange((trouble) => seen.push(trouble?.detail ?? null));
    await setMetadata(storage, 'one');
    await expect(setMetadata(storage, 'one')).rejects.toMatchObject({ detail: 'constraint', code: '23505' });
    const cut = storage.database
      .transaction()
      .execute((transaction) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction));
    await expect(cut).rejects.toMatchObject({ kind: 'unavailable', detail: 'unreachable' });
    // On a busy machine, the first connection after the cut may fail as well.
    await expect.poll(() => [seen[0], seen.at(-1)], { timeout: 5000 }).toEqual(['unreachable', null]);
    await storage.close();
  });
});
