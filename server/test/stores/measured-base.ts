import type { NamedDocument } from '../../src/core/knowledge/golden-question-store.ts';
import { now } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Creates only the record of a knowledge base, without a collection. @returns its uuid */
export async function insertMeasuredBase({ database }: Pick<Storage, 'database'>): Promise<string> {
  const uuid = newUuid();
  const base = { uuid, name: 'B', description: '', emoji: null, knowledge_engine_plugin_id: 'parley/built-in' };
  const settings = { collection_id: newUuid(), retrieval_settings: '{}', sealed_secrets: null };
  await database
    .insertInto('knowledge_bases')
    .values({ ...base, ...settings, created_at: now(), updated_at: now() })
    .execute();
  return uuid;
}

/** Creates the records of an upload and of its document. */
export async function insertMeasuredDocument(
  { database }: Pick<Storage, 'database'>,
  baseUuid: string,
  fileName: string,
): Promise<NamedDocument> {
  const [uuid, fileUuid] = [newUuid(), newUuid()];
  const content = { size: 1, sha256: '', media_type: 'text/plain' };
  await database
    .insertInto('files')
    .values({ ...content, uuid: fileUuid, name: fileName, purpose: 'document', access_key: null, created_at: now() })
    .execute();
  await database
    .insertInto('knowledge_documents')
    .values({
      ...content,
      uuid,
      knowledge_base_uuid: baseUuid,
      file_uuid: fileUuid,
      file_name: fileName,
      extension: 'txt',
      parser_plugin_id: null,
      metadata: '{}',
      stage: 'ready',
      done: 0,
      total: 0,
      warnings: '[]',
      pages: '[]',
      chunk_count: 0,
      attempts: 0,
      reason: null,
      error: null,
      title: null,
      page_kind: null,
      task_id: null,
      created_at: now(),
      updated_at: now(),
      finished_at: now(),
    })
    .execute();
  return { uuid, file_uuid: fileUuid, file_name: fileName };
}
