import { ParleyError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakePluginProcesses, versionsOf } from '../../../test/factories/fake-plugin-processes.ts';
import { pluginManifest } from '../../../test/factories/plugin-package.ts';
import { now } from '../../lib/clock.ts';
import { KeyedTurns } from '../../lib/keyed-turns.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { beingFetched, InstalledPlugins } from './installed-plugins.ts';
import { noGrants, type StoredPlugin } from './plugin.ts';
import type { PluginPackages } from './plugin-packages.ts';
import type { PluginStore } from './plugin-store.ts';
import type { StoredPackages } from './stored-packages.ts';

/** Longer than any test. */
const never = { minTimeout: 600_000, maxTimeout: 600_000 };
let records: StoredPlugin[];
/** Digests of the versions whose files are here. */
let present: Set<string>;
/** What an attempt to fetch meets. */
let fetching: (attempt: number) => Promise<void>;
let attempts: number;
let processes: FakePluginProcesses;
let plugins: InstalledPlugins;

function installed(pauses: { minTimeout: number; maxTimeout: number }): InstalledPlugins {
  // Only these are used.
  const store = { list: async () => records } as unknown as PluginStore;
  const packages = {
    removeOthers: async () => undefined,
    has: async ({ digest }: { digest: string }) => present.has(digest),
    folder: ({ digest }: { digest: string }) => `/${digest}`,
  } as unknown as PluginPackages;
  const storedPackages = {
    restore: async ({ digest }: { digest: string }) => {
      attempts += 1;
      await fetching(attempts);
      present.add(digest);
    },
  } as unknown as StoredPackages;
  const rest = { processes, secrets: new SecretBox(Buffer.alloc(32, 1)), logger: silentLogger };
  return new InstalledPlugins(store, { packages, storedPackages, turns: new KeyedTurns(), pauses, ...rest });
}

const { id, version } = pluginManifest();

beforeEach(() => {
  const consent = { permissions: [], at: now(), by: 'admin' };
  const origin = { size: 1, signer: null, source: 'local', install_info: {}, installed_at: now() } as const;
  records = [
    {
      id,
      installed: { manifest: pluginManifest(), digest: 'one', ...origin, consent },
      waiting: null,
      previous: null,
      signer: null,
      enabled: true,
      position: 0,
      settings: {},
      sealed_secrets: null,
      admin_addresses: null,
      grants: noGrants,
      on_failure: 'pass',
      created_at: now(),
      updated_at: now(),
    },
  ];
  present = new Set();
  attempts = 0;
  processes = new FakePluginProcesses();
});
afterEach(() => plugins.stop());

it('A package that cannot be fetched is tried again until it is here, and the plugin says meanwhile what is wrong', async () => {
  const gate = Promise.withResolvers<void>();
  fetching = async (attempt) => {
    if (attempt === 1) throw new TypeError('fetch failed');
    if (attempt === 2) throw new ParleyError('plugin_files_changed', 'its package is missing in the file store');
    await gate.promise;
  };
  plugins = installed({ minTimeout: 1, maxTimeout: 1 });
  const faults = new Set<string | null>();
  plugins.changed.listen(() => faults.add(plugins.faultOf(id)));
  await plugins.open();
  await expect.poll(() => attempts).toBe(3);
  expect([...faults]).toEqual([
    beingFetched,
    'its package in the file store cannot be read: fetch failed',
    'its package is missing in the file store',
  ]);
  expect([plugins.list(), versionsOf(processes)]).toEqual([[], {}]);
  expect(await plugins.checkFilesOf(id)).toBe('its package is missing in the file store');
  gate.resolve();
  await expect.poll(() => versionsOf(processes)).toEqual({ [id]: version });
  expect([plugins.faultOf(id), attempts]).toEqual([null, 3]);
});

it('A change of plugins has it fetched at once, or ends the retries when no plugin needs it', async () => {
  fetching = async () => {
    throw new Error('The file store is away');
  };
  plugins = installed(never);
  await plugins.open();
  const failed = 'its package in the file store cannot be read: The file store is away';
  await expect.poll(() => plugins.faultOf(id)).toBe(failed);
  await plugins.refresh();
  await expect.poll(() => [attempts, plugins.faultOf(id)]).toEqual([2, failed]);
  const before = records;
  records = [];
  await plugins.refresh();
  fetching = async () => undefined;
  records = before;
  await plugins.refresh();
  await expect.poll(() => versionsOf(processes)).toEqual({ [id]: version });
  expect(attempts).toBe(3);
});

it('A stop does not wait for the next attempt', async () => {
  fetching = async () => {
    throw new Error('The file store is away');
  };
  plugins = installed(never);
  await plugins.open();
  await expect.poll(() => plugins.faultOf(id)).toContain('is away');
  await plugins.stop();
  expect([attempts, versionsOf(processes)]).toEqual([1, {}]);
});
