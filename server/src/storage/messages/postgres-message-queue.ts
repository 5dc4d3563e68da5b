import { sql, type Transaction } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { newUuid } from '../../lib/uuid.ts';
import type { Database, Tables } from '../database.ts';
import type { MessageQueue, QueuedConversation } from './message-queue.ts';

/** Name of the queue, and of the schema that pg-boss keeps its tables in. */
const queueName = 'messages';
const schema = 'pgboss';
/** Waiting jobs must never expire: the longest time that pg-boss accepts, seconds. */
const forever = 2_147_483_647;
/** Jobs that are read or written in one statement. */
const batch = 1000;
/** Maximum database latency for which due jobs are not missed, milliseconds. */
const latency = 50;
/** Higher ones are taken first. */
const urgentPriority = 1;

/**
 * The queue as jobs of pg-boss, one for each conversation with work: its id is that of the conversation, so there is
 * never a second one. A job is deleted at the end of its conversation's turn and created again when there is more to
 * do; none ever fails, expires or is retried, since the ledger records the outcome of a message.
 */
export class PostgresMessageQueue implements MessageQueue {
  readonly #database: Database;
  readonly #boss: PgBoss;
  readonly #adapt: typeof import('pg-boss').fromKysely;

  private constructor(database: Database, boss: PgBoss, adapt: typeof import('pg-boss').fromKysely) {
    this.#database = database;
    this.#boss = boss;
    this.#adapt = adapt;
  }

  /** Creates or updates the tables of pg-boss, which is loaded only here, since most installations do not use it. */
  static async open(database: Database): Promise<PostgresMessageQueue> {
    const { fromKysely, PgBoss } = await import('pg-boss');
    // One process uses the database and recovers the jobs of an earlier one at its start, so no supervision is
    // needed.
    const boss = new PgBoss({ db: fromKysely(database), schema, supervise: false, schedule: false });
    // It reads the list of queues regularly; when that fails, other database calls fail by themselves.
    boss.on('error', () => {});
    try {
      await boss.start();
      await boss.createQueue(queueName, { policy: 'standard', retentionSeconds: forever });
      // Loads the queue settings that pg-boss needs. With the first jobs it would use a second connection next to that
      // of their transaction, and many at once could exhaust the pool and deadlock.
      await boss.findJobs(queueName, { id: newUuid() });
    } catch (error) {
      await boss.stop({ graceful: false, close: false });
      throw error;
    }
    return new PostgresMessageQueue(database, boss, fromKysely);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }

  async add(transaction: Transaction<Tables>, conversation: QueuedConversation, dueAt: number | null): Promise<void> {
    await this.#insert(transaction, [jobDue(conversation, dueAt)]);
  }

  async take(transaction: Transaction<Tables>, heldBots: readonly string[], limit: number): Promise<string[]> {
    const db = this.#adapt(transaction);
    const jobs = await this.#boss.fetch(queueName, { db, ignoreGroups: [...heldBots], batchSize: limit });
    return jobs.map(({ id }) => id);
  }

  async putBack(
    transaction: Transaction<Tables>,
    conversation: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.remove(transaction, conversation.uuid);
    await this.#insert(transaction, [jobDue(conversation, dueAt)]);
  }

  async hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    // Deleting and inserting the job could take it from a process that has claimed it.
    await sql`
      update ${sql.table(`${schema}.job`)} set start_after = now()
      where name = ${queueName} and id = cast(${conversationUuid} as uuid) and state = 'created' and start_after > now()
    `.execute(transaction);
  }

  async remove(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#boss.deleteJob(queueName, conversationUuid, { db: this.#adapt(transaction) });
  }

  async nextDue(since: number): Promise<number | null> {
    // By the clock of the database server, which decides when a job is due. It may check a little late.
    const seconds = since === 0 ? 0 : (since + latency) / 1000;
    const { rows } = await sql<{ wait: number | null }>`
      select cast(extract(epoch from min(start_after) - now()) * 1000 as double precision) as wait
      from ${sql.table(`${schema}.job`)}
      where name = ${queueName} and state = 'created'
        and start_after > now() - make_interval(secs => ${seconds})`.execute(this.#database);
    const wait = rows[0]?.wait ?? null;
    return wait === null ? null : Date.now() + Math.ceil(wait);
  }

  async refill(
    transaction: Transaction<Tables>,
    conversations: readonly QueuedConversation[],
    urgent: ReadonlySet<string>,
  ): Promise<void> {
    const db = this.#adapt(transaction);
    const jobs = await this.#boss.findJobs(queueName, { db });
    const waiting = jobs.filter(({ state, startAfter }) => state === 'created' && startAfter.getTime() > Date.now());
    const waits = new Map(waiting.map(({ id, startAfter }) => [id, startAfter]));
    for (let index = 0; index < jobs.length; index += batch) {
      const ids = jobs.slice(index, index + batch).map(({ id }) => id);
      await this.#boss.deleteJob(queueName, ids, { db });
    }
    for (let index = 0; index < conversations.length; index += batch) {
      const inserted = conversations.slice(index, index + batch).map((conversation) => {
        if (urgent.has(conversation.uuid)) return { ...jobOf(conversation), priority: urgentPriority };
        const startAfter = waits.get(conversation.uuid);
        return { ...jobOf(conversation), ...(startAfter === undefined ? {} : { startAfter }) };
      });
      await this.#insert(transaction, inserted);
    }
  }

  async #insert(transaction: Transaction<Tables>, jobs: Parameters<PgBoss['insert']>[1]): Promise<void> {
    await this.#boss.insert(queueName, jobs, { db: this.#adapt(transaction) });
  }
}

function jobDue(conversation: QueuedConversation, dueAt: number | null) {
  return { ...jobOf(conversation), ...(dueAt === null ? {} : { startAfter: new Date(dueAt) }) };
}

function jobOf({ uuid, bot_uuid }: QueuedConversation) {
  return { id: uuid, group: { id: bot_uuid } };
}
