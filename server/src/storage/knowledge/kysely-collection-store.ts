import { type Selectable, sql, type Transaction } from 'kysely';
import type {
  CollectionChanges,
  CollectionContent,
  CollectionStore,
  SwitchRefusal,
} from '../../core/knowledge/collection-store.ts';
import type { CollectionState, CollectionView, StoredCollection } from '../../core/knowledge/knowledge-base.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import { listColumn, toList } from '../admin-addresses.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned } from '../replicas/replica-rows.ts';
import { columnsOf } from '../table-columns.ts';
import { belongInto, forgotten, storedIn } from './collection-documents.ts';
import { lockKnowledge } from './lock-knowledge.ts';

type CollectionRow = Omit<Selectable<Tables['knowledge_collections']>, 'claimed_by'>;

/** An engine has prepared a collection for a new base by then, seconds. */
const longestCreation = 3600;

export class KyselyCollectionStore implements CollectionStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: Claimant;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claimant = claimant;
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

  async built(): Promise<StoredCollection[]> {
    const { id } = this.#claimant;
    await this.#database
      .updateTable('knowledge_collections')
      .set({ claimed_by: id })
      .where('state', 'in', ['building', 'waiting'])
      .where(isAbandoned<'knowledge_collections'>('knowledge_collections.claimed_by'))
      .execute();
    const rows = await this.#database
      .selectFrom('knowledge_collections')
      .select(columnsOf('knowledge_collections'))
      .where('state', 'in', ['building', 'waiting'])
      .where('claimed_by', '=', id)
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
          claimed_by: this.#claimant.id,
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
      // A base is created once its engine has the collection.
      .where(({ or, eb, selectFrom, fn }) =>
        or([
          eb('created_at', '<', secondsFromNow(-longestCreation)),
          eb(selectFrom('replicas').select(fn.countAll<number>().as('living')).where('state', '!=', 'ended'), '<', 2),
        ]),
      )
      .execute();
  }

  async delete(collectionId: string): Promise<void> {
    await this.#database.deleteFrom('knowledge_collections').where('collection_id', '=', collectionId).execute();
  }

  async contents(): Promise<CollectionContent[]> {
    // Before what is stored: a document whose run ends meanwhile is in one of the two.
    const indexed = await claimedDocuments(this.#database).execute();
    const rebuilt = await claimedEntries(this.#database).execute();
    const collections = await this.#database
      .selectFrom('knowledge_collections')
      .select(['collection_id', 'knowledge_base_uuid', 'knowledge_engine_plugin_id'])
      .where('state', '!=', 'dropping')
      .execute();
    return Promise.all(
      collections.map(async (collection) => {
        const { collection_id, knowledge_base_uuid } = collection;
        const documents = await this.#database
          .selectFrom('knowledge_collection_documents')
          .select(['document_uuid as uuid', 'chunk_count'])
          .where('collection_id', '=', collection_id)
          .where('chunk_count', 'is not', null)
          .$narrowType<{ chunk_count: number }>()
          .execute();
        const claimed = [
          ...indexed.filter((document) => document.knowledge_base_uuid === knowledge_base_uuid),
          ...rebuilt.filter((entry) => entry.collection_id === collection_id),
        ];
        return { ...collection, documents, claimed: claimed.map(({ uuid }) => uuid) };
      }),
    );
  }

  async forget(collectionId: string, documents: CollectionContent['documents']): Promise<void> {
    for (const [chunkCount, ofCount] of Map.groupBy(documents, ({ chunk_count }) => chunk_count)) {
      // The number of parameters of a statement is limited.
      for (let start = 0; start < ofCount.length; start += 500) {
        const uuids = ofCount.slice(start, start + 500).map(({ uuid }) => uuid);
        await this.#database
          .updateTable('knowledge_collection_documents')
          .set(forgotten)
          .where('collection_id', '=', collectionId)
          .where('document_uuid', 'in', uuids)
          .where('chunk_count', '=', chunkCount)
          .where(isAbandoned<'knowledge_collection_documents'>('knowledge_collection_documents.claimed_by'))
          .where('document_uuid', 'not in', claimedDocuments(this.#database).clearSelect().select('uuid'))
          .execute();
      }
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

/** Documents that a living replica works on, for the collection that is searched. */
function claimedDocuments(database: Database) {
  return database
    .selectFrom('knowledge_documents')
    .select(['uuid', 'knowledge_base_uuid'])
    .where(({ not }) => not(isAbandoned<'knowledge_documents'>('knowledge_documents.claimed_by')));
}

/** Documents that a living replica stores in collections that are being built. */
function claimedEntries(database: Database) {
  return database
    .selectFrom('knowledge_collection_documents')
    .select(['document_uuid as uuid', 'collection_id'])
    .where(({ not }) =>
      not(isAbandoned<'knowledge_collection_documents'>('knowledge_collection_documents.claimed_by')),
    );
}

function toCollection({ state, creation_settings, admin_addresses, ...columns }: CollectionRow): StoredCollection {
  return {
    ...columns,
    state: state as CollectionState,
    creation_settings: JSON.parse(creation_settings) as Record<string, unknown>,
    admin_addresses: toList(admin_addresses),
  };
}
