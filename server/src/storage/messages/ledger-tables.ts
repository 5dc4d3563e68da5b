import { sql, type Transaction } from 'kysely';
import type { EndedDelivery } from '../../core/messages/message-ledger.ts';
import { newUuid } from '../../lib/uuid.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import { ConversationRows } from '../conversations/conversation-rows.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { Deliveries } from './deliveries.ts';
import { MessageClaims } from './message-claims.ts';
import { MessageContexts } from './message-contexts.ts';
import { MessageLifecycle } from './message-lifecycle.ts';
import type { MessageQueue } from './message-queue.ts';
import { MessageRecords } from './message-records.ts';
import { MessageRows } from './message-rows.ts';
import { WebhookOutbox } from './webhook-outbox.ts';

export interface LedgerOptions {
  /** Names the process in its claims, a uuid. Default a new one. */
  owner?: string;
  /** How long a message waits for the answers of webhooks, milliseconds; 0 for not at all. */
  webhookWaitMs: number;
  /** False when there is certainly no webhook, which saves a query with every message. */
  mayTellWebhooks?: () => boolean;
}

/** The rows that the parts of the ledger share, and their transactions. */
export class LedgerTables {
  readonly database: Database;
  readonly queue: MessageQueue;
  readonly conversations: ConversationRows;
  readonly rows: MessageRows;
  readonly lifecycle: MessageLifecycle;
  readonly deliveries: Deliveries;
  readonly records: MessageRecords;
  readonly contexts: MessageContexts;
  readonly claims: MessageClaims;
  readonly webhooks: WebhookOutbox;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine, queue: MessageQueue, options: LedgerOptions) {
    this.database = database;
    this.#engine = engine;
    this.queue = queue;
    this.conversations = new ConversationRows(database, engine);
    this.rows = new MessageRows(database, this.conversations);
    this.lifecycle = new MessageLifecycle(database, queue);
    this.deliveries = new Deliveries(database);
    this.records = new MessageRecords(database);
    this.contexts = new MessageContexts(database);
    this.claims = new MessageClaims(database, engine, options.owner ?? newUuid());
    this.webhooks = new WebhookOutbox(database, engine, options);
  }

  transaction<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.database.transaction().execute(work);
  }

  /**
   * One claim at a time, and none while the queue is rearranged: taking a conversation from the queue and locking one
   * happen in different orders and would deadlock. SQLite has one writer at a time anyway.
   */
  async lockQueue(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${advisoryLocks.claim})`.execute(transaction);
  }

  /**
   * On PostgreSQL a transaction takes many round trips, and a process that dies during them would not record a
   * successful send. So its result is also stored by a single statement outside the transaction, which alone decides on
   * failure.
   */
  async withResult(result: EndedDelivery | null, settled: Promise<void>): Promise<void> {
    if (this.#engine !== 'postgres' || result === null) return settled;
    const early = this.deliveries.endEarly(this.database, this.claims.owner, result).catch(() => undefined);
    await Promise.all([settled, early]);
  }
}
