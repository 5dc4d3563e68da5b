import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@parley/sdk/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexedDocument, newChunk } from '../../../test/stores/chunk-store-fixture.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { insertBase, insertDocument, insertUpload, newCollection } from '../../../test/stores/knowledge-records.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { ChunkStore } from '../../core/knowledge/chunk-store.ts';
import type { DocumentWork } from '../../core/knowledge/document-store.ts';
import { recoverKnowledge } from '../../core/knowledge/knowledge-recovery.ts';
import { now } from '../../lib/clock.ts';
import type { Storage } from '../storage.ts';
import { KyselyCollectionStore } from './kysely-collection-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';
import { openChunkStore } from './open-chunk-store.ts';

const later = '2030-01-01T00:00:00.000Z';

describe.each(engines)('chunks of documents that another replica works on, on %s', (engine) => {
  let storage: Storage;
  let other: Storage;
  let dataDir: string;
  let chunks: ChunkStore;
  let theirs: ChunkStore;
  let base: Awaited<ReturnType<typeof insertBase>>;
  beforeEach(async () => {
    storage = await openTestStorage(engine);
    other = await otherReplica(storage);
    dataDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
    chunks = await openChunkStore(storage, { dataDir, logger: silentLogger });
    // The file of SQLite has one thread that writes it.
    theirs = engine === 'sqlite' ? chunks : await openChunkStore(other, { dataDir, logger: silentLogger });
    base = await insertBase(storage.database);
    await chunks.create(base.collection_id, { language: 'none' });
  });
  afterEach(async () => {
    await theirs.close();
    await chunks.close();
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const documentsOf = ({ database, engine, replica }: Storage) => new KyselyDocumentStore(database, engine, replica);
  const collections = () => new KyselyCollectionStore(storage.database, storage.engine, storage.replica);
  const document = async () => {
    const upload = await insertUpload(storage.database);
    return (await insertDocument(storage.database, upload, { knowledge_base_uuid: base.uuid })).uuid;
  };
  const begin = async (of: Storage, uuid: string): Promise<DocumentWork> => {
    const work = await documentsOf(of).begin(uuid, later);
    if (work === null) throw new Error('it was not queued');
    return work;
  };
  const written = async (store: ChunkStore, uuid: string, text: string) => {
    const edition = await store.begin(base.collection_id, indexedDocument(uuid));
    await store.add(base.collection_id, edition, [newChunk(0, text)]);
    return edition;
  };
  const index = async (of: Storage, uuid: string, text: string) => {
    const work = await begin(of, uuid);
    const store = of === storage ? chunks : theirs;
    await store.publish(base.collection_id, await written(store, uuid, text));
    await documentsOf(of).end(work, { stage: 'ready', chunk_count: 1 }, later);
  };
  const found = async (text: string) => (await chunks.search(base.collection_id, { text, limit: 9 })).keyword.length;
  const recover = () => {
    const parts = { collections: collections(), documents: documentsOf(storage), chunks, logger: silentLogger };
    return recoverKnowledge({ ...parts, engines: { open: async () => undefined } });
  };

  it('are left alone by the repairs of a start', async () => {
    const [indexed, published, stored, gone] = [await document(), await document(), await document(), await document()];
    for (const uuid of [stored, gone]) await index(storage, uuid, 'old');
    await begin(other, indexed);
    const open = await written(theirs, indexed, 'open');
    const publishing = await begin(other, published);
    await theirs.publish(base.collection_id, await written(theirs, published, 'published'));
    // A base that is being created: its engine has the collection already.
    const created = newCollection({ created_at: now(), updated_at: now() });
    await collections().create(created);
    await theirs.create(created.collection_id, { language: 'none' });
    // No replica works on these.
    await written(theirs, stored, 'left');
    await storage.database.deleteFrom('knowledge_documents').where('uuid', '=', gone).execute();
    await theirs.create('unknown', { language: 'none' });

    await recover();
    expect(await found('old')).toBe(1);
    expect(await chunks.statistics('unknown')).toBeNull();
    expect(await chunks.statistics(created.collection_id)).not.toBeNull();
    expect(await collections().dropping()).toEqual([]);
    await theirs.publish(base.collection_id, open);
    const done = await documentsOf(other).end(publishing, { stage: 'ready', chunk_count: 1 }, later);
    expect(done).toMatchObject({ stage: 'ready', attempts: 1 });
    expect([await found('open'), await found('published')]).toEqual([1, 1]);
    await recover();
    expect(await documentsOf(storage).byUuid(published)).toEqual(done);
    expect([await found('open'), await found('published')]).toEqual([1, 1]);

    await takeOver(other, documentsOf(storage));
    await recover();
    // Its run was not recorded: it is queued, and what it published is removed.
    expect([await found('open'), await found('published')]).toEqual([0, 1]);
    expect(await documentsOf(storage).byUuid(indexed)).toMatchObject({ stage: 'queued', attempts: 1 });
  });

  it('are not taken for lost while they are replaced', async () => {
    const uuid = await document();
    await index(storage, uuid, 'old');
    await documentsOf(other).move(uuid, ['ready'], { stage: 'queued' }, later);
    const work = await begin(other, uuid);
    const edition = await written(theirs, uuid, 'new');
    await theirs.add(base.collection_id, edition, [newChunk(1, 'newer')]);
    await theirs.publish(base.collection_id, edition);
    await recover();
    expect(await found('new')).toBe(1);
    expect(await collections().contents()).toMatchObject([{ documents: [{ uuid, chunk_count: 1 }] }]);
    await documentsOf(other).end(work, { stage: 'ready', chunk_count: 2 }, later);
    await recover();
    expect(await documentsOf(storage).byUuid(uuid)).toMatchObject({ stage: 'ready', chunk_count: 2 });
  });

  // On SQLite there is no other process.
  describe.runIf(engine === 'postgres')('when they are outdated', () => {
    it.each(['taken over', 'taken over and claimed', 'cancelled', 'being removed', 'gone'])(
      'are not published once a document is %s',
      async (what) => {
        const uuid = await document();
        await begin(other, uuid);
        const edition = await written(theirs, uuid, 'late');
        if (what.startsWith('taken over')) await takeOver(other, documentsOf(storage));
        if (what === 'taken over and claimed') await index(storage, uuid, 'whole');
        if (what === 'cancelled') {
          await documentsOf(storage).move(uuid, ['parsing'], { stage: 'cancelled' }, later);
        }
        if (what === 'being removed') await documentsOf(storage).beginRemoval(uuid, later);
        if (what === 'gone') await documentsOf(storage).delete(uuid);
        await expect(theirs.publish(base.collection_id, edition)).rejects.toMatchObject({ reason: 'not_found' });
        expect(await found('late')).toBe(0);
        expect(await found('whole')).toBe(what === 'taken over and claimed' ? 1 : 0);
      },
    );

    it('are not published when a document is cancelled at the same time', async () => {
      const uuid = await document();
      await begin(other, uuid);
      const edition = await written(theirs, uuid, 'late');
      const transaction = await storage.database.startTransaction().execute();
      await transaction
        .updateTable('knowledge_documents')
        .set({ stage: 'cancelled', claimed_by: null })
        .where('uuid', '=', uuid)
        .execute();
      const publishing = theirs.publish(base.collection_id, edition).then(
        () => 'published',
        ({ reason }) => reason,
      );
      const isWaiting = sql<{ waiting: boolean }>`select exists (select from pg_locks where not granted) as waiting`;
      await expect.poll(async () => (await isWaiting.execute(storage.database)).rows[0]?.waiting).toBe(true);
      await transaction.commit().execute();
      expect(await publishing).toBe('not_found');
      expect(await found('late')).toBe(0);
    });

    it('are not published for a collection that is built once its document is read again', async () => {
      const uuid = await document();
      await index(storage, uuid, 'old');
      const built = newCollection({ knowledge_base_uuid: base.uuid });
      await collections().create(built);
      await theirs.create(built.collection_id, { language: 'none' });
      const write = async () => {
        expect(await documentsOf(other).beginBeside(uuid, built.collection_id, later)).not.toBeNull();
        return theirs.begin(built.collection_id, indexedDocument(uuid));
      };
      const edition = await write();
      await documentsOf(storage).forgetBeside(uuid, base.collection_id);
      await expect(theirs.publish(built.collection_id, edition)).rejects.toMatchObject({ reason: 'not_found' });
      await theirs.publish(built.collection_id, await write());
      expect(await theirs.documents(built.collection_id)).toEqual(new Map([[uuid, 0]]));
    });
  });
});
