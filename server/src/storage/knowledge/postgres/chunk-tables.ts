import { type Generated, type Kysely, sql, type Transaction } from 'kysely';
import { advisoryLocks } from '../../advisory-locks.ts';
import type { Database } from '../../database.ts';
import { limitLocks } from '../../lock-limit.ts';

/** Schema of the chunk store's tables, separate from those of migrations. */
export const chunkSchema = 'knowledge_chunks';

/** The tables that all collections share. Each collection has tables of its own, see {@link tablesOf}. */
interface ChunkTables {
  collections: {
    number: Generated<number>;
    /** Null once it was dropped, until its tables are gone. */
    collection_id: string | null;
    language: string;
    /** Null while there are no vectors. */
    dimensions: number | null;
    /** Sums over published editions. */
    documents: Generated<number>;
    chunks: Generated<number>;
    title_terms: Generated<number>;
    heading_terms: Generated<number>;
    body_terms: Generated<number>;
  };
  editions: {
    number: Generated<number>;
    collection: number;
    document_id: string;
    /** JSON of the `IndexedDocument`. */
    document: string;
    /** `open`, `published`, or `retired` until it is deleted. */
    state: Generated<string>;
    chunks: Generated<number>;
    title_terms: Generated<number>;
    heading_terms: Generated<number>;
    body_terms: Generated<number>;
  };
  kept_vectors: {
    /** Grows, so that the oldest are known. */
    position: Generated<number>;
    model: string;
    hash: string;
    vector: Buffer;
  };
}

export type ChunkDatabase = Kysely<ChunkTables>;
export type ChunkTransaction = Transaction<ChunkTables>;

/** The database, with names that mean the tables of the store. */
export function chunkDatabase(database: Database): ChunkDatabase {
  return (database as unknown as ChunkDatabase).withSchema(chunkSchema);
}

/** Table names of a collection for use in statements, built only from its number. */
export function tablesOf(collection: number) {
  return {
    chunks: sql.table(`${chunkSchema}.chunks_${collection}`),
    /** Sequence of chunk ids. */
    ids: sql.lit(`${chunkSchema}.ids_${collection}`),
    postings: sql.table(`${chunkSchema}.postings_${collection}`),
    vectors: sql.table(`${chunkSchema}.vectors_${collection}`),
  };
}

/** The shared tables, for statements that are not built. */
export const collectionTable = sql.table(`${chunkSchema}.collections`);
export const editionTable = sql.table(`${chunkSchema}.editions`);
export const embeddingCacheTable = sql.table(`${chunkSchema}.kept_vectors`);

/** Creates missing tables that all collections share. Nothing is locked when there are all of them. */
export async function makeSharedTables(database: ChunkDatabase): Promise<void> {
  if (await hasSharedTables(database)) return;
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.chunks})`.execute(transaction);
    if (await hasSharedTables(transaction)) return;
    const statements = [
      sql`create schema if not exists ${sql.id(chunkSchema)}`,
      sql`create table if not exists ${collectionTable} (
        number integer generated always as identity primary key,
        collection_id text collate "C" unique,
        language text not null,
        dimensions integer,
        documents integer not null default 0,
        chunks integer not null default 0,
        title_terms bigint not null default 0,
        heading_terms bigint not null default 0,
        body_terms bigint not null default 0
      )`,
      sql`create table if not exists ${editionTable} (
        number bigint generated always as identity primary key,
        collection integer not null references ${collectionTable} on delete cascade,
        document_id text collate "C" not null,
        document jsonb not null,
        state text not null default 'open',
        chunks integer not null default 0,
        title_terms bigint not null default 0,
        heading_terms bigint not null default 0,
        body_terms bigint not null default 0
      )`,
      sql`create unique index if not exists editions_published on ${editionTable} (collection, document_id)
        where state = 'published'`,
      sql`create index if not exists editions_unpublished on ${editionTable} (collection, document_id)
        where state <> 'published'`,
      sql`create table if not exists ${embeddingCacheTable} (
        position bigint generated always as identity unique,
        model text collate "C" not null,
        hash text collate "C" not null,
        vector bytea not null,
        primary key (model, hash)
      )`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  });
}

/** They are created together; an index waits for all writers of its table, even one that exists already. */
async function hasSharedTables(database: ChunkDatabase): Promise<boolean> {
  const names = ['collections', 'editions', 'editions_published', 'editions_unpublished', 'kept_vectors'];
  const { rows } = await sql<{ missing: boolean }>`
    select bool_or(to_regclass(${`${chunkSchema}.`} || name) is null) as missing
    from unnest(${names}::text[]) as name`.execute(database);
  return rows[0]?.missing === false;
}

/** Creates the tables of a collection, except for its vectors. */
export async function makeCollectionTables(transaction: ChunkTransaction, collection: number): Promise<void> {
  const { chunks, postings } = tablesOf(collection);
  const statements = [
    sql`create sequence ${sql.table(`${chunkSchema}.ids_${collection}`)} as integer cache 1`,
    sql`create table ${chunks} (
      id integer primary key,
      edition bigint not null,
      position integer not null,
      text text not null,
      heading_path text not null,
      page integer,
      page_end integer,
      pages bigint not null,
      start_offset integer not null,
      end_offset integer not null,
      unique (edition, position)
    )`,
    // Filters on pages read which there are.
    sql`create index on ${chunks} (pages)`,
    // One row per term of an edition, or of a part of it.
    sql`create table ${postings} (
      term text collate "C" not null,
      edition bigint not null,
      chunk_count integer not null,
      postings bytea not null
    )`,
    sql`create index on ${postings} (term)`,
    sql`create index on ${postings} (edition)`,
  ];
  for (const statement of statements) await statement.execute(transaction);
}

/**
 * Removes the tables of a dropped collection and its rows in the shared tables.
 * @throws StorageError `locked` when they are in use for longer than a short time
 */
export async function removeCollectionTables(database: ChunkDatabase, collection: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // While it waits for a search, others would wait for it.
    await limitLocks(transaction);
    const { chunks, postings, vectors } = tablesOf(collection);
    // Writers hold the edition row; from here on there are none.
    await transaction.deleteFrom('editions').where('collection', '=', collection).execute();
    await sql`drop table if exists ${vectors}, ${postings}, ${chunks}`.execute(transaction);
    await sql`drop sequence if exists ${sql.table(`${chunkSchema}.ids_${collection}`)}`.execute(transaction);
    await transaction.deleteFrom('collections').where('number', '=', collection).execute();
  });
}
