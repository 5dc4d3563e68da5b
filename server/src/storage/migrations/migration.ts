import type { CompiledQuery, SchemaModule } from 'kysely';
import type { Engine } from '../engine.ts';

/** Writes statements for an engine. */
export type WriteStatements = (schema: SchemaModule, engine: Engine) => { compile(): CompiledQuery }[];

/** A step forward of the tables. It never changes; a checksum of its statements is kept in the database and in `checksums.ts`. */
export interface Migration {
  name: string;
  statements: WriteStatements;
  /** What is applied beside, where a former version of an earlier migration was applied. */
  corrections?: readonly {
    /** The name of that migration. */
    of: string;
    statements: WriteStatements;
  }[];
}
