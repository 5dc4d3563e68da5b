import { sql, type Transaction } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { newUuid } from '../../lib/uuid.ts';
import type { Database, Tables } from '../database.ts';
import type { MessageQueue, QueuedConversation } from './message-queue.ts';

/** Name of the queue, and of the schema that pg-boss keeps its tables in. */
const queueName = 'messages';
const schema = 'pgboss';
/** What waits for work is never thrown away: the longest time that pg-boss can be told, seconds. */
const forever = 2_147_483_647;
/** Jobs that are read or written in one statement. */
const batch = 1000;
/** How long a request may take to the database, milliseconds, without anything being overlooked that is due meanwhile. */
const latency = 50;
/** Higher ones are taken first. */
const urgentPriority = 1;

/**
 * The queue as jobs of pg-boss, one for each conversation with work: its id is that of the conversation, so there is
 * never a second one. A job is deleted when the turn of its conversation is over and made anew when there is more to
 * do; none ever fails, expires or is tried again, since the outcome of a message is a matter of the ledger.
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

  /** Makes or updates the tables of pg-boss, which is loaded only here, since most installations do without. */
  static async open(database: Database): Promise<PostgresMessageQueue> {
    const { fromKysely, PgBoss } = await import('pg-boss');
    // One process works on the database and takes back at its start what an earlier one held, so nothing has to be
    // supervised.
    const boss = new PgBoss({ db: fromKysely(database), schema, supervise: false, schedule: false });
    // It looks at the list of queues now and then; when that fails, whatever needs the database fails by itself.
    boss.on('error', () => {});
    try {
      await boss.start();
      await boss.createQueue(queueName, { policy: 'standard', retentionSeconds: forever });
      // Reads what pg-boss has to know of the queue. It would do so with the first jobs, on a connection beside that of
      // their transaction, and with many at once each would wait for a connection that another one holds.
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

  async take(transaction: Transaction<Tables>, heldBots: readonly string[]): Promise<string | null> {
    const [job] = await this.#boss.fetch(queueName, { db: this.#adapt(transaction), ignoreGroups: [...heldBots] });
    return job?.id ?? null;
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
    // To take the job away and make it anew could take it from somebody who works on it.
    await sql`
      update ${sql.table(`${schema}.job`)} set start_after = now()
      where name = ${queueName} and id = cast(${conversationUuid} as uuid) and state = 'created' and start_after > now()
    `.execute(transaction);
  }

  async remove(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#boss.deleteJob(queueName, conversationUuid, { db: this.#adapt(transaction) });
  }

  async nextDue(since: number): Promise<number | null> {
    // By the clock of the server, which is the one that says when a job is due. It may look at it a little late.
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
