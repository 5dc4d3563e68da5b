import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { emptyDatabase } from '../../../test/postgres/test-database.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyFileStore } from '../files/kysely-file-store.ts';
import { openPostgres } from '../postgres-database.ts';
import type { Storage } from '../storage.ts';
import { KyselyStorageMeter } from './kysely-storage-meter.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'parley-meter-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const measured = async (storage: Pick<Storage, 'database' | 'engine'>, folder = dataDir) => {
  const sizes = await new KyselyStorageMeter(storage, { dataDir: folder }).measure();
  return Object.fromEntries(sizes.map(({ name, bytes }) => [name, bytes]));
};

describeOnEachEngine('the storage meter', (storage) => {
  it('sums up the files by their records', async () => {
    expect(await measured(storage())).toMatchObject({ files: 0 });
    const store = new KyselyFileStore(storage().database);
    for (const size of [2_000_000_000, 2_000_000_000, 5]) {
      await store.create({
        uuid: newUuid(),
        name: 'a.txt',
        size,
        sha256: '',
        media_type: 'text/plain',
        purpose: 'document',
        access_key: null,
        created_at: now(),
      });
    }
    expect(await measured(storage())).toMatchObject({ files: 4_000_000_005 });
  });

  it('names each size once, in one order', async () => {
    const sizes = await new KyselyStorageMeter(storage(), { dataDir }).measure();
    expect(sizes.map(({ name }) => name)).toEqual(['ledger', 'knowledge', 'files']);
  });

  it('measures the records and the chunks of documents', async () => {
    const { engine, database } = storage();
    const before = await measured(storage());
    expect(before.knowledge).toBe(0);
    if (engine === 'sqlite') {
      expect(before.ledger).toBe(0);
      for (const [name, size] of Object.entries({ parley: 1, 'parley.db': 20, 'parley.db-wal': 300 })) {
        writeFileSync(join(dataDir, name), 'x'.repeat(size));
      }
      writeFileSync(join(dataDir, 'knowledge.db'), 'x'.repeat(4000));
      expect(await measured(storage())).toMatchObject({ ledger: 320, knowledge: 4000 });
      writeFileSync(join(dataDir, 'knowledge.db-wal'), 'x'.repeat(50_000));
      expect(await measured(storage())).toMatchObject({ ledger: 320, knowledge: 54_000 });
    } else {
      await sql`create schema knowledge_chunks`.execute(database);
      await sql`create table knowledge_chunks.one (text text)`.execute(database);
      await sql`create index one_text on knowledge_chunks.one (left(text, 20))`.execute(database);
      // More than compresses, so that it is stored outside of the row.
      await sql`insert into knowledge_chunks.one
        select string_agg(md5(random()::text), '') from generate_series(1, 20000)`.execute(database);
      const after = await measured(storage());
      expect(after.knowledge).toBeGreaterThan(500_000);
      expect(after.ledger).toBeGreaterThan((before.ledger ?? 0) + 500_000);
    }
  });
});

it('returns null for unknown sizes', async () => {
  const folder = join(dataDir, 'loops');
  rmSync(folder, { force: true });
  symlinkSync(folder, folder);
  const fresh = await emptyDatabase();
  const database = await openPostgres(fresh.url);
  try {
    // This database has no tables, and a link to itself leads to no folder.
    expect(await measured({ database, engine: 'sqlite' }, folder)).toEqual({
      ledger: null,
      knowledge: null,
      files: null,
    });
  } finally {
    await database.destroy();
    await fresh.drop();
  }
});
