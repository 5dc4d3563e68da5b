import type { KnowledgeDocument } from '../../src/core/knowledge/document.ts';
import type { StoredCollection } from '../../src/core/knowledge/knowledge-base.ts';
import type { NewKnowledgeBase } from '../../src/core/knowledge/knowledge-base-store.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import type { Database } from '../../src/storage/database.ts';
import { KyselyCollectionStore } from '../../src/storage/knowledge/kysely-collection-store.ts';
import { KyselyDocumentStore } from '../../src/storage/knowledge/kysely-document-store.ts';
import { KyselyKnowledgeBaseStore } from '../../src/storage/knowledge/kysely-knowledge-base-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

export function newBase(over: Partial<NewKnowledgeBase> = {}): NewKnowledgeBase {
  return {
    uuid: newUuid(),
    name: 'Handbücher 手册',
    description: 'What is written down.',
    emoji: '📚',
    knowledge_engine_plugin_id: 'parley/built-in',
    collection_id: newUuid(),
    retrieval_settings: { top_k: 3 },
    sealed_secrets: null,
    created_at: timestamp,
    updated_at: timestamp,
    ...over,
  };
}

export function newCollection(over: Partial<StoredCollection> = {}): StoredCollection {
  return {
    collection_id: newUuid(),
    knowledge_base_uuid: newUuid(),
    knowledge_engine_plugin_id: 'parley/built-in',
    state: 'building',
    creation_settings: { language: 'english' },
    sealed_secrets: null,
    admin_addresses: [],
    error: null,
    evaluation_uuid: null,
    created_at: timestamp,
    updated_at: timestamp,
    ...over,
  };
}

export function newDocument(over: Partial<KnowledgeDocument> = {}): KnowledgeDocument {
  return {
    uuid: newUuid(),
    knowledge_base_uuid: newUuid(),
    file_uuid: newUuid(),
    file_name: 'Büro 履歴書.md',
    extension: 'md',
    media_type: 'text/markdown',
    size: 12,
    sha256: newUuid().replaceAll('-', '').repeat(2),
    parser_plugin_id: null,
    metadata: { language: 'de', year: 2026, public: true },
    stage: 'queued',
    done: 0,
    total: 0,
    reason: null,
    error: null,
    warnings: [],
    title: null,
    page_kind: null,
    pages: [],
    chunk_count: 0,
    attempts: 0,
    task_id: null,
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: null,
    ...over,
  };
}

/** Creates a base with its collection. */
export async function insertBase(database: Database, over: Partial<NewKnowledgeBase> = {}): Promise<NewKnowledgeBase> {
  const base = newBase(over);
  const { collection_id, uuid } = base;
  await new KyselyCollectionStore(database, 'sqlite', { id: newUuid() }).create(
    newCollection({ collection_id, knowledge_base_uuid: uuid }),
  );
  await new KyselyKnowledgeBaseStore(database, 'sqlite').create(base);
  return base;
}

/** Creates a file as after an upload. */
export async function insertUpload(
  database: Database,
  uuid: string = newUuid(),
  sha256 = 'a'.repeat(64),
): Promise<string> {
  const file = {
    uuid,
    name: 'a.md',
    size: 12,
    sha256,
    media_type: 'text/plain',
    purpose: 'document' as const,
    access_key: null,
    created_at: timestamp,
  };
  await database.insertInto('files').values(file).execute();
  return uuid;
}

/** Creates a document of an existing file, by default in a new base. */
export async function insertDocument(
  database: Database,
  fileUuid: string,
  over: Partial<KnowledgeDocument> = {},
): Promise<KnowledgeDocument> {
  const knowledge_base_uuid = over.knowledge_base_uuid ?? (await insertBase(database)).uuid;
  const document = newDocument({ ...over, file_uuid: fileUuid, knowledge_base_uuid });
  const refusal = await new KyselyDocumentStore(database, 'sqlite', { id: newUuid() }).create(document, true);
  if (refusal !== null) throw new Error(`the document was not made: ${refusal.reason}`);
  return document;
}
