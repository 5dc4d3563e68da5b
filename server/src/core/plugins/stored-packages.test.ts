import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newSigningKey, pluginPackage } from '../../../test/factories/plugin-package.ts';
import { zipArchive } from '../../../test/factories/zip-archive.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { now } from '../../lib/clock.ts';
import { PluginFolders } from '../../plugin-host/package/plugin-folders.ts';
import { DiskBlobStore } from '../../storage/files/disk-blob-store.ts';
import { KyselyPackageRecords } from '../../storage/plugins/kysely-package-records.ts';
import type { Storage } from '../../storage/storage.ts';
import type { InspectedPackage } from './package/inspect-package.ts';
import type { PluginVersion, StoredPlugin } from './plugin.ts';
import { StoredPackages } from './stored-packages.ts';

let folder: string;
let storage: Storage;
let records: KyselyPackageRecords;
let blobs: DiskBlobStore;
let plugins: StoredPlugin[];
/** Two replicas, each with files of its own. */
let here: ReturnType<typeof replica>;
let there: ReturnType<typeof replica>;

function replica(name: string) {
  const packages = new PluginFolders(join(folder, name));
  return { packages, stored: new StoredPackages({ records, blobs, packages, plugins: { list: async () => plugins } }) };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-packages-'));
  storage = await openTestStorage('sqlite');
  records = new KyselyPackageRecords(storage.database);
  blobs = await DiskBlobStore.open(join(folder, 'files'));
  plugins = [];
  here = replica('here');
  there = replica('there');
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function* once(content: Uint8Array) {
  yield content;
}

function versionOf({ manifest, digest, size, signature }: InspectedPackage): PluginVersion {
  const origin = { source: 'local', install_info: {}, installed_at: now(), consent: null } as const;
  return { manifest, digest, size, signer: signature?.fingerprint ?? null, ...origin };
}

/** Unpacks a package on one replica. @param isStored whether its package is stored too */
async function install(content: Buffer, isStored = true): Promise<PluginVersion> {
  const received = await here.packages.receive(once(content));
  const inspected = await received.inspect();
  await received.unpack();
  const { digest, size } = inspected;
  if (isStored) await here.stored.put(digest, { size, sha256: digest, read: received.read });
  await received.discard();
  return versionOf(inspected);
}

const blobOf = async ({ digest }: PluginVersion) => {
  const uuid = (await records.byDigest(digest))?.blob_uuid ?? '';
  return { uuid, path: join(folder, 'files', uuid.slice(-2), uuid) };
};

/** Has the store hold other bytes, as someone does who can write to the database too. */
async function replace(version: PluginVersion, content: Buffer): Promise<void> {
  writeFileSync((await blobOf(version)).path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  await storage.database.updateTable('plugin_packages').set({ size: content.length, sha256 }).execute();
}

/** Nothing but what is there anyway. */
const isUntouched = () => (existsSync(join(folder, 'there')) ? readdirSync(join(folder, 'there')) : []);

describe('a version that another replica has installed', () => {
  it('is unpacked from the store as it was installed', async () => {
    const version = await install(pluginPackage({ signature: newSigningKey() }));
    expect([await there.packages.has(version), await there.packages.faultOf(version)]).toEqual([
      false,
      expect.stringContaining('is missing'),
    ]);
    await there.stored.restore(version);
    expect([await there.packages.has(version), await there.packages.faultOf(version)]).toEqual([true, null]);
    expect(readdirSync(there.packages.folder(version)).sort()).toEqual(
      readdirSync(here.packages.folder(version)).sort(),
    );
    expect(readdirSync(join(folder, 'there', '.incoming'))).toEqual([]);
  });

  it('is refused when its package was changed, and nothing is put in place', async () => {
    const version = await install(pluginPackage());
    const { path } = await blobOf(version);
    const content = readFileSync(path);
    content.writeUInt8(content.readUInt8(200) ^ 1, 200);
    writeFileSync(path, content);
    await expect(there.stored.restore(version)).rejects.toMatchObject({
      reason: 'plugin_files_changed',
      message: 'the package in the file store was changed',
    });
    expect(isUntouched()).toEqual(['.incoming']);
    expect(readdirSync(join(folder, 'there', '.incoming'))).toEqual([]);
  });

  it.each([
    ['short', (content: Buffer) => content.subarray(0, -1), /bytes/],
    ['longer', (content: Buffer) => Buffer.concat([content, Buffer.from([0])]), /more than/],
  ])('is refused when its package is %s', async (_, change, message) => {
    const version = await install(pluginPackage());
    const { path } = await blobOf(version);
    writeFileSync(path, change(readFileSync(path)));
    await expect(there.stored.restore(version)).rejects.toThrow(message);
    expect(await there.packages.has(version)).toBe(false);
  });

  it('is refused when its package is gone, or was never stored', async () => {
    const version = await install(pluginPackage(), false);
    await expect(there.stored.restore(version)).rejects.toThrow('the file store has no package of it');
    await here.stored.putAgain(version);
    rmSync((await blobOf(version)).path);
    await expect(there.stored.restore(version)).rejects.toThrow('its package is missing in the file store');
    expect(await there.packages.has(version)).toBe(false);
  });

  it('is refused when the database names another package as its own', async () => {
    const version = await install(pluginPackage({ signature: newSigningKey() }));
    for (const other of [pluginPackage(), pluginPackage({ signature: newSigningKey() })]) {
      await replace(version, other);
      await expect(there.stored.restore(version)).rejects.toThrow('another one than was installed');
    }
    expect(await there.packages.has(version)).toBe(false);
  });

  it.each(['../outside.js', 'a/../../outside.js'])('is refused when a file would be outside: %s', async (path) => {
    const version = await install(pluginPackage());
    await replace(version, pluginPackage({ more: [{ path, content: 'outside' }] }));
    await expect(there.stored.restore(version)).rejects.toMatchObject({ reason: 'plugin_invalid' });
    await replace(version, zipArchive([{ path, content: 'outside' }]));
    await expect(there.stored.restore(version)).rejects.toMatchObject({ reason: 'plugin_invalid' });
    expect(isUntouched()).toEqual(['.incoming']);
    expect(readdirSync(folder).sort()).toEqual(['files', 'here', 'there']);
  });
});

describe('a package', () => {
  it('of an installation without one is packed again, always the same, and only by a replica with the files', async () => {
    const version = await install(pluginPackage({ signature: newSigningKey() }), false);
    expect(await there.stored.putAgain(version)).toBe(false);
    expect(await here.stored.putAgain(version)).toBe(true);
    const first = await records.byDigest(version.digest);
    expect(await here.stored.putAgain(version)).toBe(false);
    await there.stored.restore(version);
    // The content was lost.
    rmSync((await blobOf(version)).path);
    expect(await there.stored.putAgain(version)).toBe(true);
    expect(await records.byDigest(version.digest)).toMatchObject({
      sha256: first?.sha256,
      blob_uuid: first?.blob_uuid,
    });
  });

  it('is not packed of files that were changed, its manifest included', async () => {
    const version = await install(pluginPackage(), false);
    const manifest = join(here.packages.folder(version), 'parley-plugin.json');
    chmodSync(manifest, 0o600);
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace('1.2.0', '1.2.1'));
    await expect(here.stored.putAgain(version)).rejects.toThrow('another one than was installed');
    expect(await records.byDigest(version.digest)).toBeNull();
  });

  it('that is damaged in the store is replaced by an installation of the same', async () => {
    const content = pluginPackage();
    const version = await install(content);
    writeFileSync((await blobOf(version)).path, 'damaged');
    await install(content);
    await there.stored.restore(version);
    // One that was packed again is damaged, and the original one takes its place.
    await replace(version, pluginPackage({ signature: newSigningKey() }));
    writeFileSync((await blobOf(version)).path, 'damaged');
    const { uuid } = await blobOf(version);
    await install(content);
    expect((await records.byDigest(version.digest))?.sha256).toBe(version.digest);
    expect(await records.discarded(10)).toEqual([uuid]);
  });

  it('is deleted once no version needs it, but not while it is recent', async () => {
    const [kept, previous, unneeded] = [
      await install(pluginPackage()),
      await install(pluginPackage({ signature: newSigningKey() })),
      await install(pluginPackage({ signature: newSigningKey() })),
    ];
    const { path } = await blobOf(unneeded);
    // Only what versions it has matters here.
    plugins = [{ installed: kept, waiting: null, previous } as StoredPlugin];
    expect(await here.stored.removeUnneeded(10)).toBe(0);
    await storage.database.updateTable('plugin_packages').set({ stored_at: '2026-01-01T00:00:00.000Z' }).execute();
    expect(await here.stored.removeUnneeded(10)).toBe(1);
    expect([existsSync(path), await records.byDigest(unneeded.digest)]).toEqual([false, null]);
    for (const version of [kept, previous]) await there.stored.restore(version);
  });
});
