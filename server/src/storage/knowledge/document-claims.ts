import { type ReferenceExpression, sql, type Transaction } from 'kysely';
import type { DocumentStage } from '../../core/knowledge/document.ts';
import type { DocumentWork } from '../../core/knowledge/document-store.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned } from '../replicas/replica-rows.ts';
import { storedIn } from './collection-documents.ts';
import { placeOfRow } from './document-place.ts';
import { lockKnowledge } from './lock-knowledge.ts';

/** Stages of a document that is being indexed. */
export const running: DocumentStage[] = ['parsing', 'chunking', 'embedding'];

/** Which run of a document is the last one, in the collection that is searched and in one that is being built. */
export class DocumentClaims {
  readonly #engine: Engine;
  readonly #claimant: Claimant;

  constructor(engine: Engine, claimant: Claimant) {
    this.#engine = engine;
    this.#claimant = claimant;
  }

  /** The id of this replica, which may change. */
  get claimant(): string {
    return this.#claimant.id;
  }

  /** Whether a run is still the last one of its document. The row stays locked until a transaction ends. */
  async isOurs(
    database: Database | Transaction<Tables>,
    { document, collection_id, is_beside, claim }: DocumentWork,
  ): Promise<boolean> {
    const row = is_beside
      ? database
          .selectFrom('knowledge_collection_documents')
          .select('claim')
          .where('collection_id', '=', collection_id)
          .where('document_uuid', '=', document.uuid)
          .where('claimed_by', '=', this.claimant)
          .where('claim', '=', claim)
      : database
          .selectFrom('knowledge_documents')
          .select('claim')
          .where('uuid', '=', document.uuid)
          .where('claimed_by', '=', this.claimant)
          .where('claim', '=', claim);
    const found = await (this.#engine === 'postgres' ? row.forNoKeyUpdate() : row).executeTakeFirst();
    return found !== undefined;
  }

  /**
   * Whether this replica works on a document, to store it in a collection. The row stays locked until the transaction ends.
   * A run is known by its document, as a replica never has two of one document for one collection.
   */
  async hold(transaction: Transaction<Tables>, collectionId: string, documentId: string): Promise<boolean> {
    const beside = await transaction
      .selectFrom('knowledge_collection_documents')
      .select('claim')
      .where('collection_id', '=', collectionId)
      .where('document_uuid', '=', documentId)
      .where('claimed_by', '=', this.claimant)
      .$if(this.#engine === 'postgres', (query) => query.forNoKeyUpdate())
      .executeTakeFirst();
    if (beside !== undefined) return true;
    const searched = await transaction
      .selectFrom('knowledge_documents')
      .select('claim')
      .where('uuid', '=', documentId)
      .where('claimed_by', '=', this.claimant)
      .where('stage', 'in', running)
      .where('knowledge_base_uuid', 'in', ({ selectFrom }) =>
        selectFrom('knowledge_bases').select('uuid').where('collection_id', '=', collectionId),
      )
      .$if(this.#engine === 'postgres', (query) => query.forNoKeyUpdate())
      .executeTakeFirst();
    return searched !== undefined;
  }

  /**
   * Queues documents that no living replica works on, and those marked as ready that are not stored.
   * @returns how many
   */
  async takeOver(transaction: Transaction<Tables>): Promise<number> {
    await lockKnowledge(transaction, this.#engine);
    const { numUpdatedRows } = await transaction
      .updateTable('knowledge_documents')
      .set({ stage: 'queued', done: 0, total: 0, finished_at: null, claimed_by: null, updated_at: now() })
      // A finished document did not crash the process. One that got further than before is not stuck.
      .set({
        attempts: sql<number>`case when stage = 'ready' then 0 when ${placeOfRow} > furthest then 1 else attempts end`,
        furthest: sql<number>`case when ${placeOfRow} > furthest then ${placeOfRow} else furthest end`,
      })
      .where(isAbandoned<'knowledge_documents'>('knowledge_documents.claimed_by'))
      .where(({ or, and, eb, not, selectFrom }) =>
        or([
          eb('stage', 'in', running),
          and([
            eb('stage', '=', 'ready'),
            not(
              storedIn(
                sql`${selectFrom('knowledge_bases')
                  .select('collection_id')
                  .whereRef('uuid', '=', 'knowledge_documents.knowledge_base_uuid')}`,
              ),
            ),
          ]),
        ]),
      )
      .executeTakeFirst();
    // Documents whose removal was interrupted, and runs for collections that are built: these are counted at their start.
    for (const table of ['knowledge_documents', 'knowledge_collection_documents'] as const) {
      await transaction
        .updateTable(table)
        .set({ claimed_by: null })
        .where('claimed_by', 'is not', null)
        .where(isAbandoned(`${table}.claimed_by` as ReferenceExpression<Tables, typeof table> & string))
        .execute();
    }
    return Number(numUpdatedRows);
  }
}
