import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery, type ValueOf } from '../prepared-query.ts';
import { isUnfinished } from './message-rows.ts';

/** A conversation, and the bot that its messages wait for. */
export interface QueuedConversation {
  uuid: string;
  bot_uuid: string;
}

/** Before all others. */
const urgentDueAt = 0;
/** Rows that are written in one statement. */
const batch = 1000;

type Row = Tables['queue'];
type WaitingRow = Omit<Row, 'is_running'>;
type TakenRow = Pick<Row, 'conversation_uuid' | 'due_at'> & { place: number };
type TakeValues = { now: number; limit: number; heldBots: string };

/**
 * Conversations with work, a row for each. The ledger determines which message is next; only one of a conversation is
 * processed at a time, so messages of one conversation stay in order. Conversations that are due at the same time are
 * taken in the order they were added. All methods run within the caller's transaction, together with the change they are
 * about.
 */
export class MessageQueue {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #add: PreparedQuery<unknown, WaitingRow>;
  readonly #take: PreparedQuery<TakenRow, TakeValues>;
  readonly #takeOfOthers: PreparedQuery<TakenRow, TakeValues>;
  readonly #putBack: PreparedQuery<unknown, WaitingRow>;
  readonly #hurry: PreparedQuery<unknown, { conversation_uuid: string; now: number }>;
  readonly #remove: PreparedQuery<unknown, Pick<Row, 'conversation_uuid'>>;
  readonly #putLast: PreparedQuery<unknown, Pick<Row, 'conversation_uuid' | 'due_at'>>;
  readonly #removeFinished: PreparedQuery<unknown, Pick<Row, 'conversation_uuid'>>;
  readonly #nextDue: PreparedQuery<{ due_at: number | null }, { after: number }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
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
    const take = takeStatements(engine);
    this.#take = new PreparedQuery(database, take.earliest);
    this.#takeOfOthers = new PreparedQuery(database, take.earliestOfOthers);
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
    this.#putLast = new PreparedQuery(database, (value) =>
      database
        .updateTable('queue')
        .set({ is_running: 0, due_at: value('due_at') })
        .where('conversation_uuid', '=', value('conversation_uuid')),
    );
    this.#removeFinished = new PreparedQuery(database, (value) =>
      database
        .deleteFrom('queue')
        .where('conversation_uuid', '=', value('conversation_uuid'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('messages')
                .select('uuid')
                .where('conversation_uuid', '=', value('conversation_uuid'))
                .where(isUnfinished),
            ),
          ),
        ),
    );
    this.#nextDue = new PreparedQuery(
      database,
      (value) => sql`select min(due_at) as due_at from queue where is_running = 0 and due_at > ${value('after')}`,
    );
  }

  /**
   * There is work now; nothing changes when there was some before.
   * @param dueAt as for `putBack`
   */
  async add(
    transaction: Transaction<Tables>,
    { uuid, bot_uuid }: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.#add.run(transaction, { conversation_uuid: uuid, bot_uuid, due_at: dueAt ?? Date.now() });
  }

  /**
   * Takes the conversations that have been due longest. No one else gets them until they are put back.
   * @param heldBots bots whose conversations wait on
   * @returns at most `limit`; fewer may be due even so
   */
  async take(transaction: Transaction<Tables>, heldBots: readonly string[], limit: number): Promise<string[]> {
    const query = heldBots.length === 0 ? this.#take : this.#takeOfOthers;
    const taken = await query.all(transaction, { now: Date.now(), limit, heldBots: JSON.stringify(heldBots) });
    // What an update returns has no order.
    return taken
      .sort((left, right) => left.due_at - right.due_at || left.place - right.place)
      .map(({ conversation_uuid }) => conversation_uuid);
  }

  /**
   * Queues a conversation that has work.
   * @param dueAt earliest time, milliseconds since 1970; null for at once
   */
  async putBack(
    transaction: Transaction<Tables>,
    { uuid, bot_uuid }: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.#putBack.run(transaction, { conversation_uuid: uuid, bot_uuid, due_at: dueAt ?? Date.now() });
  }

  /** Makes a waiting conversation due at once; does nothing while it is being processed. */
  async hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#hurry.run(transaction, { conversation_uuid: conversationUuid, now: Date.now() });
  }

  /**
   * Ends the turn of a conversation: without unfinished messages it leaves the queue, else it is due at once.
   * @returns false when it is not in the queue
   */
  async endTurn(transaction: Transaction<Tables>, conversation_uuid: string): Promise<boolean> {
    if ((await this.#removeFinished.run(transaction, { conversation_uuid })) > 0) return true;
    return (await this.#putLast.run(transaction, { conversation_uuid, due_at: Date.now() })) > 0;
  }

  /** There is no more work. */
  async remove(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#remove.run(transaction, { conversation_uuid: conversationUuid });
  }

  /**
   * When the next conversation is due, milliseconds since 1970; null when there is none.
   * @param since of conversations already due, only those that became due within this many milliseconds
   */
  async nextDue(since: number): Promise<number | null> {
    return (await this.#nextDue.first(this.#database, { after: Math.floor(Date.now() - since) }))?.due_at ?? null;
  }

  /** Has everyone else who changes the queue wait until the transaction ends. SQLite has one writer at a time anyway. */
  async lock(transaction: Transaction<Tables>): Promise<void> {
    if (this.#engine === 'postgres') await sql`lock table queue in share row exclusive mode`.execute(transaction);
  }

  /**
   * Rebuilds the queue after an earlier process: nothing is taken, only these conversations have work. Those waiting
   * for a due time continue to wait. The queue must be locked.
   * @param conversations in order
   * @param urgent uuids of those to be taken before all others
   */
  async refill(
    transaction: Transaction<Tables>,
    conversations: readonly QueuedConversation[],
    urgent: ReadonlySet<string>,
  ): Promise<void> {
    const now = Date.now();
    const rows = await transaction
      .selectFrom('queue')
      .select(['conversation_uuid', 'due_at'])
      .where('is_running', '=', 0)
      .where('due_at', '>', now)
      .execute();
    const waits = new Map(rows.map((row) => [row.conversation_uuid, row.due_at]));
    await transaction.deleteFrom('queue').execute();
    for (let index = 0; index < conversations.length; index += batch) {
      const inserted = conversations.slice(index, index + batch).map(({ uuid, bot_uuid }) => ({
        conversation_uuid: uuid,
        bot_uuid,
        is_running: 0,
        due_at: urgent.has(uuid) ? urgentDueAt : (waits.get(uuid) ?? now),
      }));
      await transaction.insertInto('queue').values(inserted).execute();
    }
  }
}

/** How conversations are taken; what differs between the engines comes first. */
function takeStatements(engine: Engine) {
  const isSqlite = engine === 'sqlite';
  /** The order in which rows were added. */
  const place = sql.ref(isSqlite ? 'rowid' : 'position');
  const isDue = (value: ValueOf<TakeValues>) => sql`is_running = 0 and due_at <= ${value('now')}`;
  const lock = isSqlite ? sql`` : sql`for update skip locked`;
  // As an array, it is selected once. PostgreSQL may select for `in` again and again, and would lock other rows each time.
  const isOneOf = (uuids: RawBuilder<unknown>) => (isSqlite ? sql`in (${uuids})` : sql`= any(array(${uuids}))`);
  const isHeld = (value: ValueOf<TakeValues>) =>
    isSqlite
      ? sql`in (select value from json_each(${value('heldBots')}))`
      : sql`= any(array(select jsonb_array_elements_text(cast(${value('heldBots')} as jsonb))))`;
  // SQLite selects one of each bot, which is to be repeated.
  const ofEachBot = (value: ValueOf<TakeValues>) => {
    const due = (limit: RawBuilder<unknown>) => sql`
      select conversation_uuid from queue where bot_uuid = bots.bot_uuid and ${isDue(value)}
      order by due_at, ${place} limit ${limit}`;
    return isSqlite
      ? sql`select (${due(sql`1`)}) from bots`
      : sql`select due.conversation_uuid from bots cross join lateral (${due(sql`${value('limit')}`)}) as due`;
  };
  return {
    earliest: (value: ValueOf<TakeValues>) => sql<TakenRow>`
      update queue set is_running = 1 where conversation_uuid ${isOneOf(sql`
        select conversation_uuid from queue where ${isDue(value)} order by due_at, ${place} limit ${value('limit')} ${lock}
      `)} returning conversation_uuid, due_at, ${place} as place`,
    // One look per bot that has work, instead of one at each conversation of the held ones.
    earliestOfOthers: (value: ValueOf<TakeValues>) => sql<TakenRow>`
      with recursive bots (bot_uuid) as (
        select min(bot_uuid) from queue where is_running = 0
        union all
        select (select min(bot_uuid) from queue where is_running = 0 and bot_uuid > bots.bot_uuid) from bots
        where bots.bot_uuid is not null
      )
      update queue set is_running = 1 where conversation_uuid ${isOneOf(sql`
        select conversation_uuid from queue
        where conversation_uuid ${isOneOf(sql`${ofEachBot(value)} where not bots.bot_uuid ${isHeld(value)}`)}
        order by due_at, ${place} limit ${value('limit')} ${lock}
      `)} returning conversation_uuid, due_at, ${place} as place`,
  };
}
