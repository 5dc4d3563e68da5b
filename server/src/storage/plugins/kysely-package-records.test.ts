import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { PackageRecord } from '../../core/plugins/package-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPackageRecords } from './kysely-package-records.ts';

const record = (over: Partial<PackageRecord> = {}): PackageRecord => ({
  blob_uuid: newUuid(),
  digest: 'a'.repeat(64),
  size: 10_485_760,
  sha256: 'b'.repeat(64),
  stored_at: '2026-11-01T00:00:00.000Z',
  ...over,
});

describeOnEachEngine('records of packages', (storage) => {
  const records = () => new KyselyPackageRecords(storage().database);

  it('are found by the digest of the package, of which there is one only', async () => {
    const first = record();
    expect(await records().keep(first)).toEqual(first);
    const later = record({ size: 1, stored_at: '2026-11-02T00:00:00.000Z' });
    const kept = { ...first, stored_at: later.stored_at };
    expect(await records().keep(later)).toEqual(kept);
    expect(await records().byDigest(first.digest)).toEqual(kept);
    expect(await records().byDigest('c'.repeat(64))).toBeNull();
  });

  it('are one when replicas make them at once', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => records().keep(record())));
    expect(new Set(made.map(({ blob_uuid }) => blob_uuid)).size).toBe(1);
  });

  it('are not found once they are discarded, and are there until they are deleted', async () => {
    const old = record();
    await records().keep(old);
    await records().discard(old.blob_uuid);
    expect(await records().byDigest(old.digest)).toBeNull();
    const next = record();
    expect(await records().keep(next)).toEqual(next);
    expect(await records().discarded(10)).toEqual([old.blob_uuid]);
    await records().delete(old.blob_uuid);
    expect(await records().discarded(10)).toEqual([]);
    expect(await records().byDigest(next.digest)).toEqual(next);
  });

  it('are discarded when they are neither needed nor recent', async () => {
    const [needed, old, recent] = ['1', '2', '3'].map((digit) => record({ digest: digit.repeat(64) }));
    if (needed === undefined || old === undefined || recent === undefined) throw new Error('there are three');
    recent.stored_at = '2026-11-03T00:00:00.000Z';
    for (const one of [needed, old, recent]) await records().keep(one);
    await records().discardOthers([needed.digest], '2026-11-02T00:00:00.000Z');
    expect(await records().discarded(10)).toEqual([old.blob_uuid]);
    await records().discardOthers([], '2026-11-02T00:00:00.000Z');
    expect((await records().discarded(10)).sort()).toEqual([old.blob_uuid, needed.blob_uuid].sort());
    expect(await records().discarded(1)).toHaveLength(1);
  });

  it('raise the version of extensions when they are announced', async () => {
    const version = async () =>
      Number(
        (await storage().database.selectFrom('extension_version').select('version').executeTakeFirstOrThrow()).version,
      );
    const before = await version();
    await records().announce();
    expect(await version()).toBe(before + 1);
  });
});
