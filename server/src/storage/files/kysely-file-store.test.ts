import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertDocument } from '../../../test/stores/knowledge-records.ts';
import type { StoredFile } from '../../core/files/file.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyFileStore } from './kysely-file-store.ts';

const file = (over: Partial<StoredFile> = {}): StoredFile => ({
  uuid: newUuid(),
  name: 'résumé 履歴書.pdf',
  size: 10_485_760,
  sha256: 'a'.repeat(64),
  media_type: 'application/pdf',
  purpose: 'document',
  access_key: null,
  created_at: now(),
  ...over,
});

describeOnEachEngine('the store of files', (storage) => {
  const store = () => new KyselyFileStore(storage().database);

  it('returns a file as it was stored', async () => {
    const stored = file();
    await store().create(stored);
    expect(await store().byUuid(stored.uuid)).toEqual(stored);
    expect(await store().byUuid(newUuid())).toBeNull();
  });

  it('finds a file by the key that names it, of which there is one only', async () => {
    const image = file({ purpose: 'image', access_key: 'Key.png' });
    await store().create(image);
    for (let index = 0; index < 2; index += 1) await store().create(file());
    expect(await store().byAccessKey('Key.png')).toEqual(image);
    expect(await store().byAccessKey('key.png')).toBeNull();
    expect(await store().byAccessKey('')).toBeNull();
    await expect(store().create(file({ access_key: 'Key.png' }))).rejects.toThrow();
  });

  it('lists the latest files that are not discarded', async () => {
    const files = [file(), file({ purpose: 'media', access_key: 'latest' }), file({ purpose: 'discarded' })];
    for (const one of files) await store().create(one);
    expect(await store().latest(2)).toEqual([files[1]?.uuid, files[0]?.uuid]);
    for (const { uuid } of files) await store().delete(uuid);
  });

  it('discards unsent files from before a time, the oldest first', async () => {
    const unsent = ['2026-01-03', '2026-01-01', '2026-01-02'].map((created_at) =>
      file({ purpose: 'unsent', created_at }),
    );
    const others = [file({ created_at: '2026-01-01' }), file({ purpose: 'media', created_at: '2026-01-01' })];
    for (const one of [...unsent, ...others]) await store().create(one);
    const [late, oldest, next] = unsent.map(({ uuid }) => uuid);
    expect(await store().discardUnsent('2026-01-01', 10)).toBe(0);
    expect(await store().discardUnsent('2026-01-03', 1)).toBe(1);
    expect(await store().discarded(10)).toEqual([oldest]);
    expect(await store().discardUnsent('2026-01-03', 10)).toBe(1);
    expect(await store().discarded(10)).toEqual([oldest, next]);
    expect((await store().byUuid(late ?? ''))?.purpose).toBe('unsent');
    for (const uuid of [oldest, next]) await store().delete(uuid ?? '');
  });

  it('discards uploads that no document needs, once', async () => {
    const [free, needed] = [file(), file()];
    const others = [file({ purpose: 'image', access_key: 'a.png' }), file({ purpose: 'media', access_key: 'b' })];
    for (const one of [free, needed, ...others]) await store().create(one);
    await insertDocument(storage().database, needed.uuid);
    expect(await store().discarded(10)).toEqual([]);
    expect(await store().discard(free.uuid)).toBe(true);
    for (const one of [free, needed, ...others]) expect(await store().discard(one.uuid)).toBe(false);
    expect(await store().discard(newUuid())).toBe(false);
    expect(await store().discarded(10)).toEqual([free.uuid]);
    expect(await store().discarded(0)).toEqual([]);
    await store().delete(free.uuid);
    await store().delete(free.uuid);
    expect(await store().byUuid(free.uuid)).toBeNull();
    await expect(store().delete(needed.uuid)).rejects.toThrow();
  });
});
