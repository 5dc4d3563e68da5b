import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createService } from '../../src/service.ts';
import { startServiceProcess } from '../factories/start-service-process.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { createTrackedPlatform } from '../factories/tracked-platform.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';

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
