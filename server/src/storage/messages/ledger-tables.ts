import { sql, type Transaction } from 'kysely';
import { newUuid } from '../../lib/uuid.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import { AdapterValues } from '../bots/adapter-values.ts';
import { ConversationRows } from '../conversations/conversation-rows.ts';
import type { Database, Tables } from '../database.ts';
import { DirectSqlite } from '../direct-sqlite.ts';
import type { Engine } from '../engine.ts';
import { PostgresKysely } from '../postgres-database.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { Deliveries } from './deliveries.ts';
import { MediaReferenceRows } from './media-reference-rows.ts';
import { MessageClaims } from './message-claims.ts';
import { MessageContexts } from './message-contexts.ts';
import { MessageLifecycle } from './message-lifecycle.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageRecords } from './message-records.ts';
import { MessageRows } from './message-rows.ts';
import { ReplyContextRows } from './reply-context-rows.ts';
import { WebhookOutbox } from './webhook-outbox.ts';

export interface LedgerOptions {
  /** Who claims. Default a new one. */
  claimant?: Claimant;
  /** How long a message waits for the answers of webhooks, milliseconds; 0 for not at all. */
  webhookWaitMs: number;
  /** False when there is certainly no webhook, which saves a query with every message. */
  mayTellWebhooks?: () => boolean;
}

export type LedgerTables = ReturnType<typeof createLedgerTables>;

/** The rows that the parts of the ledger share, and their transactions. */
export function createLedgerTables(database: Database, engine: Engine, options: LedgerOptions) {
  const queue = new MessageQueue(database, engine);
  const conversations = new ConversationRows(database, engine);
  const deliveries = new Deliveries(database);
  const claimant = options.claimant ?? { id: newUuid() };
  const claims = new MessageClaims(database, engine, claimant);
  const reserved = database instanceof PostgresKysely ? database.reserved : null;
  return {
    database,
    /** For single statements that record what a platform did, which must not wait for those that transactions hold. */
    prompt: reserved ?? database,
    queue,
    conversations,
    deliveries,
    claims,
    rows: new MessageRows(database, conversations),
    lifecycle: new MessageLifecycle(database, queue),
    records: new MessageRecords(database),
    contexts: new MessageContexts(database),
    replyContexts: new ReplyContextRows(database, claims),
    mediaReferences: new MediaReferenceRows(database),
    states: new AdapterValues(database, claimant),
    webhooks: new WebhookOutbox(database, engine, options),

    transaction: <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> =>
      // The owner of that connection begins and ends transactions.
      database instanceof DirectSqlite
        ? work(database as unknown as Transaction<Tables>)
        : database.transaction().execute(work),

    /**
     * One claim at a time, and none while the queue is rearranged: taking a conversation from the queue and locking one
     * happen in different orders and would deadlock. SQLite has one writer at a time anyway.
     */
    lockQueue: async (transaction: Transaction<Tables>): Promise<void> => {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLocks.claim})`.execute(transaction);
    },
  };
}
