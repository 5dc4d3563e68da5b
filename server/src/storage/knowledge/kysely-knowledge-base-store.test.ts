import { expect, it } from 'vitest';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import {
  insertBase,
  insertDocument,
  insertUpload,
  newBase,
  newCollection,
} from '../../../test/stores/knowledge-records.ts';
import { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyFileStore } from '../files/kysely-file-store.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { KyselyCollectionStore } from './kysely-collection-store.ts';
import { KyselyDocumentStore } from './kysely-document-store.ts';
import { KyselyKnowledgeBaseStore } from './kysely-knowledge-base-store.ts';

const later = '2030-01-01T00:00:00.000Z';

describeOnEachEngine('the store of knowledge bases', (storage) => {
  const store = () => new KyselyKnowledgeBaseStore(storage().database, storage().engine);
  const collections = () => new KyselyCollectionStore(storage().database, storage().engine, storage().replica);
  const documents = () => new KyselyDocumentStore(storage().database, storage().engine, storage().replica);
  const files = () => new KyselyFileStore(storage().database);

  it('returns a base as it was stored, with its counts', async () => {
    const base = await insertBase(storage().database, { sealed_secrets: 'sealed' });
    const shown = { ...base, creation_settings: { language: 'english' }, document_count: 0, chunk_count: 0 };
    expect(await store().byUuid(base.uuid)).toEqual(shown);
    expect(await store().list()).toEqual([shown]);
    expect(await store().byUuid(newUuid())).toBeNull();
    expect(await collections().byId(base.collection_id)).toMatchObject({ state: 'active' });

    for (const chunk_count of [3, 4]) {
      const over = { knowledge_base_uuid: base.uuid };
      const { uuid } = await insertDocument(storage().database, await insertUpload(storage().database), over);
      const work = await documents().begin(uuid, later);
      if (work === null) throw new Error('it was queued');
      await documents().end(work, { stage: 'ready', chunk_count }, later);
    }
    await insertDocument(storage().database, await insertUpload(storage().database), {
      knowledge_base_uuid: base.uuid,
    });
    expect(await store().byUuid(base.uuid)).toMatchObject({ document_count: 3, chunk_count: 7 });
  });

  it('creates no base without its collection', async () => {
    const base = newBase();
    await expect(store().create(base)).rejects.toThrow('is gone');
    expect(await store().byUuid(base.uuid)).toBeNull();
  });

  it('applies changes, and nothing if the change throws', async () => {
    const base = await insertBase(storage().database);
    const changes = { name: 'n', description: 'd', emoji: null, retrieval_settings: {}, sealed_secrets: 's' };
    const change = () => ({ ...changes, updated_at: later });
    expect(await store().update(base.uuid, (stored) => ({ ...stored, ...change(), collection_id: newUuid() }))).toBe(
      true,
    );
    expect(await store().byUuid(base.uuid)).toMatchObject({ ...base, ...changes, updated_at: later });
    const refusal = new Error('no');
    const refuse = () => {
      throw refusal;
    };
    await expect(store().update(base.uuid, refuse)).rejects.toBe(refusal);
    expect(await store().update(newUuid(), change)).toBe(false);
  });

  it('deletes a base with its documents, and records what has to be removed', async () => {
    const { database } = storage();
    const [gone, stays] = [await insertBase(database), await insertBase(database)];
    const [own, shared] = [await insertUpload(database), await insertUpload(database)];
    await insertDocument(database, own, { knowledge_base_uuid: gone.uuid });
    await insertDocument(database, shared, { knowledge_base_uuid: gone.uuid });
    const other = await insertDocument(database, shared, { knowledge_base_uuid: stays.uuid });
    const second = newCollection({ knowledge_base_uuid: gone.uuid });
    await collections().create(second);
    expect(await store().delete(gone.uuid, later)).toEqual([]);
    expect(await store().delete(gone.uuid, later)).toBeNull();
    expect(await store().list()).toHaveLength(1);
    expect((await collections().dropping()).map(({ collection_id }) => collection_id).sort()).toEqual(
      [gone.collection_id, second.collection_id].sort(),
    );
    expect(await files().discarded(10)).toEqual([own]);
    expect(await documents().byUuid(other.uuid)).toEqual(other);
    expect(await documents().firstQueued()).toEqual([other]);
  });

  it('keeps a base that a pipeline names', async () => {
    const pipelines = new PipelineService(
      new KyselyPipelineStore(storage().database, storage().engine),
      new SecretBox(Buffer.alloc(32)),
      pipelineServiceOptions(),
    );
    const base = await insertBase(storage().database);
    const ai = { 'local-agent': { 'knowledge-bases': [base.uuid.toUpperCase()] } };
    const uuid = await pipelines.create({ name: 'Support', config: { ai } });
    expect(await store().delete(base.uuid, later)).toEqual([{ uuid, name: 'Support' }]);
    expect(await store().byUuid(base.uuid)).not.toBeNull();
    await pipelines.delete(uuid);
    expect(await store().delete(base.uuid, later)).toEqual([]);
  });
});
