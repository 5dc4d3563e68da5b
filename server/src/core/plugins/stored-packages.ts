import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ParleyError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { BlobStore } from '../files/file-store.ts';
import type { MarkedStore } from '../files/store-mark.ts';
import type { InspectedPackage } from './package/inspect-package.ts';
import type { PackageRecord, PackageRecords } from './package-records.ts';
import { type PluginVersion, versionsOf } from './plugin.ts';
import type { PluginPackages } from './plugin-packages.ts';
import type { PluginStore } from './plugin-store.ts';

/** An installation stores its package before a record names it; it takes seconds. */
const graceSeconds = 24 * 3600;

export interface StoredPackagesOptions {
  records: PackageRecords;
  blobs: BlobStore & Pick<MarkedStore, 'has'>;
  /** The files on this machine. */
  packages: PluginPackages;
  plugins: Pick<PluginStore, 'list'>;
}

/** Something to be stored. */
interface PackageContent {
  /** Bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  read: () => AsyncIterable<Uint8Array>;
}

/** The packages of versions in the file store. A replica without the files of a version unpacks its package. */
export class StoredPackages {
  readonly #options: StoredPackagesOptions;

  constructor(options: StoredPackagesOptions) {
    this.#options = options;
  }

  /**
   * Stores a package, unless it is there and whole.
   * @param digest of the package that was installed
   * @throws StorageError
   */
  async put(digest: string, { size, sha256, read }: PackageContent): Promise<void> {
    const { records, blobs } = this.#options;
    const record = { blob_uuid: newUuid(), digest, size, sha256, stored_at: now() };
    let kept = await records.keep(record);
    if (kept.blob_uuid !== record.blob_uuid && (await this.#isWhole(kept))) return;
    if (kept.sha256 !== sha256) {
      // Its content is damaged, and was packed in another way.
      await records.discard(kept.blob_uuid);
      kept = await records.keep(record);
      // Another replica has done the same meanwhile.
      if (kept.sha256 !== sha256) return;
    }
    const written = await blobs.write(kept.blob_uuid, read());
    if (written.sha256 !== sha256) throw new Error('a package was changed while it was stored');
  }

  /**
   * Stores the package of a version whose files are on this machine, packed again, where the store has none.
   * @returns whether it was stored
   * @throws ParleyError `plugin_invalid` when the files make no package; StorageError
   */
  async putAgain(version: PluginVersion): Promise<boolean> {
    const { records, blobs, packages } = this.#options;
    const record = await records.byDigest(version.digest);
    if (record !== null && (await blobs.has(record.blob_uuid))) return false;
    // Another replica may have its files.
    if ((await packages.faultOf(version)) !== null) return false;
    const received = await packages.receive(packages.pack(version));
    try {
      const inspected = await received.inspect();
      requireSame(inspected, version);
      const { size, digest: sha256 } = inspected;
      await this.put(version.digest, { size, sha256, read: received.read });
      return true;
    } finally {
      await received.discard();
    }
  }

  /** Has replicas that lack files of plugins look for packages again. */
  announce(): Promise<void> {
    return this.#options.records.announce();
  }

  /**
   * Unpacks the package of a version to the folder of the version.
   * @throws ParleyError `plugin_files_changed` when there is none or another one, `plugin_invalid`; StorageError when it
   *   cannot be read, or not as a whole
   */
  async restore(version: PluginVersion, signal?: AbortSignal): Promise<void> {
    const { records, blobs, packages } = this.#options;
    const record = await records.byDigest(version.digest);
    if (record === null) throw changed('its files are missing here, and the file store has no package of it');
    if (!(await blobs.has(record.blob_uuid))) throw changed('its package is missing in the file store');
    const received = await packages.receive(checked(blobs.read(record.blob_uuid, record.size), record.sha256, signal));
    try {
      await received.unpack(version);
    } finally {
      await received.discard();
    }
    const fault = await packages.faultOf(version);
    if (fault !== null) throw changed(fault);
  }

  /**
   * Deletes packages that no version of a plugin needs. The content goes before its record.
   * @returns how many, at most `limit`
   */
  async removeUnneeded(limit: number): Promise<number> {
    const { records, blobs, plugins } = this.#options;
    const storedBefore = secondsFromNow(-graceSeconds);
    const needed = (await plugins.list()).flatMap(versionsOf).map(({ digest }) => digest);
    await records.discardOthers(needed, storedBefore);
    const discarded = await records.discarded(limit);
    for (const uuid of discarded) {
      await blobs.delete(uuid);
      await records.delete(uuid);
    }
    return discarded.length;
  }

  async #isWhole({ blob_uuid, size, sha256 }: PackageRecord): Promise<boolean> {
    try {
      for await (const _ of checked(this.#options.blobs.read(blob_uuid, size), sha256));
      return true;
    } catch {
      // A store that cannot be reached refuses the write that follows, and says why.
      return false;
    }
  }
}

/**
 * Refuses a package that is not the one of a version: it has other files, or another signer.
 * @throws ParleyError `plugin_files_changed`
 */
export function requireSame(
  { manifest, signature }: InspectedPackage,
  version: Pick<PluginVersion, 'manifest' | 'signer'>,
): void {
  const isSame = isDeepStrictEqual(manifest, version.manifest) && (signature?.fingerprint ?? null) === version.signer;
  if (!isSame) throw changed('the package in the file store is another one than was installed');
}

/** @throws ParleyError `plugin_files_changed` at the end of content with another digest */
async function* checked(
  content: AsyncIterable<Uint8Array>,
  sha256: string,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    signal?.throwIfAborted();
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw changed('the package in the file store was changed');
}

function changed(fault: string): ParleyError {
  return new ParleyError('plugin_files_changed', fault);
}
