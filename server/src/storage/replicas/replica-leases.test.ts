import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/postgres/fresh-database.ts';
import { openLine } from '../../../test/postgres/open-line.ts';
import { type PostgresServer, startPostgres } from '../../../test/postgres/postgres-server.ts';
import { fastTiming, type RunningReplica, startReplica } from '../../../test/postgres/start-replica.ts';
import { botLease } from '../../core/replicas/leases.ts';
import { migrate } from '../migrations/migrate.ts';
import { openPostgres } from '../postgres-database.ts';
import type { PostgresReplicaOptions } from './postgres-replica.ts';

const bots = (count: number) => Array.from({ length: count }, (_, index) => botLease(`b${index}`));

describe('leases of replicas that work together', () => {
  let server: PostgresServer;
  let url: string;
  let admin: Client;
  const running: RunningReplica[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    url = (await freshDatabase(server.url)).url;
    const database = await openPostgres(url);
    await migrate(database, 'postgres');
    await database.destroy();
    admin = new Client({ connectionString: url });
    admin.on('error', () => {});
    await admin.connect();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
    await admin.query('delete from replicas; delete from leases');
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  const start = async (address = url, over: Partial<PostgresReplicaOptions> = {}) => {
    const one = await startReplica(address, over);
    const { leases } = one.replica;
    leases.onGained((name) => one.seen.push(`gained ${name}`));
    leases.onLost((name) => one.seen.push(`lost ${name}`));
    running.push(one);
    const held = (names: readonly string[]) => names.filter((name) => leases.token(name) !== null);
    return { ...one, leases, held };
  };
  type Started = Awaited<ReturnType<typeof start>>;
  const heldOf = (names: readonly string[], replicas: readonly Started[]) =>
    replicas.map(({ held }) => held(names).length);
  const stored = async (name: string) =>
    (await admin.query('select replica, token, wanted_by from leases where name = $1', [name])).rows[0];

  it('are held by one of them each, and each holder has another token', async () => {
    const replicas = [await start(), await start(), await start()];
    for (const { leases } of replicas) leases.want(['alerts', 'roll-ups']);
    await expect.poll(() => heldOf(['alerts'], replicas).toSorted()).toEqual([0, 0, 1]);
    const holder = replicas.find(({ held }) => held(['alerts']).length > 0) as Started;
    const others = replicas.filter((one) => one !== holder);
    const token = holder.leases.token('alerts') as number;
    expect(await stored('alerts')).toEqual({ replica: holder.replica.id, token, wanted_by: null });
    for (const { leases } of others) {
      await expect.poll(() => leases.holder('alerts')).toBe(holder.replica.id);
    }
    await holder.close();
    await expect.poll(() => heldOf(['alerts', 'roll-ups'], others).reduce((sum, count) => sum + count)).toBe(2);
    const next = others.find(({ held }) => held(['alerts']).length > 0) as Started;
    expect(next.leases.token('alerts')).toBeGreaterThan(token);
  });

  it('of bots are taken up to the share of each, and all of them', async () => {
    const names = bots(21);
    const replicas = [await start(), await start()];
    // The share is known once each has seen both at work: a beat that was sent before may still be under way.
    const beats = async (): Promise<{ beat: number }[]> =>
      (await admin.query("select beat from replicas where state = 'live' order by id")).rows;
    await expect.poll(async () => (await beats()).length).toBe(2);
    const before = await beats();
    const isSeen = async () => (await beats()).every(({ beat }, index) => beat >= (before[index]?.beat ?? 0) + 2);
    await expect.poll(isSeen).toBe(true);
    for (const { leases } of replicas) leases.want(names);
    await expect.poll(() => heldOf(names, replicas).reduce((sum, count) => sum + count)).toBe(21);
    for (const count of heldOf(names, replicas)) expect(count).toBeLessThanOrEqual(11);
    const [first, second] = replicas as [Started, Started];
    expect(new Set([...first.held(names), ...second.held(names)]).size).toBe(21);
    await first.close();
    await expect.poll(() => second.held(names).length).toBe(21);
  });

  it('of bots move one after the other to a replica that has come, once it has stayed', async () => {
    const names = bots(6);
    const first = await start();
    first.leases.want(names);
    await expect.poll(() => first.held(names).length).toBe(6);
    let [ending, most] = [0, 0];
    first.leases.onRelease(async () => {
      most = Math.max(most, ++ending);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ending -= 1;
    });
    const second = await start();
    second.leases.want(names);
    const begun = performance.now();
    await expect.poll(() => heldOf(names, [first, second]), { timeout: 5000 }).toEqual([3, 3]);
    expect(performance.now() - begun).toBeGreaterThan(fastTiming.settled);
    expect(most).toBe(1);
    expect(first.seen.concat(second.seen).filter((line) => line.startsWith('lost'))).toEqual([]);
  });

  it('of bots that no replica takes as its share are taken by one that has its share', async () => {
    const names = bots(4);
    const [first, second] = [await start(), await start()];
    // Does not know of them, as when it cannot read its records.
    second.leases.want(['other']);
    first.leases.want(names);
    await expect.poll(() => first.held(names).length, { timeout: 5000 }).toBe(4);
  });

  it('are not taken while the replica is about to stop, and those that it holds are kept until it leaves', async () => {
    const [first, second] = [await start(), await start()];
    first.leases.want(['alerts']);
    await expect.poll(() => first.held(['alerts'])).toEqual(['alerts']);
    first.replica.drain();
    first.leases.want(['roll-ups', ...bots(2)]);
    second.leases.want(['alerts', 'roll-ups', ...bots(2)]);
    await expect.poll(() => second.held(['roll-ups', ...bots(2)]).length).toBe(3);
    expect(first.held(['alerts', 'roll-ups', ...bots(2)])).toEqual(['alerts']);
    const { rows } = await admin.query('select state from replicas order by state');
    expect(rows.map(({ state }) => state)).toEqual(['draining', 'live']);
    await first.close();
    await expect.poll(() => second.held(['alerts'])).toEqual(['alerts']);
  });

  it('are freed when they are not wanted, once their work has ended', async () => {
    const [first, second] = [await start(), await start()];
    first.leases.want(['alerts']);
    await expect.poll(() => first.held(['alerts'])).toEqual(['alerts']);
    second.leases.want(['alerts']);
    const order: string[] = [];
    const work = Promise.withResolvers<void>();
    first.leases.onRelease(async () => {
      await work.promise;
      order.push('work');
    });
    first.leases.onRelease(async () => {
      order.push('connection');
      throw new Error('The connection did not end');
    });
    first.leases.unwant(['alerts']);
    const before = await stored('alerts');
    await expect.poll(async () => (await admin.query('select beat from replicas')).rows[0].beat).toBeGreaterThan(5);
    expect(await stored('alerts')).toEqual(before);
    expect(first.held(['alerts'])).toEqual(['alerts']);
    work.resolve();
    await expect.poll(() => second.held(['alerts'])).toEqual(['alerts']);
    expect(order).toEqual(['work', 'connection']);
    expect(first.held(['alerts'])).toEqual([]);
  });

  it('come to the replica that needs them, unless the holder uses them', async () => {
    const [name, used] = bots(2) as [string, string];
    const [first, second] = [await start(), await start()];
    first.leases.want([name, used]);
    await expect.poll(() => first.held([name, used]).length, { timeout: 5000 }).toBe(2);
    first.leases.onAsked((asked) => asked === name);
    second.leases.want([name, used]);
    second.leases.bring(name);
    second.leases.bring(used);
    await expect.poll(() => second.held([name, used])).toEqual([name]);
    await expect.poll(() => stored(used)).toMatchObject({ replica: first.replica.id, wanted_by: null });
    expect(first.held([name, used])).toEqual([used]);
    expect(first.seen.concat(second.seen).filter((line) => line.startsWith('lost'))).toEqual([]);
  });

  it('are lost by a replica that is cut off, before another one holds them', async () => {
    const way = await openLine(url);
    const [first, second] = [await start(way.url), await start()];
    first.leases.want(['alerts']);
    await expect.poll(() => first.held(['alerts'])).toEqual(['alerts']);
    second.leases.want(['alerts']);
    const token = first.leases.token('alerts') as number;
    way.cut();
    await expect.poll(() => first.leases.token('alerts'), { interval: 5 }).toBeNull();
    expect(second.leases.token('alerts')).toBeNull();
    expect(first.seen.some((line) => line.startsWith('lost'))).toBe(false);
    await expect.poll(() => second.leases.token('alerts'), { timeout: 5000 }).toBeGreaterThan(token);
    way.mend();
    await expect.poll(() => first.seen, { timeout: 5000 }).toContain('lost alerts');
    expect(first.leases.token('alerts')).toBeNull();
    way.close();
  });

  it('are still its own after a short interruption', async () => {
    const way = await openLine(url);
    const one = await start(way.url);
    one.leases.want(['alerts', ...bots(3)]);
    await expect.poll(() => one.held(['alerts', ...bots(3)]).length).toBe(4);
    way.cut();
    await expect.poll(() => one.leases.token('alerts'), { interval: 5 }).toBeNull();
    way.mend();
    await expect.poll(() => one.held(['alerts', ...bots(3)]).length).toBe(4);
    expect(one.seen.filter((line) => line.startsWith('lost'))).toEqual([]);
    expect(one.seen.filter((line) => line.startsWith('gained'))).toHaveLength(4);
    way.close();
  });

  it('that it does not know to hold, as the answer of its beat was lost, are its own or freed', async () => {
    const one = await start();
    one.leases.want(['alerts']);
    await expect.poll(() => one.held(['alerts'])).toEqual(['alerts']);
    const { id } = one.replica;
    await admin.query("insert into leases (name, replica, token) values ('roll-ups', $1, 7), ('builds', $1, 3)", [id]);
    one.leases.want(['roll-ups']);
    await expect.poll(() => one.leases.token('roll-ups')).not.toBeNull();
    await expect.poll(() => stored('builds')).toMatchObject({ replica: null });
    expect((await stored('roll-ups')).token).toBe(one.leases.token('roll-ups'));
  });
});
