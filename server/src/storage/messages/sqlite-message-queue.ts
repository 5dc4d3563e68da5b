import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery, type ValueOf } from '../prepared-query.ts';
import type { MessageQueue, QueuedConversation } from './message-queue.ts';

/** Before all others. */
const urgentDueAt = 0;

type Row = Tables['queue'];
type WaitingRow = Omit<Row, 'is_running'>;
type TakenRow = Pick<Row, 'conversation_uuid' | 'due_at'> & { rowid: number };

/** The queue as a table. Conversations that are due at the same time are taken in the order they were added. */
export class SqliteMessageQueue implements MessageQueue {
  readonly #database: Database;
  readonly #add: PreparedQuery<unknown, WaitingRow>;
  readonly #take: PreparedQuery<TakenRow, { now: number; limit: number }>;
  readonly #takeOfOthers: PreparedQuery<TakenRow, { now: number; limit: number; heldBots: string }>;
  readonly #putBack: PreparedQuery<unknown, WaitingRow>;
  readonly #hurry: PreparedQuery<unknown, { conversation_uuid: string; now: number }>;
  readonly #remove: PreparedQuery<unknown, Pick<Row, 'conversation_uuid'>>;
  readonly #nextDue: PreparedQuery<{ due_at: number | null }, { after: number }>;

  constructor(database: Database) {
    this.#database = database;
    const insert = (value: ValueOf<WaitingRow>) =>
      database.insertInto('queue').values({
        conversation_uuid: value('conversation_uuid'),
        bot_uuid: value('bot_uuid'),
        is_running: 0,
        due_at: value('due_at'),
      });
    this.#add = new PreparedQuery(database, (value) => insert(value).onConflict((conflict) => conflict.doNothing()));
    this.#putBack = new PreparedQuery(database, (value) =>
      insert(value).onConflict((conflict) =>
        conflict.column('conversation_uuid').doUpdateSet({ is_running: 0, due_at: value('due_at') }),
      ),
    );
    this.#take = new PreparedQuery(
      database,
      (value) => sql`
      update queue set is_running = 1 where conversation_uuid in (
        select conversation_uuid from queue where is_running = 0 and due_at <= ${value('now')}
        order by due_at, rowid limit ${value('limit')}
      ) returning conversation_uuid, due_at, rowid`,
    );
    // One look per bot that has work, instead of one at each conversation of the held ones.
    this.#takeOfOthers = new PreparedQuery(
      database,
      (value) => sql`
      with recursive bots (bot_uuid) as (
        select min(bot_uuid) from queue where is_running = 0
        union all
        select (select min(bot_uuid) from queue where is_running = 0 and bot_uuid > bots.bot_uuid) from bots
        where bots.bot_uuid is not null
      )
      update queue set is_running = 1 where conversation_uuid in (
        select conversation_uuid from queue where rowid in (
          select (
            select rowid from queue where is_running = 0 and bot_uuid = bots.bot_uuid and due_at <= ${value('now')}
            order by due_at, rowid limit 1
          ) from bots where bots.bot_uuid not in (select value from json_each(${value('heldBots')}))
        ) order by due_at, rowid limit ${value('limit')}
      ) returning conversation_uuid, due_at, rowid`,
    );
    this.#hurry = new PreparedQuery(database, (value) =>
      database
        .updateTable('queue')
        .set({ due_at: value('now') })
        .where('conversation_uuid', '=', value('conversation_uuid'))
        .where('is_running', '=', 0)
        .where('due_at', '>', value('now')),
    );
    this.#remove = new PreparedQuery(database, (value) =>
      database.deleteFrom('queue').where('conversation_uuid', '=', value('conversation_uuid')),
    );
    this.#nextDue = new PreparedQuery(
      database,
      (value) => sql`select min(due_at) as due_at from queue where is_running = 0 and due_at > ${value('after')}`,
    );
  }

  async add(
    transaction: Transaction<Tables>,
    { uuid, bot_uuid }: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.#add.run(transaction, { conversation_uuid: uuid, bot_uuid, due_at: dueAt ?? Date.now() });
  }

  async take(transaction: Transaction<Tables>, heldBots: readonly string[], limit: number): Promise<string[]> {
    const values = { now: Date.now(), limit };
    const taken =
      heldBots.length === 0
        ? await this.#take.all(transaction, values)
        : await this.#takeOfOthers.all(transaction, { ...values, heldBots: JSON.stringify(heldBots) });
    // What an update returns has no order.
    return taken
      .sort((left, right) => left.due_at - right.due_at || left.rowid - right.rowid)
      .map(({ conversation_uuid }) => conversation_uuid);
  }

  async putBack(
    transaction: Transaction<Tables>,
    { uuid, bot_uuid }: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.#putBack.run(transaction, { conversation_uuid: uuid, bot_uuid, due_at: dueAt ?? Date.now() });
  }

  async hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#hurry.run(transaction, { conversation_uuid: conversationUuid, now: Date.now() });
  }

  async remove(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#remove.run(transaction, { conversation_uuid: conversationUuid });
  }

  async nextDue(since: number): Promise<number | null> {
    return (await this.#nextDue.first(this.#database, { after: Date.now() - since }))?.due_at ?? null;
  }

  async refill(
    transaction: Transaction<Tables>,
    conversations: readonly QueuedConversation[],
    urgent: ReadonlySet<string>,
  ): Promise<void> {
    const rows = await transaction
      .selectFrom('queue')
      .selectAll()
      .where('is_running', '=', 0)
      .where('due_at', '>', Date.now())
      .execute();
    const waits = new Map(rows.map((row) => [row.conversation_uuid, row.due_at]));
    await transaction.deleteFrom('queue').execute();
    for (const conversation of conversations) {
      const dueAt = urgent.has(conversation.uuid) ? urgentDueAt : (waits.get(conversation.uuid) ?? null);
      await this.putBack(transaction, conversation, dueAt);
    }
  }
}
