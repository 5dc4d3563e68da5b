import { KyselyConversationStore } from '../conversations/kysely-conversation-store.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { KyselyEventCounter } from '../limits/kysely-event-counter.ts';
import { PostgresKysely } from '../postgres-database.ts';
import type { Storage } from '../storage.ts';
import { KyselyDeliveryLedger } from './kysely-delivery-ledger.ts';
import { KyselyMessageHistory } from './kysely-message-history.ts';
import { KyselyMessageLedger } from './kysely-message-ledger.ts';
import { createLedgerTables, type LedgerOptions, type LedgerTables } from './ledger-tables.ts';
import { MessageNameRows } from './message-names.ts';
import { BatchWriter } from './postgres/batch-writer.ts';
import { EarlyResults } from './postgres/early-results.ts';
import { executeLedgerBatch, type LedgerOperation } from './postgres/ledger-batch.ts';
import { PostgresDeliveryLedger } from './postgres/postgres-delivery-ledger.ts';
import { PostgresEventCounter } from './postgres/postgres-event-counter.ts';
import { PostgresMessageLedger } from './postgres/postgres-message-ledger.ts';
import { WaitingMessages } from './waiting-messages.ts';

/** The stored messages and deliveries, and their conversations. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(database: Database, engine: Engine, options: LedgerOptions = { webhookWaitMs: 0 }) {
  const tables = createLedgerTables(database, engine, options);
  return {
    ...createWriters(database, tables),
    replyContextStore: tables.replyContexts,
    mediaReferenceStore: tables.mediaReferences,
    waitingMessages: new WaitingMessages(tables),
    nameStore: new MessageNameRows(database),
    history: new KyselyMessageHistory(tables, engine),
    conversations: new KyselyConversationStore(database, engine),
  };
}

/** What every message passes: on PostgreSQL in batches. */
function createWriters(database: Database, tables: LedgerTables) {
  if (database instanceof PostgresKysely) {
    const writer = new BatchWriter<LedgerOperation>(database.batches, (transaction, operations) =>
      executeLedgerBatch(tables, transaction, operations),
    );
    const early = new EarlyResults(database.reserved, tables.claims.owner);
    return {
      messages: new PostgresMessageLedger(tables, writer, early),
      deliveries: new PostgresDeliveryLedger(tables, writer, early),
      counter: new PostgresEventCounter(database, writer),
    };
  }
  return {
    messages: new KyselyMessageLedger(tables),
    deliveries: new KyselyDeliveryLedger(tables),
    counter: new KyselyEventCounter(database),
  };
}

/** The ledger of a storage. */
export async function openLedger(storage: Storage, options?: LedgerOptions): Promise<Ledger> {
  const { database, engine, ownership } = storage;
  return createLedger(database, engine, { webhookWaitMs: 0, owner: ownership.owner, ...options });
}
