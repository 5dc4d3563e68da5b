import { type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { StoredKnowledgeBase } from '../../core/knowledge/knowledge-base.ts';
import type {
  KnowledgeBaseChanges,
  KnowledgeBaseFilter,
  KnowledgeBaseStore,
  NewKnowledgeBase,
} from '../../core/knowledge/knowledge-base-store.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import { columnsOf } from '../table-columns.ts';
import { lockKnowledge } from './lock-knowledge.ts';

type BaseRow = Selectable<Tables['knowledge_bases']> & {
  creation_settings: string;
  document_count: number;
  chunk_count: number;
};

const columns: ListColumns = {
  id: 'knowledge_bases.uuid',
  name: 'knowledge_bases.name',
  searched: ['knowledge_bases.name', 'knowledge_bases.description'],
  sorted: {
    name: { column: 'knowledge_bases.name', isText: true },
    document_count: { column: 'document_count' },
    chunk_count: { column: 'chunk_count' },
    created_at: { column: 'knowledge_bases.created_at' },
    updated_at: { column: 'knowledge_bases.updated_at' },
  },
};

export class KyselyKnowledgeBaseStore implements KnowledgeBaseStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(): Promise<StoredKnowledgeBase[]> {
    const bases = selectBases(this.#database).orderBy('knowledge_bases.created_at').orderBy('knowledge_bases.uuid');
    return (await bases.execute()).map(toBase);
  }

  async page(listing: RecordListing & KnowledgeBaseFilter): Promise<ListedRecords<StoredKnowledgeBase>> {
    const query = matching(this.#database, listing);
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map(toBase), total };
  }

  names(listing: RecordListing & KnowledgeBaseFilter): Promise<NamedRecord[]> {
    return namedRows(this.#engine, matching(this.#database, listing), columns, listing);
  }

  async byUuid(uuid: string): Promise<StoredKnowledgeBase | null> {
    const row = await selectBases(this.#database).where('knowledge_bases.uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : toBase(row);
  }

  create(base: NewKnowledgeBase): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      const collection = transaction.updateTable('knowledge_collections').set({ state: 'active' });
      const { numUpdatedRows } = await collection
        .where('collection_id', '=', base.collection_id)
        .where('state', '=', 'building')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new Error(`The collection ${base.collection_id} is gone`);
      await transaction
        .insertInto('knowledge_bases')
        .values({ ...base, retrieval_settings: JSON.stringify(base.retrieval_settings) })
        .execute();
    });
  }

  update(uuid: string, change: (stored: StoredKnowledgeBase) => KnowledgeBaseChanges): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockKnowledge(transaction, this.#engine);
      const row = await selectBases(transaction).where('knowledge_bases.uuid', '=', uuid).executeTakeFirst();
      if (row === undefined) return false;
      const { name, description, emoji, retrieval_settings, sealed_secrets, updated_at } = change(toBase(row));
      const settings = JSON.stringify(retrieval_settings);
      await transaction
        .updateTable('knowledge_bases')
        .set({ name, description, emoji, retrieval_settings: settings, sealed_secrets, updated_at })
        .where('uuid', '=', uuid)
        .execute();
      return true;
    });
  }

  delete(uuid: string, now: string): Promise<{ uuid: string; name: string }[] | null> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockKnowledge(transaction, this.#engine);
      const bases = transaction.selectFrom('knowledge_bases').select('uuid').where('uuid', '=', uuid);
      if ((await bases.executeTakeFirst()) === undefined) return null;
      const pipelines = await pipelinesNaming(transaction, uuid);
      if (pipelines.length > 0) return pipelines;
      const documents = transaction.selectFrom('knowledge_documents').select('file_uuid');
      await transaction
        .updateTable('files')
        .set({ purpose: 'discarded' })
        .where('uuid', 'in', documents.where('knowledge_base_uuid', '=', uuid))
        .where('uuid', 'not in', documents.where('knowledge_base_uuid', '!=', uuid))
        .execute();
      await transaction
        .updateTable('knowledge_collections')
        .set({ state: 'dropping', updated_at: now })
        .where('knowledge_base_uuid', '=', uuid)
        .execute();
      await transaction.deleteFrom('knowledge_bases').where('uuid', '=', uuid).execute();
      return [];
    });
  }
}

function selectBases(database: Database | Transaction<Tables>) {
  return database
    .selectFrom('knowledge_bases')
    .innerJoin('knowledge_collections', 'knowledge_collections.collection_id', 'knowledge_bases.collection_id')
    .select(columnsOf('knowledge_bases'))
    .select(['knowledge_collections.creation_settings'])
    .select(({ selectFrom, fn }) => [
      selectFrom('knowledge_documents')
        .select(fn.countAll<number>().as('count'))
        .whereRef('knowledge_documents.knowledge_base_uuid', '=', 'knowledge_bases.uuid')
        .$asScalar()
        .$notNull()
        .as('document_count'),
      selectFrom('knowledge_collection_documents')
        .select(sql<number>`coalesce(sum(chunk_count), 0)`.as('sum'))
        .whereRef('knowledge_collection_documents.collection_id', '=', 'knowledge_bases.collection_id')
        .$asScalar()
        .$notNull()
        .as('chunk_count'),
    ]);
}

async function pipelinesNaming(transaction: Transaction<Tables>, uuid: string) {
  return transaction
    .selectFrom('pipelines')
    .select(['uuid', 'name'])
    .where(({ fn }) => fn<string>('lower', ['config']), 'like', `%"${uuid}"%`)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

function toBase({ retrieval_settings, creation_settings, document_count, chunk_count, ...columns }: BaseRow) {
  return {
    ...columns,
    creation_settings: JSON.parse(creation_settings) as Record<string, unknown>,
    retrieval_settings: JSON.parse(retrieval_settings) as Record<string, unknown>,
    document_count: Number(document_count),
    chunk_count: Number(chunk_count),
  };
}

function matching(database: Database, { used }: KnowledgeBaseFilter) {
  return selectBases(database).$if(used !== undefined, (bases) =>
    bases.where(({ exists, not, selectFrom }) => {
      const isNamed = exists(
        selectFrom('pipelines')
          .select('pipelines.uuid')
          .where(sql<SqlBool>`lower(pipelines.config) like '%"' || knowledge_bases.uuid || '"%'`),
      );
      return used ? isNamed : not(isNamed);
    }),
  );
}
