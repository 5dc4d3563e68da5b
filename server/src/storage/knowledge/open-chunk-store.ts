import type { Logger } from '@parley/sdk';
import type { ChunkStore } from '../../core/knowledge/chunk-store.ts';
import type { Storage } from '../storage.ts';
import { DocumentClaims } from './document-claims.ts';
import { SqliteChunkStore } from './sqlite/sqlite-chunk-store.ts';

/**
 * Opens the chunk store of a storage: in PostgreSQL, or in a separate SQLite file. The caller closes it before the
 * storage.
 */
export async function openChunkStore(
  { engine, database, replica }: Pick<Storage, 'engine' | 'database' | 'replica'>,
  { dataDir, logger }: { dataDir: string; logger: Logger },
): Promise<ChunkStore> {
  if (engine === 'sqlite') return new SqliteChunkStore({ dataDir, logger });
  const { PostgresChunkStore } = await import('./postgres/postgres-chunk-store.ts');
  return PostgresChunkStore.open(database, { logger, claims: new DocumentClaims(engine, replica) });
}
