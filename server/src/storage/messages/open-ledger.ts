import { KyselyConversationStore } from '../conversations/kysely-conversation-store.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Storage } from '../storage.ts';
import { KyselyDeliveryLedger } from './kysely-delivery-ledger.ts';
import { KyselyMessageHistory } from './kysely-message-history.ts';
import { KyselyMessageLedger } from './kysely-message-ledger.ts';
import { createLedgerTables, type LedgerOptions } from './ledger-tables.ts';
import { MessageNameRows } from './message-names.ts';
import { WaitingMessages } from './waiting-messages.ts';

/** The stored messages and deliveries, and their conversations. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(database: Database, engine: Engine, options: LedgerOptions = { webhookWaitMs: 0 }) {
  const tables = createLedgerTables(database, engine, options);
  return {
    messages: new KyselyMessageLedger(tables),
    deliveries: new KyselyDeliveryLedger(tables),
    replyContextStore: tables.replyContexts,
    mediaReferenceStore: tables.mediaReferences,
    waitingMessages: new WaitingMessages(tables),
    nameStore: new MessageNameRows(database),
    history: new KyselyMessageHistory(tables, engine),
    conversations: new KyselyConversationStore(database, engine),
  };
}

/** The ledger of a storage. */
export async function openLedger(storage: Storage, options?: LedgerOptions): Promise<Ledger> {
  const { database, engine, ownership } = storage;
  return createLedger(database, engine, { webhookWaitMs: 0, owner: ownership.owner, ...options });
}
