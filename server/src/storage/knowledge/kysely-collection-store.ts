import { type Selectable, sql, type Transaction } from 'kysely';
import type {
  CollectionChanges,
  CollectionContent,
  CollectionStore,
  SwitchRefusal,
} from '../../core/knowledge/collection-store.ts';
import type { CollectionState, CollectionView, StoredCollection } from '../../core/knowledge/knowledge-base.ts';
import { listColumn, toList } from '../admin-addresses.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { columnsOf } from '../table-columns.ts';
import { belongInto, storedIn } from './collection-documents.ts';
import { lockKnowledge } from './lock-knowledge.ts';

type CollectionRow = Selectable<Tables['knowledge_collections']>;

export class KyselyCollectionStore implements CollectionStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(baseUuid: string): Promise<CollectionView[]> {
    const rows = await this.#database
      .selectFrom('knowledge_collections')
      .select(columnsOf('knowledge_collections'))
      .where('knowledge_base_uuid', '=', baseUuid)
      .orderBy('created_at')
      .orderBy('collection_id')
      .execute();
    return Promise.all(rows.map((row) => this.#shown(row)));
  }

  async byId(collectionId: string): Promise<StoredCollection | null> {
    const collections = this.#database.selectFrom('knowledge_collections').select(columnsOf('knowledge_collections'));
    const row = await collections.where('collection_id', '=', collectionId).executeTakeFirst();
    return row === undefined ? null : toCollection(row);
  }

  async inState(...states: CollectionState[]): Promise<StoredCollection[]> {
    const rows = await this.#database
      .selectFrom('knowledge_collections')
      .select(columnsOf('knowledge_collections'))
      .where('state', 'in', states)
      .where('knowledge_base_uuid', 'in', ({ selectFrom }) => selectFrom('knowledge_bases').select('uuid'))
      .orderBy('created_at')
      .orderBy('collection_id')
      .execute();
    return rows.map(toCollection);
  }

  async dropping(): Promise<StoredCollection[]> {
    const collections = this.#database
      .selectFrom('knowledge_collections')
      .select(columnsOf('knowledge_collections'))
      .where('state', '=', 'dropping');
    return (await collections.orderBy('updated_at').execute()).map(toCollection);
  }

  create(collection: StoredCollection): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockKnowledge(transaction, this.#engine);
      const ofBase = transaction
        .selectFrom('knowledge_collections')
        .where('knowledge_base_uuid', '=', collection.knowledge_base_uuid);
      const other = await ofBase
        .select('collection_id')
        .where('state', 'in', ['building', 'waiting'])
        .executeTakeFirst();
      if (other !== undefined) return false;
      await transaction
        .updateTable('knowledge_collections')
        .set({ state: 'dropping', updated_at: collection.created_at })
        .where('knowledge_base_uuid', '=', collection.knowledge_base_uuid)
        .where('state', '=', 'failed')
        .execute();
      await transaction
        .insertInto('knowledge_collections')
        .values({
          ...collection,
          creation_settings: JSON.stringify(collection.creation_settings),
          admin_addresses: listColumn(collection.admin_addresses),
        })
        .execute();
      return true;
    });
  }

  async change(collectionId: string, from: readonly CollectionState[], changes: CollectionChanges): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('knowledge_collections')
      .set(changes)
      .where('collection_id', '=', collectionId)
      .where('state', 'in', from)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  activate(collectionId: string, now: string): Promise<SwitchRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockKnowledge(transaction, this.#engine);
      const collection = await transaction
        .selectFrom('knowledge_collections')
        .innerJoin('knowledge_bases', 'knowledge_bases.uuid', 'knowledge_collections.knowledge_base_uuid')
        .select(['knowledge_bases.uuid', 'knowledge_bases.collection_id as searched'])
        .where('knowledge_collections.collection_id', '=', collectionId)
        .where('state', 'in', ['building', 'waiting'])
        .executeTakeFirst();
      if (collection === undefined) return 'not_found';
      const missing = belongInto(transaction, collectionId).select('knowledge_documents.uuid');
      const first = await missing.where(({ not }) => not(storedIn(collectionId))).executeTakeFirst();
      if (first !== undefined) return 'incomplete';
      const collections = transaction.updateTable('knowledge_collections');
      await collections
        .set({ state: 'dropping', updated_at: now })
        .where('collection_id', '=', collection.searched)
        .execute();
      await collections
        .set({ state: 'active', error: null, updated_at: now })
        .where('collection_id', '=', collectionId)
        .execute();
      await transaction
        .updateTable('knowledge_bases')
        .set({ collection_id: collectionId, updated_at: now })
        .where('uuid', '=', collection.uuid)
        .execute();
      await this.#followSwitch(transaction, collection.uuid, collectionId, now);
      return null;
    });
  }

  async dropOrphans(now: string): Promise<void> {
    await this.#database
      .updateTable('knowledge_collections')
      .set({ state: 'dropping', updated_at: now })
      .where('state', '!=', 'dropping')
      .where('knowledge_base_uuid', 'not in', ({ selectFrom }) => selectFrom('knowledge_bases').select('uuid'))
      .execute();
  }

  async delete(collectionId: string): Promise<void> {
    await this.#database.deleteFrom('knowledge_collections').where('collection_id', '=', collectionId).execute();
  }

  async contents(): Promise<CollectionContent[]> {
    const collections = await this.#database
      .selectFrom('knowledge_collections')
      .select(['collection_id', 'knowledge_base_uuid', 'knowledge_engine_plugin_id'])
      .where('state', '!=', 'dropping')
      .execute();
    return Promise.all(
      collections.map(async (collection) => {
        const documents = await this.#database
          .selectFrom('knowledge_collection_documents')
          .select(['document_uuid as uuid', 'chunk_count'])
          .where('collection_id', '=', collection.collection_id)
          .where('chunk_count', 'is not', null)
          .$narrowType<{ chunk_count: number }>()
          .execute();
        return { ...collection, documents };
      }),
    );
  }

  async forget(collectionId: string, documentUuids: readonly string[]): Promise<void> {
    // The number of parameters of a statement is limited.
    for (let start = 0; start < documentUuids.length; start += 500) {
      await this.#database
        .deleteFrom('knowledge_collection_documents')
        .where('collection_id', '=', collectionId)
        .where('document_uuid', 'in', documentUuids.slice(start, start + 500))
        .execute();
    }
  }

  /** Updates the state of documents to match the newly active collection. */
  async #followSwitch(
    transaction: Transaction<Tables>,
    baseUuid: string,
    collectionId: string,
    now: string,
  ): Promise<void> {
    await transaction
      .updateTable('knowledge_documents')
      .set(({ selectFrom }) => ({
        chunk_count: sql<number>`coalesce(${selectFrom('knowledge_collection_documents')
          .select('chunk_count')
          .where('collection_id', '=', collectionId)
          .whereRef('document_uuid', '=', 'knowledge_documents.uuid')}, 0)`,
      }))
      .where('knowledge_base_uuid', '=', baseUuid)
      .execute();
    await transaction
      .updateTable('knowledge_documents')
      .set({ stage: 'queued', done: 0, total: 0, attempts: 0, reason: null, error: null })
      .set({ finished_at: null, updated_at: now })
      .where('knowledge_base_uuid', '=', baseUuid)
      .where('stage', '=', 'failed')
      .where(({ not }) => not(storedIn(collectionId)))
      .execute();
  }

  async #shown(row: CollectionRow): Promise<CollectionView> {
    const {
      knowledge_engine_plugin_id: _,
      sealed_secrets: __,
      admin_addresses: ___,
      ...collection
    } = toCollection(row);
    const stored = await this.#database
      .selectFrom('knowledge_collection_documents')
      .select(({ fn }) => [fn.countAll().as('documents'), fn.sum('chunk_count').as('chunks')])
      .where('collection_id', '=', row.collection_id)
      .where('chunk_count', 'is not', null)
      .executeTakeFirstOrThrow();
    const isBuilt = row.state === 'building' || row.state === 'waiting';
    const missing = isBuilt
      ? await belongInto(this.#database, row.collection_id)
          .select(({ fn }) => fn.countAll().as('count'))
          .where(({ not }) => not(storedIn(row.collection_id)))
          .executeTakeFirstOrThrow()
      : { count: 0 };
    return {
      ...collection,
      document_count: Number(stored.documents),
      chunk_count: Number(stored.chunks ?? 0),
      missing_count: Number(missing.count),
    };
  }
}

function toCollection({ state, creation_settings, admin_addresses, ...columns }: CollectionRow): StoredCollection {
  return {
    ...columns,
    state: state as CollectionState,
    creation_settings: JSON.parse(creation_settings) as Record<string, unknown>,
    admin_addresses: toList(admin_addresses),
  };
}
