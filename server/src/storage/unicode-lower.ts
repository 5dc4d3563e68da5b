import type { DatabaseSync } from 'node:sqlite';
import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './engine.ts';

/** `lower` of SQLite knows only the letters of ASCII. */
export function addUnicodeLower(database: DatabaseSync): void {
  database.function('unicode_lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : (text as null),
  );
}

/** A text in lower case, to compare it without regard to capitals. */
export function unicodeLower(engine: Engine, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return engine === 'sqlite' ? sql`unicode_lower(${text})` : sql`lower(${text})`;
}
