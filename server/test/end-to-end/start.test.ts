import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startInVain, startServiceProcess } from '../factories/start-service-process.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { makeStoragePlace, type StoragePlace } from '../stores/open-test-storage.ts';

describe('a service that cannot start says why in a line each', () => {
  let place: StoragePlace;
  beforeEach(async () => {
    place = await makeStoragePlace('sqlite');
  });
  afterEach(() => place.remove());

  const complaint = async (environment: Record<string, string>, databaseUrl: string | null = null) => {
    const { code, stdout, stderr } = await startInVain({ dataDir: place.dataDir, databaseUrl, environment });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^(Database prepared, \d+ migrations applied\n)?$/);
    return stderr.trimEnd().split('\n');
  };

  it('for settings that are wrong', async () => {
    expect(await complaint({ PARLEY_PORT: 'many', PARLEY_HSOT: '127.0.0.1' })).toEqual([
      'PARLEY_HSOT is not a setting; did you mean PARLEY_HOST?',
      'PARLEY_PORT must be a whole number from 0 to 65535, not "many"',
    ]);
  });

  it('for a port that is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    expect(await complaint({ PARLEY_PORT: String(port) })).toEqual([
      `The address 127.0.0.1:${port} is in use by another program; see PARLEY_PORT`,
    ]);
    holder.close();
  });

  it.runIf(looksClosely)('for an address that is not of this machine', async () => {
    expect(await complaint({ PARLEY_HOST: '192.0.2.1' })).toEqual([
      'The address 192.0.2.1:0 cannot be listened on (EADDRNOTAVAIL); see PARLEY_HOST and PARLEY_PORT',
    ]);
  });

  it.runIf(looksClosely)('for a data directory that is in use', async () => {
    const first = await startServiceProcess(place);
    expect(await complaint({})).toEqual([`The data directory ${place.dataDir} is in use by another Parley process`]);
    expect((await first.stop()).code).toBe(0);
  });

  it.runIf(looksClosely)('for a database that cannot be reached', async () => {
    expect(await complaint({}, 'postgres://someone:hunter2@127.0.0.1:1/parley')).toEqual([
      'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    ]);
  });

  it.runIf(looksClosely)('for another secret key than that of the first start', async () => {
    const first = await startServiceProcess(place);
    await first.stop();
    expect(await complaint({ PARLEY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })).toEqual([
      'The secret key does not match this database; see PARLEY_SECRET_KEY',
    ]);
  });
});
