import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';

/** Documents of a collection's base that are ready, or found in the collection that is searched. */
export function belongInto(database: Database | Transaction<Tables>, collectionId: string) {
  return database
    .selectFrom('knowledge_collections')
    .innerJoin('knowledge_bases', 'knowledge_bases.uuid', 'knowledge_collections.knowledge_base_uuid')
    .innerJoin('knowledge_documents', 'knowledge_documents.knowledge_base_uuid', 'knowledge_bases.uuid')
    .where('knowledge_collections.collection_id', '=', collectionId)
    .where(({ or, eb }) =>
      or([eb('knowledge_documents.stage', '=', 'ready'), storedIn(sql.ref('knowledge_bases.collection_id'))]),
    );
}

/** Whether a row of `knowledge_documents` is stored in a collection. */
export function storedIn(collectionId: string | RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from knowledge_collection_documents as stored
    where stored.collection_id = ${collectionId} and stored.document_uuid = knowledge_documents.uuid
      and stored.chunk_count is not null
  )`;
}

/**
 * What documents that are said not to be stored in a collection become there. The rows stay, so that claims of later runs have
 * higher numbers than those of earlier ones.
 */
export const forgotten = {
  chunk_count: null,
  attempts: 0,
  furthest: 0,
  reached: 0,
  claimed_by: null,
};
