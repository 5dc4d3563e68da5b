import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/postgres/fresh-database.ts';
import { type Line, openLine } from '../../../test/postgres/open-line.ts';
import { type PostgresServer, startPostgres } from '../../../test/postgres/postgres-server.ts';
import {
  type RunningReplica as Running,
  startReplica,
  fastTiming as timing,
} from '../../../test/postgres/start-replica.ts';
import { elapsed } from '../../lib/elapsed.ts';
import { newUuid } from '../../lib/uuid.ts';
import { migrate } from '../migrations/migrate.ts';
import { openPostgres } from '../postgres-database.ts';
import { beatTiming } from './liveness.ts';
import type { PostgresReplicaOptions } from './postgres-replica.ts';
import type { SeenAtBeat } from './replica.ts';
import { sessionName } from './replica-statements.ts';

describe('a replica on PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  let admin: Client;
  const running: Running[] = [];
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
    for (const line of lines) line.mend();
    for (const one of running.splice(0)) await one.close();
    for (const line of lines.splice(0)) line.close();
    await admin.query('delete from replicas; delete from leases');
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
  const start = async (over: Partial<PostgresReplicaOptions> = {}, address = url): Promise<Running> => {
    const one = await startReplica(address, over);
    running.push(one);
    return one;
  };
  const line = async () => {
    const made = await openLine(url);
    lines.push(made);
    return made;
  };
  const row = async (id: string) =>
    (await admin.query('select state, beat, ended_by from replicas where id = $1', [id])).rows[0];
  const late = 'none of its beats has succeeded for a while';

  it('enters its row, beats, works at once when it is the only one, and leaves', async () => {
    const { replica, close } = await start();
    expect(replica.mayWork).toBe(true);
    expect(replica.working.aborted).toBe(false);
    expect(replica.isBeating).toBe(true);
    const before = await row(replica.id);
    expect(before).toMatchObject({ ended_by: null });
    await expect.poll(() => row(replica.id)).toMatchObject({ state: 'live' });
    await expect.poll(async () => (await row(replica.id)).beat).toBeGreaterThan(before.beat + 1);
    const { working, id } = replica;
    await close();
    expect(working.aborted).toBe(true);
    expect(() => replica.assertMayWork()).toThrow('may not work');
    expect(await row(id)).toMatchObject({ state: 'ended', ended_by: id });
  });

  it('beats at once on request', async () => {
    const { replica } = await start({ timing: { ...timing, beat: 60_000 } });
    for (let count = 0; count < 4; count += 1) {
      const { beat } = await row(replica.id);
      replica.hurry();
      await expect.poll(async () => (await row(replica.id)).beat).toBeGreaterThan(beat);
    }
  });

  it('works while others do, and tells them its address', async () => {
    const first = await start();
    const second = await start();
    expect([first, second].map(({ replica }) => replica.mayWork)).toEqual([true, true]);
    const seen: SeenAtBeat[] = [];
    second.replica.onBeat((beat) => seen.push(beat));
    first.replica.announce('http://127.0.0.1:5310');
    const [id, address] = [first.replica.id, 'http://127.0.0.1:5310'];
    await expect.poll(() => seen.at(-1)?.replicas).toEqual([expect.objectContaining({ id, address, version: '1' })]);
    expect(seen[0]?.versions.records).toBeGreaterThanOrEqual(0);
  });

  it('finds with its beats what is due, and what of its own work was cancelled', async () => {
    const { replica } = await start();
    let seen: Pick<SeenAtBeat, 'due' | 'cancelled'> | null = null;
    replica.onBeat(({ due, cancelled }) => {
      seen = { due, cancelled };
    });
    await expect.poll(() => seen).toEqual({ due: [], cancelled: { answers: [], tasks: [] } });
    await admin.query(`
      begin;
      -- Without a conversation.
      set local session_replication_role = replica;
      insert into queue (conversation_uuid, bot_uuid, is_running, due_at) values ('c', 'b', 0, 1);
      commit;
      insert into webhooks (name, url, description, enabled, created_at, updated_at) values ('w', 'u', '', 1, '', '')`);
    await expect.poll(() => seen?.due).toEqual(['messages']);
    await admin.query('update queue set is_running = 1');
    await expect.poll(() => seen?.due).toEqual([]);
    const task = (id: number, claimedBy: string, requested: string | null) =>
      admin.query(
        `insert into tasks (id, task_type, kind, name, label, scopes, context, state, created_at, updated_at, claimed_by,
          cancel_requested_at) overriding system value values ($1, '', '', '', '', '[]', '{}', 'PENDING', '', '', $2, $3)`,
        [id, claimedBy, requested],
      );
    await task(1, replica.id, null);
    await task(2, newUuid(), 'then');
    await task(3, replica.id, 'then');
    await expect.poll(() => seen?.cancelled.tasks).toEqual([3]);
    await admin.query('delete from queue; delete from webhooks; delete from tasks');
  });

  it('takes over at once what was left on its data folder, with the sessions of then', async () => {
    const folder = newUuid();
    // It does not beat again, as its process has ended.
    const earlier = await start({ folder, timing: { ...timing, beat: 60_000 } });
    const before = earlier.replica.id;
    const release = Promise.withResolvers<void>();
    const holding = earlier.database.transaction().execute(async (transaction) => {
      await transaction.selectFrom('replicas').select('id').forUpdate().execute();
      await release.promise;
    });
    const refused = expect(holding).rejects.toThrow();
    await expect
      .poll(async () => (await admin.query("select from pg_locks where mode = 'RowShareLock'")).rowCount)
      .toBeGreaterThan(0);
    const second = await start({ folder });
    expect(second.replica.mayWork).toBe(true);
    expect(await row(before)).toMatchObject({ state: 'ended', ended_by: second.replica.id });
    release.resolve();
    await refused;
  });

  it('does not enter, also not again, once the tables are narrowed in a way that its program does not know', async () => {
    const { replica, seen } = await start();
    await admin.query("insert into migrations values ('9999-narrow', '', '', 'contract')");
    try {
      await expect(start()).rejects.toThrow('it has the migration 9999-narrow');
      await admin.query("update replicas set state = 'ended'");
      await expect.poll(() => seen, { timeout: 5000 }).toContain('replaced');
      const left = () => admin.query('select from replicas where id = $1 and state = $2', [replica.id, 'ended']);
      await expect.poll(async () => (await left()).rowCount, { timeout: 5000 }).toBe(1);
      expect(replica.mayWork).toBe(false);
    } finally {
      await admin.query("delete from migrations where name = '9999-narrow'");
    }
  });

  it('is fenced when the server is away, and goes on with the same id when it is back', async () => {
    const { replica, seen } = await start();
    const other = await start();
    const { id, working } = replica;
    const stopped = server.tell('stop');
    // Load balancers choose another one while it may still work.
    await expect.poll(() => replica.mayWork && !replica.isBeating, { interval: 10, timeout: 5000 }).toBe(true);
    await stopped;
    await expect.poll(() => seen, { timeout: 3000 }).toEqual([`fenced: ${late}`]);
    expect(replica.mayWork).toBe(false);
    expect(() => replica.assertMayWork()).toThrow('This process may not work at present');
    expect(working.aborted).toBe(true);
    // Longer than takes one for dead.
    await new Promise((resolve) => setTimeout(resolve, 2 * timing.dead));
    await server.tell('start');
    await expect.poll(() => seen, { timeout: 5000 }).toEqual([`fenced: ${late}`, 'free']);
    expect(replica.mayWork).toBe(true);
    expect(replica.working.aborted).toBe(false);
    expect(replica.id).toBe(id);
    await expect.poll(() => other.seen, { timeout: 5000 }).toEqual([`fenced: ${late}`, 'free']);
    await ask();
  }, 30_000);

  it('is fenced when the server falls silent, and then ends what waits for it', async () => {
    const way = await line();
    const { replica, seen, database } = await start({}, way.url);
    await database.selectFrom('replicas').select('id').execute();
    way.isSilent = true;
    const waiting = database.selectFrom('replicas').select('id').execute();
    const begun = elapsed();
    await expect(waiting).rejects.toThrow();
    expect(elapsed() - begun).toBeLessThan(2 * timing.fence);
    expect(replica.mayWork).toBe(false);
    way.isSilent = false;
    await expect.poll(() => seen, { timeout: 5000 }).toEqual([`fenced: ${late}`, 'free']);
  });

  it('whose connections are cut is taken over by another one, and goes on with a new id', async () => {
    const way = await line();
    const first = await start({}, way.url);
    const second = await start();
    const { id } = first.replica;
    const left: string[] = [];
    second.replica.register(
      { takeOver: async () => void left.push('messages') },
      {
        takeOver: async (transaction) => {
          const { state } = await transaction
            .selectFrom('replicas')
            .select('state')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          left.push(state);
        },
      },
    );
    const begun = elapsed();
    way.cut();
    await expect.poll(() => first.replica.mayWork, { interval: 10 }).toBe(false);
    expect(elapsed() - begun).toBeLessThan(timing.fence + 100);
    await expect.poll(() => second.seen, { interval: 10, timeout: 5000 }).toEqual(['takeover']);
    expect(elapsed() - begun).toBeLessThan(3 * timing.fence);
    expect(left).toEqual(['messages', 'ended']);
    expect(await row(id)).toMatchObject({ state: 'ended', ended_by: second.replica.id });
    // It works again after it has looked for what may be left.
    first.replica.register({
      takeOver: async () => {
        expect(first.replica.mayWork).toBe(false);
        first.seen.push('looked');
      },
    });
    way.mend();
    await expect.poll(() => first.seen).toEqual([`fenced: ${late}`, 'replaced', 'looked', 'free']);
    expect([first.replica.mayWork, second.replica.mayWork]).toEqual([true, true]);
    expect(first.replica.id).not.toBe(id);
    await expect.poll(() => row(first.replica.id)).toMatchObject({ state: 'live' });
    const { rows } = await admin.query('select application_name from pg_stat_activity where application_name = $1', [
      sessionName(id),
    ]);
    expect(rows).toEqual([]);
    await first.database.selectFrom('replicas').select('id').execute();
    const named = await admin.query('select 1 from pg_stat_activity where application_name = $1', [
      sessionName(first.replica.id),
    ]);
    expect(named.rowCount).toBeGreaterThanOrEqual(2);
  }, 20_000);

  it('does not wait for the locks of one that is taken over', async () => {
    const way = await line();
    const first = await start({}, way.url);
    const second = await start();
    await admin.query("insert into metadata (key, value) values ('locked', '') on conflict do nothing");
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stopped = first.database.transaction().execute(async (transaction) => {
      await transaction.updateTable('metadata').set({ value: 'outdated' }).where('key', '=', 'locked').execute();
      // As a claim locks the row of its replica.
      await transaction.selectFrom('replicas').select('id').where('id', '=', first.replica.id).forKeyShare().execute();
      locked.resolve();
      await release.promise;
    });
    second.replica.register({
      takeOver: async (transaction) => {
        await transaction.updateTable('metadata').set({ value: 'taken over' }).where('key', '=', 'locked').execute();
      },
    });
    await locked.promise;
    way.isSilent = true;
    await expect.poll(() => second.seen, { timeout: 5000 }).toEqual(['takeover']);
    release.resolve();
    way.isSilent = false;
    await expect(stopped).rejects.toThrow();
    expect((await admin.query("select value from metadata where key = 'locked'")).rows).toEqual([
      { value: 'taken over' },
    ]);
  });

  it('is one of two that could take over, and only one does', async () => {
    const first = await start();
    const way = await line();
    const second = await start({}, way.url);
    const third = await start();
    let taken = 0;
    for (const { replica } of [first, third]) {
      replica.register({
        takeOver: async () => {
          taken += 1;
        },
      });
    }
    const { id } = second.replica;
    way.cut();
    await expect.poll(async () => (await row(id)).state, { timeout: 5000 }).toBe('ended');
    await expect.poll(() => taken).toBe(1);
    expect([first.replica.mayWork, first.seen.includes('takeover') !== third.seen.includes('takeover')]).toEqual([
      true,
      true,
    ]);
  }, 20_000);

  it('tries again when work could not be taken over, and frees nothing before', async () => {
    const way = await line();
    const first = await start({}, way.url);
    const { id } = first.replica;
    const second = await start();
    let fails = 2;
    second.replica.register({
      takeOver: async () => {
        if (fails-- > 0) throw new Error('cannot');
      },
    });
    way.cut();
    await expect.poll(() => second.seen, { timeout: 5000 }).toEqual(['Error: cannot', 'Error: cannot', 'takeover']);
    expect(await row(id)).toMatchObject({ state: 'ended' });
    await expect.poll(() => second.replica.mayWork).toBe(true);
  });

  it.each([
    ['is gone', 'delete from replicas where id = $1'],
    ['has ended', "update replicas set state = 'ended' where id = $1"],
    ['is older than it wrote', 'update replicas set beat = 1 where id = $1'],
  ])('goes on with a new id when its row %s', async (_, change) => {
    const { replica, seen } = await start();
    const { id } = replica;
    await expect.poll(async () => (await row(id)).beat).toBeGreaterThan(3);
    await admin.query(change, [id]);
    await expect.poll(() => seen).toEqual(['fenced: others have taken its work over', 'replaced', 'free']);
    expect(replica.id).not.toBe(id);
    // What it left behind itself has ended as well.
    expect((await row(id))?.state ?? 'ended').toBe('ended');
  });

  it('knows without a timer that it may not work, and is fenced before it goes on', async () => {
    let ahead = 0;
    const { replica, seen } = await start({ elapsed: () => elapsed() + ahead });
    const { working } = replica;
    // The process was stopped.
    ahead = 10 * timing.fence;
    expect(replica.mayWork).toBe(false);
    await expect.poll(() => seen).toEqual([`fenced: ${late}`, 'free']);
    expect(working.aborted).toBe(true);
    expect(replica.mayWork).toBe(true);
  });

  it('waits for a server that only reads', async () => {
    const { replica, seen } = await start();
    await admin.query("alter role postgres set default_transaction_read_only = 'on'");
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      sessionName(replica.id),
    ]);
    await expect.poll(() => seen).toEqual([`fenced: ${late}`]);
    await admin.query("alter role postgres set default_transaction_read_only = 'off'");
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      sessionName(replica.id),
    ]);
    await expect.poll(() => seen).toEqual([`fenced: ${late}`, 'free']);
  });

  it('can leave while the server is away', async () => {
    const { seen, close } = await start();
    await server.tell('stop');
    await expect.poll(() => seen, { timeout: 3000 }).toHaveLength(1);
    await close();
    await server.tell('start');
    await ask();
  }, 20_000);

  it('has the times that are documented', () => {
    const ofBeats = { beat: 1000, answer: 2000, retry: 250, late: 3000, fence: 6000, dead: 9000 };
    expect(beatTiming).toEqual({ ...ofBeats, free: 5000, settled: 30_000 });
  });
});
