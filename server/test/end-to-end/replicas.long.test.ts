import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type LaunchedProcess,
  launchServiceProcess,
  type ServiceProcess,
  startInVain,
} from '../factories/start-service-process.ts';
import { type Line, openLine } from '../postgres/open-line.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { type ApiClient, apiClient, defaults, openChat, signedIn } from './api-client.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');

describe('several processes on one PostgreSQL database', () => {
  let place: StoragePlace;
  let folders: string;
  let admin: Client;
  const launched: LaunchedProcess[] = [];
  const lines: Line[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace('postgres');
    folders = mkdtempSync(join(tmpdir(), 'parley-replicas-'));
    admin = new Client({ connectionString: place.databaseUrl as string });
    await admin.connect();
    // Which replica claimed a message is not kept in its row.
    await admin.query(`
      create table claims_seen (claimed_by text, content text);
      create function see_claim() returns trigger language plpgsql as $$ begin
        insert into claims_seen values (new.claimed_by, new.message_chain::text); return null;
      end $$;
      create trigger see_claim after update of claimed_by on messages for each row
        when (new.claimed_by is not null) execute function see_claim()`);
  });
  afterEach(async () => {
    for (const service of launched.splice(0)) await service.kill('SIGKILL');
    for (const line of lines.splice(0)) line.close();
    await admin.end();
    await place.remove();
    rmSync(folders, { recursive: true });
  });

  const launch = (name: string, { databaseUrl = place.databaseUrl, secret = 5 } = {}) => {
    const environment = { PARLEY_SECRET_KEY: key(secret) };
    const service = launchServiceProcess({ dataDir: join(folders, name), databaseUrl, environment });
    launched.push(service);
    return service;
  };
  const said = (service: Pick<LaunchedProcess, 'output'>) => Object.values(service.output()).join('');
  const readiness = async ({ address }: ServiceProcess) => (await fetch(`${address}/readyz`)).status;
  /** The replicas that live, by their data folder's first start. */
  const living = async () =>
    (await admin.query<{ id: string }>("select id from replicas where state <> 'ended'")).rows.map(({ id }) => id);
  const claimers = async (text: string) =>
    (await admin.query('select distinct claimed_by from claims_seen where content like $1', [`%${text}%`])).rows.map(
      ({ claimed_by }) => claimed_by,
    );
  const seconds = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    return (performance.now() - begun) / 1000;
  };
  const say = async (api: ApiClient, text: string) => {
    const { pipeline } = await defaults(api);
    const chat = await openChat(api.address, { pipeline, headers: { authorization: `Bearer ${api.token}` } });
    chat.say(text);
    await chat.frame(({ type, data }) => type === 'user_message' && data.content === text);
    await chat.close();
  };
  const ended = async (text: string) => {
    const { rows } = await admin.query<{ state: string }>(
      "select state from messages where direction = 'inbound' and message_chain::text like $1",
      [`%${text}%`],
    );
    return rows.map(({ state }) => state);
  };

  it('all work, and one goes on with a new id after others took its work over', async () => {
    const launchedFirst = launch('first');
    const first = await launchedFirst.ready;
    const [id] = await living();
    const second = await launch('second').ready;
    expect(await living()).toHaveLength(2);
    const own = (await living()).find((one) => one !== id);
    const { token } = await signedIn(first.address);
    // Who is written to by a web chat answers it.
    await say(apiClient(first.address, token), 'written to the first');
    await say(apiClient(second.address, token), 'written to the second');
    for (const text of ['written to the first', 'written to the second']) {
      await expect
        .poll(async () => (await ended(text)).length > 0 && !(await ended(text)).includes('received'))
        .toBe(true);
    }
    expect(await claimers('written to the first')).toEqual([id]);
    expect(await claimers('written to the second')).toEqual([own]);

    // Stopped in its tracks, for longer than it is waited for.
    second.signal('SIGSTOP');
    const paused = await seconds(async () => {
      await expect.poll(living, { timeout: 20_000, interval: 100 }).toEqual([id]);
    });
    expect(paused).toBeLessThan(15);
    second.signal('SIGCONT');
    await expect.poll(living).toHaveLength(2);
    expect(await living()).not.toContain(own);
    await expect.poll(() => readiness(second)).toBe(200);
    await say(apiClient(second.address, token), 'after the pause');
    await expect.poll(() => ended('after the pause')).not.toContain('received');
    expect(await claimers('after the pause')).toEqual((await living()).filter((one) => one !== id));

    // Killed, and the other one goes on.
    await launchedFirst.kill('SIGKILL');
    await say(apiClient(second.address, token), 'after the kill');
    await expect.poll(() => ended('after the kill')).not.toContain('received');
    await expect.poll(living, { timeout: 16_000, interval: 100 }).toHaveLength(1);
    expect((await second.stop()).code).toBe(0);
    expect(await living()).toEqual([]);
  }, 120_000);

  it('one whose connections are cut stops working within 6 s, and goes on when it is alone', async () => {
    const line = await openLine(place.databaseUrl as string);
    lines.push(line);
    const service = await launch('first', { databaseUrl: line.url }).ready;
    const before = await living();
    line.cut();
    await expect.poll(() => said(service), { timeout: 7000 }).toContain('does not work until');
    await delay(4000);
    line.mend();
    await expect.poll(() => readiness(service), { timeout: 10_000 }).toBe(200);
    expect(await living()).toEqual(before);
    expect(said(service)).not.toContain('new id');
    expect((await service.stop()).code).toBe(0);
  }, 60_000);

  it('one that is killed and started again on its data folder takes over its own work at once', async () => {
    const first = launch('first');
    await first.ready;
    await launch('second').ready;
    const before = await living();
    await first.kill('SIGKILL');
    expect(await seconds(() => launch('first').ready)).toBeLessThan(8);
    expect(await living()).toHaveLength(2);
    expect(await living()).not.toEqual(before);
  }, 60_000);

  it('one with another secret key is refused, also when both start first', async () => {
    const both = [launch('first', { secret: 1 }), launch('second', { secret: 2 })];
    const refused = await Promise.race(both.map(({ ended: end }) => end));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('The secret key does not match this database; see PARLEY_SECRET_KEY');
    const left = await Promise.any(both.map(({ ready }) => ready));
    expect(await readiness(left)).toBe(200);
    const third = await startInVain({
      dataDir: join(folders, 'third'),
      databaseUrl: place.databaseUrl,
      environment: { PARLEY_SECRET_KEY: key(3) },
    });
    expect(third.stderr).toContain('The secret key does not match this database');
    expect(await readiness(left)).toBe(200);
  }, 60_000);
});
