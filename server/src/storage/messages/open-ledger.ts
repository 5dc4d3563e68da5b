import { KyselyConversationStore } from '../conversations/kysely-conversation-store.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { KyselyEventCounter } from '../limits/kysely-event-counter.ts';
import { PostgresKysely } from '../postgres-database.ts';
import type { TakesOver } from '../replicas/replica-rows.ts';
import { SqliteKysely } from '../sqlite-database.ts';
import type { Storage } from '../storage.ts';
import { KyselyDeliveryLedger } from './kysely-delivery-ledger.ts';
import { KyselyMessageHistory } from './kysely-message-history.ts';
import { KyselyMessageLedger } from './kysely-message-ledger.ts';
import { KyselyPluginEffects } from './kysely-plugin-effects.ts';
import { createLedgerTables, type LedgerOptions, type LedgerTables } from './ledger-tables.ts';
import { MessageNameRows } from './message-names.ts';
import { BatchWriter } from './postgres/batch-writer.ts';
import { EarlyResults } from './postgres/early-results.ts';
import { executeLedgerBatch, type LedgerOperation } from './postgres/ledger-batch.ts';
import { PostgresDeliveryLedger } from './postgres/postgres-delivery-ledger.ts';
import { PostgresEventCounter } from './postgres/postgres-event-counter.ts';
import { PostgresMessageLedger } from './postgres/postgres-message-ledger.ts';
import { inThread } from './thread/in-thread.ts';
import { LedgerThread } from './thread/ledger-thread.ts';
import { WaitingMessages } from './waiting-messages.ts';
import type { WritingParts } from './writing-parts.ts';

/** The stored messages and deliveries, and their conversations. */
export interface Ledger extends Omit<ReturnType<typeof createLedger>, keyof WritingParts>, WritingParts {}

export function createLedger(database: Database, engine: Engine, options: LedgerOptions = { webhookWaitMs: 0 }) {
  const tables = createLedgerTables(database, engine, options);
  return {
    ...createWriters(database, tables),
    replyContextStore: tables.replyContexts,
    effects: new KyselyPluginEffects(tables, engine),
    mediaReferenceStore: tables.mediaReferences,
    waitingMessages: new WaitingMessages(tables),
    nameStore: new MessageNameRows(database),
    history: new KyselyMessageHistory(tables, engine),
    conversations: new KyselyConversationStore(database, engine, tables.claims.claimant),
    /** Queues the messages of dead replicas again. */
    takenOver: new KyselyMessageLedger(tables) satisfies TakesOver,
    /** Resolves when messages cannot be stored any more, whatever is done: the process has to end. */
    failure: new Promise<Error>(() => undefined),
  };
}

/** What every message passes: on PostgreSQL in batches. */
function createWriters(database: Database, tables: LedgerTables): Omit<WritingParts, 'replyContextStore' | 'effects'> {
  if (database instanceof PostgresKysely) {
    const writer = new BatchWriter<LedgerOperation>(database.batches, (transaction, operations) =>
      executeLedgerBatch(tables, transaction, operations),
    );
    const early = new EarlyResults(database.reserved, tables.claims.claimant);
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
  const { database, engine, replica } = storage;
  const ledger = createLedger(database, engine, { webhookWaitMs: 0, claimant: replica, ...options });
  replica.register(ledger.takenOver);
  return ledger;
}

/**
 * The ledger of a storage whose messages are written by a thread, with SQLite. The thread starts with the first message;
 * until it runs, they are written here.
 */
export async function openThreadedLedger(storage: Storage, options: LedgerOptions): Promise<Ledger> {
  const ledger = await openLedger(storage, options);
  const { database, health, replica, onClose } = storage;
  if (!(database instanceof SqliteKysely)) return ledger;
  const failure = Promise.withResolvers<Error>();
  const thread = new LedgerThread({
    database,
    file: database.file,
    owner: replica.id,
    webhookWaitMs: options.webhookWaitMs,
    mayTellWebhooks: options.mayTellWebhooks ?? (() => true),
    failed: health.failed,
    ended: failure.resolve,
  });
  onClose(() => thread.close());
  return { ...inThread(ledger, thread), failure: failure.promise };
}
