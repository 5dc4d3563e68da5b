import { sql } from 'kysely';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../../test/postgres/fresh-database.ts';
import { chunkStoreContract } from '../../../../test/stores/chunk-store-contract.ts';
import { startPglite } from '../../../../test/stores/pglite-server.ts';
import type { Database } from '../../database.ts';
import { openPostgres } from '../../postgres-database.ts';
import { PostgresChunkStore } from './postgres-chunk-store.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const databases: [name: string, open: () => Promise<{ url: string; remove: () => Promise<void> }>, vectors: boolean][] =
  [
    [
      'PostgreSQL without pgvector',
      async () => {
        const fresh: FreshDatabase = await freshDatabase(inject('postgresUrl'));
        return { url: fresh.url, remove: fresh.drop };
      },
      false,
    ],
    [
      'PGlite with pgvector',
      async () => {
        const server = await startPglite();
        return { url: server.url, remove: server.stop };
      },
      true,
    ],
  ];

describe.each(databases)('%s', (name, openDatabase, vectors) => {
  let place: Awaited<ReturnType<typeof openDatabase>>;
  let database: Database;
  beforeAll(async () => {
    place = await openDatabase();
    database = await openPostgres(place.url);
  });
  afterAll(async () => {
    await database.destroy();
    await place.remove();
  });

  const open = async () => {
    await sql`drop schema if exists knowledge_chunks cascade`.execute(database);
    return PostgresChunkStore.open(database, { logger });
  };

  chunkStoreContract(name, open, { vectors });
});
