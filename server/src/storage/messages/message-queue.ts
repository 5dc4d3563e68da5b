import { type Expression, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { ClaimableBots } from '../../core/bots/running-bot.ts';
import { present } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery, type ValueOf } from '../prepared-query.ts';
import { isUnfinished } from './message-rows.ts';

/** A conversation, and the bot that its messages wait for. */
export interface QueuedConversation {
  uuid: string;
  bot_uuid: string;
  /** The replica that alone takes it while it lives; null for any. */
  home: string | null;
}

/** The due time of what is to be taken before all others. */
const urgentDueAt = 0;

type Row = Tables['queue'];
type WaitingRow = Omit<Selectable<Row>, 'is_running'>;
type TakenRow = Pick<Row, 'conversation_uuid' | 'due_at'> & { place: number };
type TakeValues = { now: number; limit: number; bots: string; replica: string; home_only: number };

/**
 * Conversations with work, a row for each. The ledger determines which message is next; only one of a conversation is
 * processed at a time, so messages of one conversation stay in order. Conversations that are due at the same time are
 * taken in the order they were added. All methods run within the caller's transaction, together with the change they are
 * about.
 */
export class MessageQueue {
  readonly #database: Database;
  readonly #add: PreparedQuery<unknown, WaitingRow>;
  readonly #take: PreparedQuery<TakenRow, TakeValues>;
  readonly #takeExcept: PreparedQuery<TakenRow, TakeValues>;
  readonly #takeOnly: PreparedQuery<TakenRow, TakeValues>;
  readonly #putBack: PreparedQuery<unknown, WaitingRow>;
  readonly #hurry: PreparedQuery<unknown, { conversation_uuid: string; now: number }>;
  readonly #remove: PreparedQuery<unknown, Pick<Row, 'conversation_uuid'>>;
  readonly #putLast: PreparedQuery<unknown, Pick<Row, 'conversation_uuid' | 'due_at'>>;
  readonly #removeFinished: PreparedQuery<unknown, Pick<Row, 'conversation_uuid'>>;
  readonly #nextDue: PreparedQuery<{ due_at: number | null }, { after: number }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    const insert = (value: ValueOf<WaitingRow>) =>
      database.insertInto('queue').values({
        conversation_uuid: value('conversation_uuid'),
        bot_uuid: value('bot_uuid'),
        is_running: 0,
        due_at: value('due_at'),
        home: value('home'),
      });
    this.#add = new PreparedQuery(database, (value) => insert(value).onConflict((conflict) => conflict.doNothing()));
    this.#putBack = new PreparedQuery(database, (value) =>
      insert(value).onConflict((conflict) =>
        conflict
          .column('conversation_uuid')
          .doUpdateSet({ is_running: 0, due_at: value('due_at'), home: value('home') }),
      ),
    );
    const take = takeStatements(engine);
    this.#take = new PreparedQuery(database, take.earliest);
    this.#takeExcept = new PreparedQuery(database, take.earliestExcept);
    this.#takeOnly = new PreparedQuery(database, take.earliestOf);
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
        .$if(engine === 'postgres', (query) => query.set({ home: homeOfNext(value('conversation_uuid')) }))
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
    { uuid, bot_uuid, home }: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.#add.run(transaction, { conversation_uuid: uuid, bot_uuid, home, due_at: dueAt ?? present() });
  }

  /**
   * Takes the conversations that have been due longest. No one else gets them until they are put back.
   * @param replica the one that takes them; on PostgreSQL, none when it was taken over
   * @param bots whose conversations it takes
   * @returns at most `limit`; fewer may be due even so
   */
  async take(transaction: Transaction<Tables>, replica: string, bots: ClaimableBots, limit: number): Promise<string[]> {
    const [query, uuids] =
      'only' in bots
        ? [this.#takeOnly, bots.only]
        : [bots.except.length === 0 ? this.#take : this.#takeExcept, bots.except];
    const taken = await query.all(transaction, {
      now: present(),
      limit,
      bots: JSON.stringify(uuids),
      replica,
      home_only: bots.homeOnly === true ? 1 : 0,
    });
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
    { uuid, bot_uuid, home }: QueuedConversation,
    dueAt: number | null,
  ): Promise<void> {
    await this.#putBack.run(transaction, { conversation_uuid: uuid, bot_uuid, home, due_at: dueAt ?? present() });
  }

  /** Queues a conversation again that was taken, in the place that it had. @param isUrgent before all others instead */
  async return(transaction: Transaction<Tables>, conversation: QueuedConversation, isUrgent: boolean): Promise<void> {
    const urgent = isUrgent ? urgentDueAt : null;
    const { numUpdatedRows } = await transaction
      .updateTable('queue')
      .set(({ ref, val }) => ({ is_running: 0, due_at: urgent === null ? ref('due_at') : val(urgent) }))
      .where('conversation_uuid', '=', conversation.uuid)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) await this.putBack(transaction, conversation, urgent);
  }

  /** Makes a waiting conversation due at once; does nothing while it is being processed. */
  async hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    await this.#hurry.run(transaction, { conversation_uuid: conversationUuid, now: present() });
  }

  /**
   * Ends the turn of a conversation: without unfinished messages it leaves the queue, else it is due at once.
   * @returns false when it is not in the queue
   */
  async endTurn(transaction: Transaction<Tables>, conversation_uuid: string): Promise<boolean> {
    if ((await this.#removeFinished.run(transaction, { conversation_uuid })) > 0) return true;
    return (await this.#putLast.run(transaction, { conversation_uuid, due_at: present() })) > 0;
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
    return (await this.#nextDue.first(this.#database, { after: Math.floor(present() - since) }))?.due_at ?? null;
  }
}

/** How conversations are taken; what differs between the engines comes first. */
function takeStatements(engine: Engine) {
  const isSqlite = engine === 'sqlite';
  /** The order in which rows were added. */
  const place = sql.ref(isSqlite ? 'rowid' : 'position');
  // One that is awaited elsewhere is for that replica to take.
  const isHome = (value: ValueOf<TakeValues>) =>
    isSqlite
      ? sql``
      : sql`and (home = ${value('replica')} or cast(${value('home_only')} as integer) = 0
          and (home is null or home not in (select id from replicas where state <> 'ended')))`;
  const isDue = (value: ValueOf<TakeValues>) => sql`is_running = 0 and due_at <= ${value('now')} ${isHome(value)}`;
  // The lock lasts until the claim is on disk, so that a takeover finds what is claimed, or prevents it. SQLite has one
  // process.
  const living = (value: ValueOf<TakeValues>) =>
    sql`living as materialized (select 1 from replicas where id = ${value('replica')} and state <> 'ended' for key share)`;
  const withLiving = (value: ValueOf<TakeValues>) => (isSqlite ? sql`` : sql`with ${living(value)}`);
  const isLiving = isSqlite ? sql`` : sql`exists (select 1 from living) and`;
  const lock = isSqlite ? sql`` : sql`for update skip locked`;
  // As an array, it is selected once. PostgreSQL may select for `in` again and again, and would lock other rows each time.
  const isOneOf = (uuids: RawBuilder<unknown>) => (isSqlite ? sql`in (${uuids})` : sql`= any(array(${uuids}))`);
  const isAmong = (value: ValueOf<TakeValues>) =>
    isSqlite
      ? sql`queued.bot_uuid in (select value from json_each(${value('bots')}))`
      : sql`queued.bot_uuid = any(array(select jsonb_array_elements_text(cast(${value('bots')} as jsonb))))`;
  // SQLite selects one of each bot, which is to be repeated.
  const ofEachBot = (value: ValueOf<TakeValues>) => {
    const due = (limit: RawBuilder<unknown>) => sql`
      select conversation_uuid from queue where bot_uuid = queued.bot_uuid and ${isDue(value)}
      order by due_at, ${place} limit ${limit}`;
    return isSqlite
      ? sql`select (${due(sql`1`)}) from queued`
      : sql`select due.conversation_uuid from queued cross join lateral (${due(sql`${value('limit')}`)}) as due`;
  };
  // One look per bot that has work, instead of one at each conversation of the others.
  const earliestWhere = (condition: (value: ValueOf<TakeValues>) => RawBuilder<unknown>) => {
    return (value: ValueOf<TakeValues>) => sql<TakenRow>`
      with recursive queued (bot_uuid) as (
        select min(bot_uuid) from queue where is_running = 0
        union all
        select (select min(bot_uuid) from queue where is_running = 0 and bot_uuid > queued.bot_uuid) from queued
        where queued.bot_uuid is not null
      )${isSqlite ? sql`` : sql`, ${living(value)}`}
      update queue set is_running = 1 where ${isLiving} conversation_uuid ${isOneOf(sql`
        select conversation_uuid from queue
        where conversation_uuid ${isOneOf(sql`${ofEachBot(value)} where ${condition(value)}`)}
        order by due_at, ${place} limit ${value('limit')} ${lock}
      `)} returning conversation_uuid, due_at, ${place} as place`;
  };
  return {
    earliest: (value: ValueOf<TakeValues>) => sql<TakenRow>`
      ${withLiving(value)} update queue set is_running = 1 where ${isLiving} conversation_uuid ${isOneOf(sql`
        select conversation_uuid from queue where ${isDue(value)} order by due_at, ${place} limit ${value('limit')} ${lock}
      `)} returning conversation_uuid, due_at, ${place} as place`,
    earliestExcept: earliestWhere((value) => sql`not ${isAmong(value)}`),
    // Messages of bots that are disabled or deleted end wherever they are found. As a value, the record is looked up for each
    // bot; as a condition, PostgreSQL may read all of them.
    earliestOf: earliestWhere(
      (value) => sql`(${isAmong(value)}
        or coalesce((select enable from bots where bots.uuid = queued.bot_uuid), 0) = 0)`,
    ),
  };
}

/** The home of the message that is next in a conversation. */
function homeOfNext(conversationUuid: Expression<string>): RawBuilder<string | null> {
  return sql`(select home from messages where messages.conversation_uuid = ${conversationUuid} and ${isUnfinished}
    order by sequence limit 1)`;
}
