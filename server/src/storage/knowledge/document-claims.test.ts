import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertBase, insertDocument, insertUpload, newCollection } from '../../../test/stores/knowledge-records.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { DocumentWork } from '../../core/knowledge/document-store.ts';
import type { Storage } from '../storage.ts';
import { KyselyCollectionStore } from './kysely-collection-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';

const later = '2030-01-01T00:00:00.000Z';
const failed = { stage: 'failed', reason: 'document_broken', error: 'It is cut off.' } as const;

describeOnEachEngine('claims of documents', (storage) => {
  let replica: Storage;
  let one: KyselyDocumentStore;
  let two: KyselyDocumentStore;
  let base: Awaited<ReturnType<typeof insertBase>>;
  beforeEach(async () => {
    replica = await otherReplica(storage());
    one = storeOf(replica);
    two = storeOf(storage());
    base = await insertBase(storage().database);
  });

  const storeOf = ({ database, engine, replica }: Storage) => new KyselyDocumentStore(database, engine, replica);
  const document = async () => {
    const upload = await insertUpload(storage().database);
    return (await insertDocument(storage().database, upload, { knowledge_base_uuid: base.uuid })).uuid;
  };
  const certain = (work: DocumentWork | null): DocumentWork => {
    if (work === null) throw new Error('it was not free');
    return work;
  };
  const begin = async (store: KyselyDocumentStore, uuid: string) => certain(await store.begin(uuid, later));
  const ready = async () => {
    const uuid = await document();
    await two.end(await begin(two, uuid), { stage: 'ready', chunk_count: 3 }, later);
    return uuid;
  };
  const built = async () => {
    const collection = newCollection({ knowledge_base_uuid: base.uuid });
    await new KyselyCollectionStore(storage().database, storage().engine, storage().replica).create(collection);
    return collection.collection_id;
  };
  const everything = async () => {
    const { database } = storage();
    return {
      documents: await database.selectFrom('knowledge_documents').selectAll().orderBy('uuid').execute(),
      entries: await database
        .selectFrom('knowledge_collection_documents')
        .selectAll()
        .orderBy('collection_id')
        .orderBy('document_uuid')
        .execute(),
    };
  };
  const claimOf = async (uuid: string) =>
    storage()
      .database.selectFrom('knowledge_documents')
      .select(['stage', 'claimed_by', 'claim'])
      .where('uuid', '=', uuid)
      .executeTakeFirst();

  it('are held from the begin to the end of a run, and not shown', async () => {
    const uuid = await document();
    const work = await begin(one, uuid);
    expect(work.claim).toBe(1);
    expect(await claimOf(uuid)).toEqual({ stage: 'parsing', claimed_by: replica.replica.id, claim: 1 });
    for (const key of ['claimed_by', 'claim']) {
      expect(work.document).not.toHaveProperty(key);
      expect(await one.byUuid(uuid)).not.toHaveProperty(key);
    }
    expect(await one.update(work, { stage: 'embedding', done: 2 }, later)).toBe(true);
    await one.end(work, { stage: 'queued' }, later);
    expect(await claimOf(uuid)).toEqual({ stage: 'queued', claimed_by: null, claim: 1 });
    expect((await begin(one, uuid)).claim).toBe(2);
  });

  it('are given to one of several replicas', async () => {
    const uuids = await Promise.all(Array.from({ length: 5 }, document));
    for (const uuid of uuids) {
      const works = await Promise.all([one, two, one, two].map((store) => store.begin(uuid, later)));
      expect(works.filter((work) => work !== null)).toHaveLength(1);
    }
    expect(await two.firstQueued()).toEqual([]);
    const stored = await Promise.all(Array.from({ length: 5 }, ready));
    const collection = await built();
    for (const uuid of stored) {
      const works = await Promise.all([one, two].map((store) => store.beginBeside(uuid, collection, later)));
      expect(works.filter((work) => work !== null)).toHaveLength(1);
    }
    const free = await Promise.all([one, two].map((store) => store.missing(collection, 10)));
    // Each may repeat those of its own that it does not work on any more.
    expect(free.flat()).toHaveLength(stored.length);
  });

  it.each([
    'taken over',
    'taken over and claimed by another',
    'claimed again by the same replica',
    'cancelled',
    'being removed by another',
    'being removed by the same replica',
    'gone',
  ])('change nothing once a document is %s', async (what) => {
    const uuid = await document();
    const work = await begin(one, uuid);
    const late = one;
    switch (what) {
      case 'taken over':
        await takeOver(replica, two);
        break;
      case 'taken over and claimed by another':
        await takeOver(replica, two);
        expect(await begin(two, uuid)).toMatchObject({ claim: 2, attempt: 2 });
        break;
      case 'claimed again by the same replica':
        await one.move(uuid, ['parsing'], { stage: 'queued' }, later);
        expect(await begin(one, uuid)).toMatchObject({ claim: 2, attempt: 1 });
        break;
      case 'cancelled':
        await two.move(uuid, ['queued', 'parsing'], { stage: 'cancelled' }, later);
        break;
      case 'being removed by another':
        await two.beginRemoval(uuid, later);
        break;
      case 'being removed by the same replica':
        await one.beginRemoval(uuid, later);
        break;
      case 'gone':
        await two.delete(uuid);
    }
    const before = await everything();
    expect(await late.update(work, { stage: 'embedding', done: 9, total: 9, title: 'T' }, later)).toBe(false);
    expect(await late.end(work, { stage: 'ready', chunk_count: 9 }, later)).toBeNull();
    expect(await late.end(work, failed, later)).toBeNull();
    expect(await late.end(work, { stage: 'cancelled' }, later)).toBeNull();
    expect(await late.end(work, { stage: 'queued' }, later)).toBeNull();
    expect(await everything()).toEqual(before);
    const isKept = what.startsWith('taken over') || what.startsWith('claimed');
    expect(await late.isLeftOver(work)).toBe(!isKept);
  });

  it.each([
    'taken over',
    'taken over and claimed by another',
    'claimed again by the same replica',
    're-indexed',
    'forgotten',
    'removed',
  ])('for a collection that is built change nothing once its document is %s', async (what) => {
    const uuid = await ready();
    const collection = await built();
    const work = certain(await one.beginBeside(uuid, collection, later));
    expect(await one.noteBeside(work, { stage: 'chunking', done: 1 })).toBe(true);
    expect(await two.beginBeside(uuid, collection, later)).toBeNull();
    switch (what) {
      case 'taken over':
        await takeOver(replica, two);
        break;
      case 'taken over and claimed by another':
        await takeOver(replica, two);
        // It got further than any run before it.
        expect(await two.beginBeside(uuid, collection, later)).toMatchObject({ claim: 2, attempt: 2 });
        break;
      case 'claimed again by the same replica':
        expect(await one.beginBeside(uuid, collection, later)).toMatchObject({ claim: 2 });
        break;
      case 're-indexed':
        await two.forgetBeside(uuid, base.collection_id);
        break;
      case 'forgotten':
        await two.forgetBeside(uuid, base.collection_id);
        expect(await one.beginBeside(uuid, collection, later)).toMatchObject({ claim: 2, attempt: 1 });
        break;
      case 'removed':
        await two.beginRemoval(uuid, later);
    }
    const before = await everything();
    expect(await one.noteBeside(work, { stage: 'embedding', done: 9 })).toBe(false);
    expect(await one.endBeside(work, 9)).toBe(false);
    expect(await one.endBeside(work, null)).toBe(false);
    expect(await everything()).toEqual(before);
  });

  it('of living replicas are not taken over', async () => {
    const third = await otherReplica(storage());
    const [mine, dead] = [await document(), await document()];
    const [kept, lost] = [await ready(), await ready()];
    const collection = await built();
    const works = [await begin(two, mine), certain(await two.beginBeside(kept, collection, later))];
    await begin(one, dead);
    await one.beginBeside(lost, collection, later);
    // Forgotten, as a removal leaves it: one of a living replica, one of a dead one.
    const [removed, left] = [await ready(), await ready()];
    await two.beginRemoval(removed, later);
    await one.beginRemoval(left, later);
    const before = await everything();
    expect(await two.recover()).toBe(0);
    expect(await everything()).toEqual(before);
    await takeOver(replica, storeOf(third));
    expect(await claimOf(mine)).toMatchObject({ stage: 'parsing', claimed_by: storage().replica.id });
    expect(await claimOf(dead)).toMatchObject({ stage: 'queued', claimed_by: null });
    expect(await claimOf(removed)).toMatchObject({ stage: 'queued', claimed_by: storage().replica.id });
    expect(await claimOf(left)).toMatchObject({ stage: 'queued', claimed_by: null });
    const [, beside] = works;
    expect(await two.noteBeside(certain(beside ?? null), { stage: 'chunking', done: 1 })).toBe(true);
    expect(await two.missing(collection, 10)).toContainEqual({ uuid: lost, attempts: 1 });
    expect(await storeOf(third).missing(collection, 10)).toEqual([{ uuid: lost, attempts: 1 }]);
    // A replica that removes a queued document claims it.
    const queued = await document();
    await two.beginRemoval(queued, later);
    expect(await storeOf(third).begin(queued, later)).toBeNull();
    expect((await storeOf(third).firstQueued()).map(({ uuid }) => uuid)).not.toContain(queued);
  });
});
