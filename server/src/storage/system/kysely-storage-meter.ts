import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { StorageMeter, StorageSize } from '../../core/system/storage-meter.ts';
import { chunkSchema } from '../knowledge/postgres/chunk-tables.ts';
import { chunkDatabaseFile } from '../knowledge/sqlite/chunk-database-options.ts';
import { databaseFile, type Storage } from '../storage.ts';

/** Reads the sizes of SQLite's files from the file system, and those of PostgreSQL from the server. */
export class KyselyStorageMeter implements StorageMeter {
  readonly #storage: Pick<Storage, 'database' | 'engine'>;
  readonly #dataDir: string;

  constructor(storage: Pick<Storage, 'database' | 'engine'>, { dataDir }: { dataDir: string }) {
    this.#storage = storage;
    this.#dataDir = dataDir;
  }

  async measure(): Promise<StorageSize[]> {
    const isSqlite = this.#storage.engine === 'sqlite';
    const dataDir = this.#dataDir;
    const [ledger, knowledge, files] = await Promise.all([
      orNull(isSqlite ? sizeOfSqlite(databaseFile({ dataDir })) : this.#sizeOfDatabase()),
      orNull(isSqlite ? sizeOfSqlite(chunkDatabaseFile(dataDir)) : this.#sizeOfChunks()),
      orNull(this.#sizeOfFiles()),
    ]);
    return [
      { name: 'ledger', bytes: ledger },
      { name: 'knowledge', bytes: knowledge },
      { name: 'files', bytes: files },
    ];
  }

  #sizeOfDatabase(): Promise<number> {
    return this.#bytes(sql`select pg_database_size(current_database()) as bytes`);
  }

  /** Tables with their indexes and long values. A table that is being dropped has no size and is skipped. */
  #sizeOfChunks(): Promise<number> {
    return this.#bytes(sql`
      select coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint as bytes
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = ${chunkSchema} and relkind = 'r'`);
  }

  /** By their records: counting on the disk would take longer the more there are. */
  #sizeOfFiles(): Promise<number> {
    return this.#bytes(sql`select cast(coalesce(sum(size), 0) as bigint) as bytes from files`);
  }

  async #bytes(query: ReturnType<typeof sql>): Promise<number> {
    const { rows } = await query.execute(this.#storage.database);
    return Number((rows[0] as { bytes: number }).bytes);
  }
}

/** The system page is shown even when a size is unknown. */
function orNull(size: Promise<number>): Promise<number | null> {
  return size.catch(() => null);
}

/** A SQLite file with its write-ahead log. */
async function sizeOfSqlite(path: string): Promise<number> {
  const [main, log] = await Promise.all([sizeOfFile(path), sizeOfFile(`${path}-wal`)]);
  return main + log;
}

/** 0 when there is no file: it is created on first use. */
async function sizeOfFile(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
