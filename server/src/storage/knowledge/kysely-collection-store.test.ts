import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertBase, insertDocument, insertUpload, newCollection } from '../../../test/stores/knowledge-records.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { StoredCollection } from '../../core/knowledge/knowledge-base.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyCollectionStore } from './kysely-collection-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';
import { KyselyKnowledgeBaseStore } from './kysely-knowledge-base-store.ts';

const later = '2030-01-01T00:00:00.000Z';

describeOnEachEngine('the store of collections', (storage) => {
  const store = () => new KyselyCollectionStore(storage().database, storage().engine, storage().replica);
  const documents = () => new KyselyDocumentStore(storage().database, storage().engine, storage().replica);
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
    expect(await store().built()).toEqual([made]);
    expect(await store().dropping()).toEqual([]);
  });

  it('has one that is built for each base, and forgets those that failed', async () => {
    const base = await insertBase(storage().database);
    const all = await Promise.all(
      Array.from({ length: 4 }, () => store().create(newCollection({ knowledge_base_uuid: base.uuid }))),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
    const [first] = await store().built();
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

  it('has each built by one living replica, and takes on those of replicas that ended', async () => {
    const base = await insertBase(storage().database);
    const made = await beside(base.uuid);
    const place = await otherReplica(storage());
    const other = new KyselyCollectionStore(place.database, place.engine, place.replica);
    expect(await other.built()).toEqual([]);
    expect(await store().built()).toEqual([made]);
    await takeOver(storage());
    expect(await other.built()).toEqual([made]);
    expect(await store().built()).toEqual([]);
  });

  it('drops collections without a base, with their document state', async () => {
    const base = await insertBase(storage().database);
    const uuid = await ready(base.uuid, 1);
    const orphan = newCollection();
    await store().create(orphan);
    expect(await store().built()).toEqual([]);
    await store().dropOrphans(later);
    expect(await store().dropping()).toMatchObject([{ collection_id: orphan.collection_id }]);
    await store().delete(orphan.collection_id);
    expect(await store().dropping()).toEqual([]);
    const content = {
      collection_id: base.collection_id,
      knowledge_base_uuid: base.uuid,
      knowledge_engine_plugin_id: 'parley/built-in',
    };
    const stored = { uuid, chunk_count: 1 };
    expect(await store().contents()).toEqual([{ ...content, documents: [stored], claimed: [] }]);
    const many = Array.from({ length: 1200 }, () => ({ uuid: newUuid(), chunk_count: 1 }));
    await store().forget(base.collection_id, [...many, { uuid, chunk_count: 2 }]);
    expect(await store().contents()).toEqual([{ ...content, documents: [stored], claimed: [] }]);
    await store().forget(base.collection_id, [...many, stored]);
    expect(await store().contents()).toEqual([{ ...content, documents: [], claimed: [] }]);
  });

  it('leaves alone what another replica works on', async () => {
    const base = await insertBase(storage().database);
    const rebuilt = await beside(base.uuid);
    const [read, moved, idle] = [await ready(base.uuid, 1), await ready(base.uuid, 1), await ready(base.uuid, 1)];
    for (const uuid of [moved, idle]) await storeIn(uuid, rebuilt.collection_id, 2);
    const other = await otherReplica(storage());
    const claims = new KyselyDocumentStore(other.database, other.engine, other.replica);
    await claims.move(read, ['ready'], { stage: 'queued' }, later);
    await claims.begin(read, later);
    await documents().forgetBeside(moved, base.collection_id);
    await claims.beginBeside(moved, rebuilt.collection_id, later);
    const all = async () =>
      new Map((await store().contents()).map(({ collection_id, ...content }) => [collection_id, content]));
    const before = await all();
    expect(before.get(base.collection_id)?.claimed).toEqual([read]);
    expect(before.get(rebuilt.collection_id)).toMatchObject({
      claimed: [read, moved],
      documents: [{ uuid: idle, chunk_count: 2 }],
    });
    for (const [id, { documents }] of before) await store().forget(id, documents);
    expect((await all()).get(base.collection_id)?.documents).toEqual([{ uuid: read, chunk_count: 1 }]);
    expect((await all()).get(rebuilt.collection_id)?.documents).toEqual([]);

    // Bases that it may be creating, and one that no replica creates any more.
    const created = newCollection({ created_at: now(), updated_at: now() });
    const left = newCollection({ created_at: secondsFromNow(-4000) });
    for (const collection of [created, left]) await store().create(collection);
    await store().dropOrphans(later);
    expect((await store().dropping()).map(({ collection_id }) => collection_id)).toEqual([left.collection_id]);
    await takeOver(other, claims);
    expect((await all()).get(base.collection_id)?.claimed).toEqual([]);
    await store().dropOrphans(later);
    expect(await store().dropping()).toHaveLength(2);
  });
});
