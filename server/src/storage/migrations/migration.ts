import type { CompiledQuery, SchemaModule } from 'kysely';
import type { Engine } from '../engine.ts';

/** A step forward of the tables. Once released it never changes; a checksum of its statements is kept. */
export interface Migration {
  name: string;
  statements(schema: SchemaModule, engine: Engine): { compile(): CompiledQuery }[];
}
