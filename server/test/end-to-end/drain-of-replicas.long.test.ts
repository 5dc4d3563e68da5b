import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PolledServer, startPolledServer } from '../factories/polled-platform.ts';
import { type ReadyBalancer, startReadyBalancer } from '../factories/ready-balancer.ts';
import { type LaunchedProcess, launchServiceProcess } from '../factories/start-service-process.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { defaults, signedIn } from './api-client.ts';

describe('two processes behind a load balancer that follows their readiness', () => {
  let place: StoragePlace;
  let folders: string;
  let platform: PolledServer;
  let balancer: ReadyBalancer | null = null;
  const launched: LaunchedProcess[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace('postgres');
    folders = mkdtempSync(join(tmpdir(), 'parley-drain-'));
    platform = await startPolledServer({ drops_repeats: false });
  });
  afterEach(async () => {
    for (const service of launched.splice(0)) await service.kill('SIGKILL');
    await balancer?.close();
    await platform.close();
    await place.remove();
    rmSync(folders, { recursive: true });
  });

  const launch = (name: string) => {
    const service = launchServiceProcess({
      dataDir: join(folders, name),
      databaseUrl: place.databaseUrl,
      program: 'server/test/end-to-end/polled-service.ts',
      environment: {
        PARLEY_SECRET_KEY: Buffer.alloc(32, 4).toString('base64'),
        PARLEY_FILES_FOLDER: join(folders, 'files'),
        PARLEY_DRAIN_SECONDS: '2',
        TEST_PLATFORM: platform.url,
      },
    });
    launched.push(service);
    return service;
  };

  it('a stop of one fails no request, and a bot answers each message once', async () => {
    const first = await launch('first').ready;
    const api = await signedIn(first.address);
    const { pipeline } = await defaults(api);
    const json = { name: 'Parrot', adapter: 'polled', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
    const { uuid } = await api.data('POST', '/platform/bots', json);
    const second = await launch('second').ready;
    const states = async () => (await api.data('GET', `/platform/bots/${uuid}`)).bot.adapter_runtime_values.state;
    await expect.poll(states, { timeout: 10_000 }).toBe('running');
    balancer = await startReadyBalancer([first.address, second.address]);
    const { address, counts } = balancer;

    const answered: number[] = [];
    const faults: string[] = [];
    const ask = async () => {
      const headers = { authorization: `Bearer ${api.token}` };
      await fetch(`${address}/api/v1/platform/bots`, { headers }).then(
        ({ status }) => (status === 200 ? answered.push(performance.now()) : faults.push(String(status))),
        (error: unknown) => faults.push(String(error)),
      );
    };
    const asking: Promise<void>[] = [];
    let written = 0;
    const stream = async (milliseconds: number) => {
      const end = performance.now() + milliseconds;
      for (let turn = 0; performance.now() < end; turn += 1) {
        asking.push(ask());
        if (turn % 5 === 0) platform.write(`chat ${written}`, `word ${written++}`);
        await delay(25);
      }
    };
    await stream(2000);
    for (const count of counts.values()) expect(count).toBeGreaterThan(20);
    first.signal('SIGTERM');
    await stream(6000);
    expect((await first.ended).code).toBe(0);
    await stream(1000);
    await Promise.all(asking);
    expect(faults).toEqual([]);
    expect(answered.length).toBeGreaterThan(200);
    const chats = () => platform.shown.map(({ chat }) => chat);
    await expect.poll(() => new Set(chats()).size, { timeout: 20_000 }).toBe(written);
    expect(chats().toSorted()).toEqual([...new Set(chats())].toSorted());
  }, 90_000);

  it('a second signal ends the wait', async () => {
    const first = await launch('first').ready;
    await launch('second').ready;
    const readiness = async () => (await fetch(`${first.address}/readyz`)).status;
    // It knows of the other one with its next beat.
    await delay(1500);
    first.signal('SIGTERM');
    await expect.poll(readiness).toBe(503);
    expect((await fetch(`${first.address}/healthz`)).status).toBe(200);
    first.signal('SIGTERM');
    const refused = () =>
      fetch(first.address).then(
        ({ status }) => status === 503,
        () => true,
      );
    await expect.poll(refused, { timeout: 1500 }).toBe(true);
    expect((await first.ended).code).toBe(0);
  }, 60_000);
});
