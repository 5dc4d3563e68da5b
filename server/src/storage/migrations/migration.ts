import type { CompiledQuery, SchemaModule } from 'kysely';
import type { Engine } from '../engine.ts';

/** Writes statements for an engine. */
export type WriteStatements = (schema: SchemaModule, engine: Engine) => { compile(): CompiledQuery }[];

/**
 * Whether the version before can work on the tables afterwards. `expand` only adds: tables, columns that may be left out of an
 * insert, indexes that are not unique. `contract` removes or narrows, once no program of that version is left.
 */
export type MigrationKind = 'expand' | 'contract';

/** A step forward of the tables. It never changes; a checksum of its statements is kept in the database and in `checksums.ts`. */
export interface Migration {
  name: string;
  /** Unknown of those before versions could differ: only the program that has them works on their tables. */
  kind?: MigrationKind;
  statements: WriteStatements;
  /** What is applied beside, where a former version of an earlier migration was applied. */
  corrections?: readonly {
    /** The name of that migration. */
    of: string;
    statements: WriteStatements;
  }[];
}
