import type { Transaction } from 'kysely';
import type { Tables } from '../../database.ts';
import type { LedgerTables } from '../ledger-tables.ts';

/** The tables for a ledger whose operations are part of a transaction, instead of each having its own. */
export function within(tables: LedgerTables, transaction: Transaction<Tables>): LedgerTables {
  return { ...tables, transaction: (work) => work(transaction) };
}
