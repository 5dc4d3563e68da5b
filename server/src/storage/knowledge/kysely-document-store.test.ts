import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import {
  insertBase,
  insertDocument,
  insertUpload,
  newCollection,
  newDocument,
} from '../../../test/stores/knowledge-records.ts';
import { afterRestart } from '../../../test/stores/replicas.ts';
import type { DocumentStage } from '../../core/knowledge/document.ts';
import type { DocumentEnding, DocumentWork } from '../../core/knowledge/document-store.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyFileStore } from '../files/kysely-file-store.ts';
import type { Storage } from '../storage.ts';
import { KyselyCollectionStore } from './kysely-collection-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';

const later = '2030-01-01T00:00:00.000Z';
const failed: DocumentEnding = { stage: 'failed', reason: 'document_broken', error: 'It is cut off.' };

describeOnEachEngine('the store of documents', (storage) => {
  let present: Storage | null = null;
  const store = () => new KyselyDocumentStore(storage().database, storage().engine, (present ?? storage()).replica);
  /** The process is killed and started again. @returns how many documents that queued */
  const restart = async () => {
    present = await afterRestart(present ?? storage());
    return store().recover();
  };
  const collections = () => new KyselyCollectionStore(storage().database, storage().engine, storage().replica);
  const base = () => insertBase(storage().database);
  const upload = () => insertUpload(storage().database);
  const document = async (knowledge_base_uuid: string) =>
    insertDocument(storage().database, await upload(), { knowledge_base_uuid });
  const begun = async (uuid: string): Promise<DocumentWork> => {
    const work = await store().begin(uuid, later);
    if (work === null) throw new Error('it was not queued');
    return work;
  };
  const ready = async (baseUuid: string, chunk_count = 1) => {
    const { uuid } = await document(baseUuid);
    await store().end(await begun(uuid), { stage: 'ready', chunk_count }, later);
    return uuid;
  };
  const beside = async (baseUuid: string) => {
    const collection = newCollection({ knowledge_base_uuid: baseUuid });
    await collections().create(collection);
    return collection.collection_id;
  };

  it('returns a document as it was stored, once per file', async () => {
    const { uuid: knowledge_base_uuid } = await base();
    const made = newDocument({ knowledge_base_uuid, file_uuid: await upload() });
    expect(await store().create(made, false)).toBeNull();
    expect(await store().byUuid(made.uuid)).toEqual(made);
    expect(await store().byUuid(newUuid())).toBeNull();
    const again = newDocument({ knowledge_base_uuid, file_uuid: made.file_uuid });
    expect(await store().create(again, true)).toEqual({ reason: 'same_file', document: made });
    const copy = newDocument({ knowledge_base_uuid, file_uuid: await upload(), sha256: made.sha256 });
    expect(await store().create(copy, false)).toEqual({ reason: 'same_content', document: made });
    expect(await store().create(copy, true)).toBeNull();
    const elsewhere = newDocument({ ...made, uuid: newUuid(), knowledge_base_uuid: (await base()).uuid });
    expect(await store().create(elsewhere, false)).toBeNull();
    expect(await store().create(newDocument({ file_uuid: await upload() }), false)).toEqual({ reason: 'no_base' });
    expect(await store().create(newDocument({ knowledge_base_uuid }), false)).toEqual({ reason: 'no_file' });
  });

  it('finds the newest document of a name in a base', async () => {
    const { uuid: knowledge_base_uuid } = await base();
    const { uuid: other } = await base();
    const made: string[] = [];
    for (const [index, of] of [knowledge_base_uuid, knowledge_base_uuid, other].entries()) {
      const document = newDocument({
        knowledge_base_uuid: of,
        file_uuid: await upload(),
        file_name: 'a.pdf',
        sha256: `${index}`,
      });
      expect(await store().create(document, true)).toBeNull();
      made.push(document.uuid);
    }
    expect((await store().latestNamed(knowledge_base_uuid, 'a.pdf'))?.uuid).toBe(made[1]);
    expect((await store().latestNamed(other, 'a.pdf'))?.uuid).toBe(made[2]);
    expect(await store().latestNamed(knowledge_base_uuid, 'A.pdf')).toBeNull();
    expect(await store().latestNamed(newUuid(), 'a.pdf')).toBeNull();
  });

  it('is one document when several attach a file or a content at once', async () => {
    const { uuid: knowledge_base_uuid } = await base();
    const [file_uuid, sha256] = [await upload(), 'f'.repeat(64)];
    const same = await Promise.all(
      [1, 2, 3, 4].map(() => store().create(newDocument({ knowledge_base_uuid, file_uuid }), true)),
    );
    expect(same.filter((refusal) => refusal === null)).toHaveLength(1);
    const uploads = await Promise.all([1, 2, 3, 4].map(upload));
    const copies = await Promise.all(
      uploads.map((file) => store().create(newDocument({ knowledge_base_uuid, file_uuid: file, sha256 }), false)),
    );
    expect(copies.filter((refusal) => refusal === null)).toHaveLength(1);
    expect(copies.filter((refusal) => refusal?.reason === 'same_content')).toHaveLength(3);
  });

  it('either attaches a file or discards it', async () => {
    const { uuid: knowledge_base_uuid } = await base();
    const files = new KyselyFileStore(storage().database);
    for (let round = 0; round < 10; round += 1) {
      const file_uuid = await upload();
      const [refusal, isDiscarded] = await Promise.all([
        store().create(newDocument({ knowledge_base_uuid, file_uuid }), true),
        files.discard(file_uuid),
      ]);
      expect([refusal?.reason, isDiscarded]).toEqual(refusal === null ? [undefined, false] : ['no_file', true]);
    }
  });

  it('lists documents page by page', async () => {
    const { uuid } = await base();
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push(await document(uuid));
    await document((await base()).uuid);
    expect(await store().page(uuid, { limit: 10, after: null })).toEqual(made);
    expect(await store().page(uuid, { limit: 2, after: made[1] ?? null })).toEqual(made.slice(2, 4));
    expect(await store().page(uuid, { limit: 2, after: made[4] ?? null })).toEqual([]);
    expect(await store().page(newUuid(), { limit: 2, after: null })).toEqual([]);
  });

  it('queues the oldest of each base first', async () => {
    const [one, two] = [await base(), await base()];
    const first = await document(one.uuid);
    await document(one.uuid);
    const other = await document(two.uuid);
    expect(await store().firstQueued()).toEqual([first, other]);
    const work = await begun(first.uuid);
    expect(work).toMatchObject({ collection_id: one.collection_id, attempt: 1 });
    expect(work.document).toEqual({ ...first, stage: 'parsing', attempts: 1, updated_at: later });
    expect(await store().begin(first.uuid, later)).toBeNull();
    expect((await store().firstQueued())[0]?.uuid).not.toBe(first.uuid);
  });

  it('knows how a run went', async () => {
    const { uuid: baseUuid, collection_id } = await base();
    const { uuid } = await document(baseUuid);
    const pages = [{ number: 1, characters: 3, note: 'no text' }];
    await store().update(
      await begun(uuid),
      { stage: 'embedding', done: 2, total: 5, warnings: ['ü'], pages, page_kind: 'page' },
      later,
    );
    expect(await store().byUuid(uuid)).toMatchObject({ stage: 'embedding', done: 2, warnings: ['ü'], pages });
    await store().move(uuid, ['embedding'], { stage: 'queued' }, later);

    expect(await store().end(await begun(uuid), failed, later)).toMatchObject({
      ...failed,
      attempts: 1,
      chunk_count: 0,
      finished_at: later,
    });
    expect(await store().move(uuid, ['ready'], { stage: 'queued' }, later)).toBeNull();
    expect(await store().move(uuid, ['failed'], { stage: 'queued' }, later)).toMatchObject({
      stage: 'queued',
      error: null,
    });
    const stopped = await store().end(await begun(uuid), { stage: 'queued' }, later);
    expect(stopped).toMatchObject({ stage: 'queued', attempts: 0, finished_at: null });
    const done = await store().end(await begun(uuid), { stage: 'ready', chunk_count: 7 }, later);
    expect(done).toMatchObject({ stage: 'ready', reason: null, error: null, chunk_count: 7, finished_at: later });
    expect(await collections().contents()).toMatchObject([{ collection_id, documents: [{ uuid, chunk_count: 7 }] }]);
    // Indexed data stays when a later run fails.
    await store().move(uuid, ['ready'], { stage: 'queued' }, later);
    expect(await store().end(await begun(uuid), failed, later)).toMatchObject({ stage: 'failed', chunk_count: 7 });
    expect(await collections().contents()).toMatchObject([{ documents: [{ uuid, chunk_count: 7 }] }]);
    const work = { document: newDocument(), collection_id, attempt: 1, is_beside: false, claim: 1 };
    expect(await store().end(work, failed, later)).toBeNull();
    expect(await store().move(newUuid(), ['queued'], { stage: 'cancelled' }, later)).toBeNull();
  });

  it('queues a document again when its collection was replaced during indexing', async () => {
    const { uuid: baseUuid } = await base();
    const { uuid } = await document(baseUuid);
    const work = await begun(uuid);
    const next = await beside(baseUuid);
    expect(await collections().activate(next, later)).toBeNull();
    expect(await store().end(work, { stage: 'ready', chunk_count: 1 }, later)).toMatchObject({ stage: 'queued' });
    expect(await begun(uuid)).toMatchObject({ collection_id: next, attempt: 1 });
  });

  it('lists the documents missing from a collection being built', async () => {
    const { uuid: baseUuid, collection_id: searched } = await base();
    const [one, two] = [await ready(baseUuid), await ready(baseUuid)];
    const { uuid: queued } = await document(baseUuid);
    const other = await beside(baseUuid);
    expect(await store().missing(other, 10)).toEqual([one, two].map((uuid) => ({ uuid, attempts: 0 })));
    expect(await store().missing(other, 1)).toHaveLength(1);
    expect(await store().missing(searched, 10)).toEqual([]);
    // Found in the one that is searched, although a later run failed.
    await store().move(one, ['ready'], failed, later);
    expect(await store().progress(other)).toEqual({ done: 0, total: 2 });
    const work = await store().beginBeside(one, other, later);
    if (work === null) throw new Error('it was missing');
    expect(await store().missing(other, 10)).toContainEqual({ uuid: one, attempts: 1 });
    await store().endBeside(work, null);
    expect(await store().missing(other, 10)).toContainEqual({ uuid: one, attempts: 0 });
    const again = await store().beginBeside(one, other, later);
    if (again === null) throw new Error('it was missing');
    await store().endBeside(again, 4);
    expect(await store().beginBeside(one, other, later)).toBeNull();
    expect(await store().beginBeside(queued, other, later)).toBeNull();
    expect(await store().progress(other)).toEqual({ done: 1, total: 2 });
    // Re-indexed everywhere else.
    await store().forgetBeside(one, searched);
    expect(await store().progress(other)).toEqual({ done: 0, total: 2 });
    await store().endBeside(again, 4);
    expect(await store().progress(other)).toEqual({ done: 0, total: 2 });
    await store().beginRemoval(two, later);
    expect(await store().byUuid(two)).toMatchObject({ chunk_count: 0 });
  });

  it('discards the file of the last document that needs it', async () => {
    const file = await upload();
    const first = await insertDocument(storage().database, file);
    const second = await insertDocument(storage().database, file);
    const files = new KyselyFileStore(storage().database);
    await store().delete(first.uuid);
    expect(await files.discarded(10)).toEqual([]);
    await store().delete(first.uuid);
    await store().delete(second.uuid);
    expect(await files.discarded(10)).toEqual([file]);
    expect(await store().byUuid(second.uuid)).toBeNull();
  });

  it('requeues unfinished documents of an ended process', async () => {
    const { uuid: baseUuid, collection_id } = await base();
    const [good, lost] = [await ready(baseUuid), await ready(baseUuid)];
    const { uuid: broken } = await document(baseUuid);
    const { uuid: cut } = await document(baseUuid);
    await begun(cut);
    await store().end(await begun(broken), failed, later);
    await collections().forget(collection_id, [{ uuid: lost, chunk_count: 1 }]);
    expect(await restart()).toBe(2);
    expect(await restart()).toBe(0);
    expect(await store().byUuid(good)).toMatchObject({ stage: 'ready' });
    expect(await store().byUuid(broken)).toMatchObject({ stage: 'failed' });
    expect(await store().byUuid(lost)).toMatchObject({ stage: 'queued', attempts: 0 });
    expect(await store().byUuid(cut)).toMatchObject({ stage: 'queued', attempts: 1 });
    expect(await begun(cut)).toMatchObject({ attempt: 2 });
  });

  it('counts the kills of a document since it last got further', async () => {
    const { uuid: baseUuid } = await base();
    const { uuid } = await document(baseUuid);
    const { uuid: waiting } = await document(baseUuid);
    /** Starts it and ends the process at a place. @returns the attempt number */
    const killedAt = async (stage: DocumentStage, done: number) => {
      const work = await begun(uuid);
      await store().update(work, { stage, done, total: 100 }, later);
      await restart();
      return work.attempt;
    };
    expect(await killedAt('parsing', 0)).toBe(1);
    expect(await killedAt('parsing', 0)).toBe(2);
    expect(await killedAt('parsing', 5)).toBe(3);
    expect(await killedAt('parsing', 5)).toBe(2);
    expect(await killedAt('chunking', 0)).toBe(3);
    expect(await killedAt('embedding', 10)).toBe(2);
    // Restarting at the first step is no progress.
    expect(await killedAt('parsing', 90)).toBe(2);
    expect(await killedAt('embedding', 10)).toBe(3);
    expect(await killedAt('embedding', 9)).toBe(4);
    expect(await killedAt('embedding', 11)).toBe(5);
    expect(await store().byUuid(uuid)).toMatchObject({ stage: 'queued', attempts: 1, done: 0 });
    expect(await store().byUuid(waiting)).toMatchObject({ stage: 'queued', attempts: 0 });
    // A cancelled run is not counted, and resets nothing.
    await store().end(await begun(uuid), { stage: 'queued' }, later);
    expect(await store().byUuid(uuid)).toMatchObject({ attempts: 1 });
    expect(await killedAt('embedding', 11)).toBe(2);
    expect(await killedAt('embedding', 11)).toBe(3);
    // Restarted by a user, the count is reset.
    await store().end(await begun(uuid), failed, later);
    await store().move(uuid, ['failed'], { stage: 'queued' }, later);
    expect(await killedAt('parsing', 0)).toBe(1);
    expect(await killedAt('parsing', 0)).toBe(2);
  });

  it('counts them in a collection being built, too', async () => {
    const { uuid: baseUuid } = await base();
    const uuid = await ready(baseUuid);
    const other = await beside(baseUuid);
    const killedAt = async (stage: DocumentStage, done: number) => {
      const work = await store().beginBeside(uuid, other, later);
      if (work === null) throw new Error('it was not missing');
      await store().noteBeside(work, { stage, done });
      await restart();
      return work.attempt;
    };
    expect(await killedAt('parsing', 0)).toBe(1);
    expect(await killedAt('parsing', 0)).toBe(2);
    expect(await killedAt('parsing', 0)).toBe(3);
    expect(await killedAt('embedding', 3)).toBe(4);
    expect(await killedAt('embedding', 3)).toBe(2);
    expect(await killedAt('embedding', 3)).toBe(3);
    const work = await store().beginBeside(uuid, other, later);
    expect(work?.attempt).toBe(4);
    await store().endBeside(work as DocumentWork, null);
    expect(await store().missing(other, 10)).toContainEqual({ uuid, attempts: 3 });
  });
});
