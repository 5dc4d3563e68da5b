import { sql, type Transaction } from 'kysely';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Tables } from '../database.ts';
import type { Engine } from '../engine.ts';

/** Serializes read-then-write transactions on knowledge bases. SQLite has one writer at a time anyway. */
export async function lockKnowledge(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  if (engine !== 'postgres') return;
  await sql`select pg_advisory_xact_lock(${advisoryLocks.knowledge})`.execute(transaction);
}
