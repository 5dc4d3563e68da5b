import { connect, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/postgres/fresh-database.ts';
import { type PostgresServer, startPostgres } from '../../test/postgres/postgres-server.ts';
import { looksClosely } from '../../test/shared/looks-closely.ts';
import { newUuid } from '../lib/uuid.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { migrate } from './migrations/migrate.ts';
import { openPostgres } from './postgres-database.ts';
import { PostgresOwnership, type PostgresOwnershipOptions } from './postgres-ownership.ts';

/** A way to a server that can fall silent without ending a connection. */
interface Line {
  url: string;
  isSilent: boolean;
  close(): void;
}

async function openLine(url: string): Promise<Line> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (line.isSilent || to.write(bytes)));
      from.on('close', () => void (line.isSilent || to.destroy()));
      from.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(url);
  address.port = String((server.address() as { port: number }).port);
  const line: Line = {
    url: address.href,
    isSilent: false,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return line;
}

describe('the owner of a PostgreSQL database', () => {
  let server: PostgresServer;
  let url: string;
  let admin: Client;
  const held: PostgresOwnership[] = [];
  const lines: Line[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    url = (await freshDatabase(server.url)).url;
    const database = await openPostgres(url);
    await migrate(database, 'postgres');
    await database.destroy();
    await ask();
  });
  afterEach(async () => {
    for (const ownership of held.splice(0)) await ownership.release();
    for (const line of lines.splice(0)) line.close();
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  const ask = async () => {
    admin = new Client({ connectionString: url });
    admin.on('error', () => {});
    await admin.connect();
  };
  const own = async (over: Partial<PostgresOwnershipOptions> = {}, address = url) => {
    const ownership = await PostgresOwnership.acquire(address, {
      patienceMs: 0,
      pingMs: 20,
      answerMs: 1000,
      yieldMs: 100,
      ...over,
    });
    held.push(ownership);
    await ownership.record();
    return ownership;
  };
  /** Records the events of an ownership, in order. */
  const watch = (ownership: PostgresOwnership) => {
    const seen: string[] = [];
    ownership.onLost((why) => seen.push(why));
    ownership.onRegained(() => seen.push('regained'));
    ownership.onTaken((error) => seen.push(error.message));
    return seen;
  };
  const row = async () => (await admin.query('select owner, term, is_released from service_owner')).rows[0];
  const holders = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = $1 and granted",
      [advisoryLocks.database],
    );
    return rows.map(({ pid }) => pid);
  };
  const cut = async () => {
    for (const pid of await holders()) await admin.query('select pg_terminate_backend($1)', [pid]);
  };

  it('is recorded, and releases the database at once', async () => {
    const first = await own();
    const { term } = await row();
    expect(await row()).toEqual({ owner: first.owner, term, is_released: 0 });
    await first.release();
    expect(await row()).toEqual({ owner: first.owner, term, is_released: 1 });
    const begun = performance.now();
    const second = await own({ yieldMs: 5000 });
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(await row()).toEqual({ owner: second.owner, term: term + 1, is_released: 0 });
  });

  it('is the only one', async () => {
    await own();
    const begun = performance.now();
    await expect(own({ patienceMs: 200 })).rejects.toThrow('in use by another Parley process');
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it.runIf(looksClosely)(
    'takes the lock again when its connection was cut, before a process that starts at the same time',
    async () => {
      const ownership = await own();
      const seen = watch(ownership);
      for (let round = 0; round < 5; round += 1) {
        seen.length = 0;
        const starting = own({ patienceMs: 500, yieldMs: 1500 }).then(
          () => 'started',
          (error: Error) => error.message,
        );
        await cut();
        await expect.poll(() => seen).toEqual(['ended', 'regained']);
        expect(await starting).toBe('The database is in use by another Parley process');
        expect(ownership.isHeld).toBe(true);
        expect(await row()).toMatchObject({ owner: ownership.owner, is_released: 0 });
        expect(await holders()).toHaveLength(1);
      }
    },
    30_000,
  );

  it.each(['stop', 'crash'] as const)(
    'takes the lock again after a %s of the server',
    async (command) => {
      const ownership = await own();
      const seen = watch(ownership);
      await server.tell(command);
      await expect.poll(() => seen).toEqual(['ended']);
      expect(() => ownership.assertOwned()).toThrow('The lock on the database is lost');
      await server.tell('start');
      await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['ended', 'regained']);
      ownership.assertOwned();
      await ask();
      expect(await row()).toMatchObject({ owner: ownership.owner });
      await expect(own()).rejects.toThrow('in use by another Parley process');
    },
    30_000,
  );

  it('ends its old session when the server falls silent', async () => {
    const line = await openLine(url);
    lines.push(line);
    const ownership = await own({ answerMs: 300 }, line.url);
    const seen = watch(ownership);
    const [before] = await holders();
    line.isSilent = true;
    await expect.poll(() => seen).toEqual(['silent']);
    // The session still exists and holds the lock.
    expect(await holders()).toEqual([before]);
    line.isSilent = false;
    await expect.poll(() => seen).toEqual(['silent', 'regained']);
    expect(await holders()).not.toContain(before);
  });

  it('learns that another process has the database, or had it', async () => {
    for (const isOver of [false, true]) {
      const line = await openLine(url);
      lines.push(line);
      const first = await own({ answerMs: 300 }, line.url);
      const seen = watch(first);
      line.isSilent = true;
      await expect.poll(() => seen).toEqual(['silent']);
      await cut();
      const second = await own({ patienceMs: 1000 });
      if (isOver) await second.release();
      line.isSilent = false;
      await expect.poll(() => seen, { timeout: 5000 }).toHaveLength(2);
      expect(seen[1]).toContain('Another Parley process has taken the database over');
      expect(() => first.assertOwned()).toThrow('lost');
      await first.release();
      // It has nothing left to give up.
      expect(await row()).toMatchObject({ owner: second.owner, is_released: isOver ? 1 : 0 });
      await second.release();
    }
  }, 20_000);

  it.each([
    [
      'knows an earlier owner',
      (term: number) => ['update service_owner set owner = $1, term = $2', [newUuid(), term - 1]],
    ],
    ['knows no owner', () => ['delete from service_owner', []]],
  ] as const)('continues with a server that lags and %s', async (_, change) => {
    const ownership = await own();
    const seen = watch(ownership);
    const { term } = await row();
    const [statement, values] = change(term);
    await admin.query(statement as string, values as unknown[]);
    await cut();
    await expect.poll(() => seen).toEqual(['ended', 'regained']);
    expect(await row()).toEqual({ owner: ownership.owner, term, is_released: 0 });
  });

  it('waits for a server that only reads', async () => {
    const ownership = await own();
    const seen = watch(ownership);
    await admin.query("alter role postgres set default_transaction_read_only = 'on'");
    await cut();
    await expect.poll(() => seen).toEqual(['ended']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ownership.isHeld).toBe(false);
    await admin.query("alter role postgres set default_transaction_read_only = 'off'");
    await expect.poll(() => seen).toEqual(['ended', 'regained']);
  });

  it('can be released while it is lost', async () => {
    const ownership = await own();
    const seen = watch(ownership);
    await server.tell('stop');
    await expect.poll(() => seen).toEqual(['ended']);
    await ownership.release();
    await server.tell('start');
    await ask();
  }, 20_000);
});
