import { problemError } from '@parley/sdk';
import { type RawBuilder, sql } from 'kysely';
import { advisoryLocks } from '../../advisory-locks.ts';
import type { ChunkDatabase } from './chunk-tables.ts';

/** The first version with iterative scans, which continue when filters reject too many rows. */
const leastVersion = [0, 8] as const;
/** Database errors for a missing, unloadable or forbidden extension. */
const refusals = new Set(['0A000', '58P01', '42501', 'XX000']);

/** The names of the extension, wherever in the database it is. */
export interface VectorNames {
  /** Of whole numbers of dimensions. */
  vector(dimensions: number): RawBuilder<unknown>;
  halfVector(dimensions: number): RawBuilder<unknown>;
  cosineDistance: RawBuilder<unknown>;
  vectorCosine: RawBuilder<unknown>;
  halfVectorCosine: RawBuilder<unknown>;
}

/** The extension for vectors, which is added to the database when it is first needed. */
export class PgVector {
  readonly #database: ChunkDatabase;
  #names: VectorNames | null = null;

  constructor(database: ChunkDatabase) {
    this.#database = database;
  }

  /** @throws ParleyError `vectors_unavailable` with what an operator can do about it */
  async names(): Promise<VectorNames> {
    this.#names ??= namesIn(await this.#schema());
    return this.#names;
  }

  async #schema(): Promise<string> {
    const found = (await this.#find()) ?? (await this.#make());
    if (found === null || !isEnough(found.version)) {
      throw problemError('pgvector_outdated', { version: found?.version ?? 'unknown', least: leastVersion.join('.') });
    }
    return found.schema;
  }

  async #find(database = this.#database): Promise<{ version: string; schema: string } | null> {
    const { rows } = await sql<{ version: string; schema: string }>`
      select extversion as version, nspname as schema
      from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'vector'`.execute(database);
    return rows[0] ?? null;
  }

  async #make(): Promise<{ version: string; schema: string } | null> {
    try {
      return await this.#database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${advisoryLocks.chunks})`.execute(transaction);
        await sql`create extension if not exists vector`.execute(transaction);
        return this.#find(transaction);
      });
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      if (typeof code !== 'string' || !refusals.has(code)) throw error;
      throw problemError('pgvector_missing', { message }, { cause: error });
    }
  }
}

function namesIn(schema: string): VectorNames {
  const typed = (name: string) => (dimensions: number) => sql`${sql.id(schema, name)}(${sql.lit(dimensions)})`;
  return {
    vector: typed('vector'),
    halfVector: typed('halfvec'),
    cosineDistance: sql`operator(${sql.id(schema)}.<=>)`,
    vectorCosine: sql.id(schema, 'vector_cosine_ops'),
    halfVectorCosine: sql.id(schema, 'halfvec_cosine_ops'),
  };
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > leastVersion[0] || (major === leastVersion[0] && minor >= leastVersion[1]);
}
