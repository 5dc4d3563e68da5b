import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertBase, insertDocument, insertUpload, newCollection } from '../../../test/stores/knowledge-records.ts';
import type { StoredCollection } from '../../core/knowledge/knowledge-base.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyCollectionStore } from './kysely-collection-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';
import { KyselyKnowledgeBaseStore } from './kysely-knowledge-base-store.ts';

const later = '2030-01-01T00:00:00.000Z';

describeOnEachEngine('the store of collections', (storage) => {
  const store = () => new KyselyCollectionStore(storage().database, storage().engine);
  const documents = () => new KyselyDocumentStore(storage().database, storage().engine);
  const bases = () => new KyselyKnowledgeBaseStore(storage().database, storage().engine);

  const document = async (baseUuid: string) =>
    insertDocument(storage().database, await insertUpload(storage().database), { knowledge_base_uuid: baseUuid });
  const ready = async (baseUuid: string, chunk_count: number) => {
    const { uuid } = await document(baseUuid);
    const work = await documents().begin(uuid, later);
    if (work === null) throw new Error('it was queued');
    await documents().end(work, { stage: 'ready', chunk_count }, later);
    return uuid;
  };
  const storeIn = async (uuid: string, collectionId: string, chunkCount: number | null) => {
    const work = await documents().beginBeside(uuid, collectionId, later);
    if (work === null) throw new Error('it was missing');
    await documents().endBeside(work, chunkCount);
  };
  const beside = async (baseUuid: string, over: Partial<StoredCollection> = {}) => {
    const collection = newCollection({ knowledge_base_uuid: baseUuid, ...over });
    expect(await store().create(collection)).toBe(true);
    return collection;
  };

  it('returns a collection as it was stored', async () => {
    const base = await insertBase(storage().database);
    const made = await beside(base.uuid, { sealed_secrets: 'sealed', creation_settings: { a: ['ü'] } });
    expect(await store().byId(made.collection_id)).toEqual(made);
    expect(await store().byId(newUuid())).toBeNull();
    expect(await store().inState('building', 'waiting')).toEqual([made]);
    expect(await store().dropping()).toEqual([]);
  });

  it('has one that is built for each base, and forgets those that failed', async () => {
    const base = await insertBase(storage().database);
    const all = await Promise.all(
      Array.from({ length: 4 }, () => store().create(newCollection({ knowledge_base_uuid: base.uuid }))),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
    const [first] = await store().inState('building');
    const id = first?.collection_id ?? '';
    expect(await store().change(id, ['building'], { state: 'waiting', evaluation_uuid: 'e', updated_at: later })).toBe(
      true,
    );
    expect(await store().create(newCollection({ knowledge_base_uuid: base.uuid }))).toBe(false);
    expect(await store().change(id, ['building'], { state: 'failed', updated_at: later })).toBe(false);
    expect(await store().change(id, ['waiting'], { state: 'failed', error: 'no', updated_at: later })).toBe(true);
    expect(await store().byId(id)).toMatchObject({ state: 'failed', error: 'no', evaluation_uuid: 'e' });
    await beside(base.uuid);
    expect(await store().dropping()).toMatchObject([{ collection_id: id }]);
    expect(await store().change(newUuid(), ['waiting'], { state: 'failed', updated_at: later })).toBe(false);
  });

  it('is searched only once it is complete', async () => {
    const base = await insertBase(storage().database);
    const [one, two] = [await ready(base.uuid, 2), await ready(base.uuid, 3)];
    const failed = await document(base.uuid);
    await documents().move(failed.uuid, ['queued'], { stage: 'failed', reason: 'provider_failed', error: 'e' }, later);
    const cancelled = await document(base.uuid);
    await documents().move(cancelled.uuid, ['queued'], { stage: 'cancelled' }, later);
    const made = await beside(base.uuid);
    await storeIn(one, made.collection_id, 20);
    await storeIn(two, made.collection_id, null);
    expect(await store().activate(made.collection_id, later)).toBe('incomplete');
    expect(await store().list(base.uuid)).toMatchObject([
      { collection_id: base.collection_id, state: 'active', document_count: 2, chunk_count: 5, missing_count: 0 },
      { collection_id: made.collection_id, state: 'building', document_count: 1, chunk_count: 20, missing_count: 1 },
    ]);
    await storeIn(two, made.collection_id, 0);
    expect(await store().activate(made.collection_id, later)).toBeNull();
    expect(await store().activate(made.collection_id, later)).toBe('not_found');
    expect(await store().activate(newUuid(), later)).toBe('not_found');
    expect(await bases().byUuid(base.uuid)).toMatchObject({
      collection_id: made.collection_id,
      chunk_count: 20,
      updated_at: later,
    });
    expect(await documents().byUuid(one)).toMatchObject({ stage: 'ready', chunk_count: 20 });
    expect(await documents().byUuid(failed.uuid)).toMatchObject({ stage: 'queued', reason: null, error: null });
    expect(await documents().byUuid(cancelled.uuid)).toMatchObject({ stage: 'cancelled' });
    expect((await store().list(base.uuid)).map(({ state }) => state)).toEqual(['dropping', 'active']);
  });

  it('drops collections without a base, with their document state', async () => {
    const base = await insertBase(storage().database);
    const uuid = await ready(base.uuid, 1);
    const orphan = newCollection();
    await store().create(orphan);
    expect(await store().inState('building')).toEqual([]);
    await store().dropOrphans(later);
    expect(await store().dropping()).toMatchObject([{ collection_id: orphan.collection_id }]);
    await store().delete(orphan.collection_id);
    expect(await store().dropping()).toEqual([]);
    const content = {
      collection_id: base.collection_id,
      knowledge_base_uuid: base.uuid,
      knowledge_engine_plugin_id: 'parley/built-in',
    };
    expect(await store().contents()).toEqual([{ ...content, documents: [{ uuid, chunk_count: 1 }] }]);
    const many = [...Array.from({ length: 1200 }, () => newUuid()), uuid];
    await store().forget(base.collection_id, many);
    expect(await store().contents()).toEqual([{ ...content, documents: [] }]);
  });
});
