import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Message } from '../../core/messages/message.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from '../../core/webhooks/webhook-delivery.ts';
import type {
  ClaimedDelivery,
  DeliveryPage,
  DeliveryProgress,
  FirstAnswer,
  StoredReceiver,
  WebhookDeliveryStore,
} from '../../core/webhooks/webhook-delivery-store.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { type JoinedRow, selectMessages, toMessage } from '../messages/message-rows.ts';
import { PreparedQuery, type ValueOf } from '../prepared-query.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';

/** Stored attempts per delivery, which may be retried manually any number of times. */
const maximumAttempts = 100;

type ClaimedRow = JoinedRow & {
  delivery_position: number;
  delivery_attempts: number;
  delivery_claim: number;
  expires_at: number;
  adapter: string | null;
};

interface ClaimValues {
  webhook_id: number;
  now: number;
  limit: number;
  replica: string;
  /** Positions, as JSON. */
  running: string;
}

type ShownRow = Omit<
  Selectable<Tables['webhook_deliveries']>,
  'conversation_uuid' | 'expires_at' | 'claimed_by' | 'claim'
> & {
  session_type: string;
};

export class KyselyWebhookDeliveryStore implements WebhookDeliveryStore, TakesOver {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: Claimant;
  readonly #receivers: PreparedQuery<StoredReceiver>;
  readonly #claim: PreparedQuery<{ position: number }, ClaimValues>;
  readonly #claimed: PreparedQuery<ClaimedRow, { positions: string }>;
  readonly #nextDue: PreparedQuery<{ due_at: number | null }, { webhook_id: number }>;
  readonly #promote: PreparedQuery<unknown, { webhook_id: number; conversation_uuid: string; now: number }>;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claimant = claimant;
    this.#receivers = new PreparedQuery(database, () =>
      database
        .selectFrom('webhooks')
        .select(['id', 'url', 'sealed_secret', 'paused_until'])
        .where('enabled', '=', sql.lit(1))
        .orderBy('id'),
    );
    this.#claim = new PreparedQuery(database, (value) => claimStatement(engine, value));
    this.#claimed = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .innerJoin('webhook_deliveries', 'webhook_deliveries.message_uuid', 'messages.uuid')
        .leftJoin('bots', 'bots.uuid', 'messages.bot_uuid')
        .select([
          'webhook_deliveries.position as delivery_position',
          'webhook_deliveries.attempts as delivery_attempts',
          'webhook_deliveries.claim as delivery_claim',
          'webhook_deliveries.expires_at',
          'bots.adapter',
        ])
        .where(sql<SqlBool>`webhook_deliveries.position ${isOneOf(engine, positionsIn(engine, value('positions')))}`),
    );
    this.#nextDue = new PreparedQuery(
      database,
      (value) => sql`
      select min(due_at) as due_at from (
        select min(due_at) as due_at from webhook_deliveries
        where ${isDue.first} and webhook_id = ${value('webhook_id')} and claimed_by is null
        union all
        select min(due_at) as due_at from webhook_deliveries
        where ${isDue.again} and webhook_id = ${value('webhook_id')} and claimed_by is null
      ) as next`,
    );
    this.#promote = new PreparedQuery(
      database,
      (value) => sql`
      update webhook_deliveries set due_at = ${value('now')} where position = (
        select position from webhook_deliveries as open
        where open.state = 'pending' and open.webhook_id = ${value('webhook_id')}
          and open.conversation_uuid = ${value('conversation_uuid')}
        order by open.position limit 1
      ) and not exists (
        select 1 from webhook_deliveries as due
        where due.state = 'pending' and due.webhook_id = ${value('webhook_id')}
          and due.conversation_uuid = ${value('conversation_uuid')} and due.due_at is not null
      )`,
    );
  }

  receivers(): Promise<StoredReceiver[]> {
    return this.#receivers.all(this.#database, {});
  }

  async claim(
    webhook_id: number,
    { now, limit, running }: { now: number; limit: number; running: readonly number[] },
  ): Promise<ClaimedDelivery[]> {
    const claimed = await this.#claim.all(this.#database, {
      webhook_id,
      now,
      limit,
      replica: this.#claimant.id,
      running: JSON.stringify(running),
    });
    if (claimed.length === 0) return [];
    const positions = JSON.stringify(claimed.map(({ position }) => position));
    return (await this.#claimed.all(this.#database, { positions })).map((row) => toClaimed(row, webhook_id));
  }

  async nextDue(webhook_id: number): Promise<number | null> {
    return (await this.#nextDue.first(this.#database, { webhook_id }))?.due_at ?? null;
  }

  async record(
    { position, webhook_id, message, attempts, claim }: ClaimedDelivery,
    attempt: Omit<WebhookAttempt, 'number'>,
    { state, due_at, skips, disables, paused_until }: DeliveryProgress,
    now: number,
  ): Promise<boolean> {
    const timestamp = new Date(now).toISOString();
    const number = attempts + 1;
    const { conversation_uuid } = message;
    return this.#inConversation(conversation_uuid, async (transaction) => {
      // Before the delivery, as the removal of a webhook has it.
      if (disables !== null || paused_until !== null) await this.#lockWebhook(transaction, webhook_id);
      const { numUpdatedRows } = await transaction
        .updateTable('webhook_deliveries')
        .set({
          state,
          due_at,
          attempts: number,
          error: attempt.error,
          finished_at: state === 'pending' ? null : timestamp,
          claimed_by: null,
          ...(skips ? { skips: 1 } : {}),
        })
        .where('position', '=', position)
        .where('state', '=', 'pending')
        .where('claimed_by', '=', this.#claimant.id)
        .where('claim', '=', claim)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        if (await exists(transaction, position)) return false;
        // Removed since, with its webhook or its message: what waited for it does so no longer.
        await this.#promote.run(transaction, { webhook_id, conversation_uuid, now });
        return true;
      }
      await transaction
        .insertInto('webhook_attempts')
        .values({ delivery: position, number, ...attempt })
        .execute();
      await transaction
        .deleteFrom('webhook_attempts')
        .where('delivery', '=', position)
        .where('number', '<=', number - maximumAttempts)
        .execute();
      const webhook = transaction.updateTable('webhooks').where('id', '=', webhook_id);
      if (disables !== null) {
        await webhook
          .set({ enabled: 0, disabled_reason: disables, updated_at: timestamp })
          .where('enabled', '=', 1)
          .execute();
      }
      if (paused_until !== null) await webhook.set({ paused_until }).execute();
      if (state !== 'pending') await this.#promote.run(transaction, { webhook_id, conversation_uuid, now });
      return true;
    });
  }

  async firstAnswers(messageUuid: string, now: number): Promise<FirstAnswer[]> {
    const rows = await this.#database
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
      .select(['delivery.webhook_id', 'webhooks.name', 'webhooks.enabled', 'webhooks.paused_until'])
      .select(['delivery.skips', 'delivery.attempts', 'delivery.state'])
      .select(({ selectFrom }) =>
        selectFrom('webhook_deliveries as open')
          .select('open.attempts')
          .where('open.state', '=', sql.lit('pending'))
          .whereRef('open.webhook_id', '=', 'delivery.webhook_id')
          .whereRef('open.conversation_uuid', '=', 'delivery.conversation_uuid')
          .orderBy('open.position')
          .limit(1)
          .as('first_attempts'),
      )
      .where('delivery.message_uuid', '=', messageUuid)
      .orderBy('delivery.webhook_id')
      .execute();
    return rows.map((row) => ({
      webhook_id: row.webhook_id,
      name: row.name,
      skips: row.skips === 1,
      isTried: row.attempts > 0,
      isDelivered: row.state === 'delivered',
      isHeld: row.enabled === 0 || (row.paused_until ?? 0) > now || (row.first_attempts ?? 0) > 0,
    }));
  }

  async retryNow(webhookId: number, now: number): Promise<void> {
    await this.#database
      .updateTable('webhooks')
      .set({ paused_until: null })
      .where('id', '=', webhookId)
      .where('paused_until', 'is not', null)
      .execute();
    await this.#database
      .updateTable('webhook_deliveries')
      .set({ due_at: now })
      .where(sql<SqlBool>`${isDue.again}`)
      .where('webhook_id', '=', webhookId)
      .where('due_at', '>', now)
      .execute();
  }

  async recover(): Promise<void> {
    await this.takeOver(this.#database);
  }

  async takeOver(database: Database): Promise<void> {
    const abandoned = (due: RawBuilder<unknown>) => sql`
      select position from webhook_deliveries
      where ${due} and claimed_by is not null and ${isAbandoned<'webhook_deliveries'>('webhook_deliveries.claimed_by')}`;
    // Only those that are due are claimed, which are few.
    await sql`
      update webhook_deliveries set claimed_by = null where position ${isOneOf(
        this.#engine,
        sql`${abandoned(isDue.first)} union all ${abandoned(isDue.again)}`,
      )}`.execute(database);
  }

  async mend(now: number): Promise<void> {
    const stuck = await this.#database
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'conversation_uuid'])
      .where('state', '=', sql.lit('pending'))
      .groupBy(['webhook_id', 'conversation_uuid'])
      .having(({ fn }) => fn.max('due_at'), 'is', null)
      .execute();
    for (const { webhook_id, conversation_uuid } of stuck) {
      await this.#inConversation(conversation_uuid, (transaction) =>
        this.#promote.run(transaction, { webhook_id, conversation_uuid, now }),
      );
    }
  }

  async page(
    webhookId: number,
    state: WebhookDeliveryState | null,
    limit: number,
    before: number | null,
  ): Promise<DeliveryPage> {
    let query = this.#shown(webhookId)
      .orderBy('delivery.position', 'desc')
      .limit(limit + 1);
    if (state !== null) query = query.where('delivery.state', '=', state);
    if (before !== null) query = query.where('delivery.position', '<', before);
    const rows = await query.execute();
    const shown = rows.slice(0, limit);
    return { deliveries: shown.map(toDelivery), next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null };
  }

  async find(
    webhookId: number,
    uuid: string,
  ): Promise<{ delivery: WebhookDelivery; attempts: WebhookAttempt[] } | null> {
    const [row] = await this.#shown(webhookId).where('delivery.message_uuid', '=', uuid).execute();
    if (row === undefined) return null;
    const attempts = await this.#database
      .selectFrom('webhook_attempts')
      .select(['number', 'started_at', 'milliseconds', 'status', 'error', 'answer'])
      .where('delivery', '=', row.position)
      .orderBy('number')
      .execute();
    return { delivery: toDelivery(row), attempts };
  }

  async redeliver(webhookId: number, uuid: string, times: { now: number; expires_at: number }): Promise<boolean> {
    const { now, expires_at } = times;
    const known = await this.#database
      .selectFrom('webhook_deliveries')
      .select(['position', 'conversation_uuid'])
      .where('message_uuid', '=', uuid)
      .where('webhook_id', '=', webhookId)
      .executeTakeFirst();
    if (known === undefined) return false;
    const { position, conversation_uuid } = known;
    return this.#inConversation(conversation_uuid, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', expires_at, finished_at: null })
        .where('position', '=', position)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await transaction
        .updateTable('webhook_deliveries')
        .set({ due_at: now })
        .where('state', '=', sql.lit('pending'))
        .where('webhook_id', '=', webhookId)
        .where('conversation_uuid', '=', conversation_uuid)
        .where('due_at', '>', now)
        .execute();
      await this.#promote.run(transaction, { webhook_id: webhookId, conversation_uuid, now });
      return true;
    });
  }

  async removeBefore(timestamp: number, limit: number): Promise<number> {
    const old = await this.#database
      .selectFrom('webhook_deliveries')
      .select('position')
      .where('created_at', '<', new Date(timestamp).toISOString())
      .where(({ eb, or }) => or([eb('state', '!=', 'pending'), eb('expires_at', '<', timestamp)]))
      .orderBy('created_at')
      .limit(limit)
      .execute();
    if (old.length === 0) return 0;
    const positions = old.map(({ position }) => position);
    // A delivery being retried is removed all the same.
    await this.#database.deleteFrom('webhook_deliveries').where('position', 'in', positions).execute();
    return positions.length;
  }

  #shown(webhookId: number) {
    return this.#database
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('conversations', 'conversations.uuid', 'delivery.conversation_uuid')
      .select(['delivery.position', 'delivery.message_uuid', 'delivery.webhook_id', 'conversations.session_type'])
      .select(['delivery.state', 'delivery.attempts', 'delivery.due_at', 'delivery.skips', 'delivery.error'])
      .select(['delivery.created_at', 'delivery.finished_at'])
      .where('delivery.webhook_id', '=', webhookId);
  }

  async #lockWebhook(transaction: Transaction<Tables>, id: number): Promise<void> {
    if (this.#engine === 'sqlite') return;
    await transaction.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  }

  /**
   * New messages read the open deliveries of their conversation, so changes to these are serialized with them. SQLite
   * has one writer at a time anyway.
   */
  #inConversation<Result>(uuid: string, work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#database.transaction().execute(async (transaction) => {
      if (this.#engine === 'postgres') {
        await transaction.selectFrom('conversations').select('uuid').where('uuid', '=', uuid).forUpdate().execute();
      }
      return work(transaction);
    });
  }
}

/** Deliveries with a due time, as the indexes have it, word for word. */
const isDue = {
  first: sql`due_at is not null and attempts = 0`,
  again: sql`due_at is not null and attempts > 0`,
};

// As an array, it is selected once. PostgreSQL may select for `in` again and again, and would lock other rows each time.
function isOneOf(engine: Engine, positions: RawBuilder<unknown>): RawBuilder<unknown> {
  return engine === 'sqlite' ? sql`in (${positions})` : sql`= any(array(${positions}))`;
}

/** @param positions JSON */
function positionsIn(engine: Engine, positions: Expression<string>): RawBuilder<unknown> {
  return engine === 'sqlite'
    ? sql`select value from json_each(${positions})`
    : sql`select cast(value as bigint) from jsonb_array_elements_text(cast(${positions} as jsonb)) as listed (value)`;
}

/**
 * Claims due deliveries of a webhook that no other replica has claimed. One that this replica claimed and does not send was lost between
 * the store and the dispatcher.
 */
function claimStatement(engine: Engine, value: ValueOf<ClaimValues>): RawBuilder<{ position: number }> {
  const replica = sql`cast(${value('replica')} as text)`;
  const claimable = (due: RawBuilder<unknown>) => sql`
    select position from webhook_deliveries
    where ${due} and webhook_id = ${value('webhook_id')} and due_at <= ${value('now')} and (
      claimed_by is null
      or claimed_by = ${replica} and not position ${isOneOf(engine, positionsIn(engine, value('running')))}
    )
    order by due_at limit ${value('limit')} ${engine === 'sqlite' ? sql`` : sql`for update skip locked`}`;
  return sql`
    update webhook_deliveries set claimed_by = ${replica}, claim = claim + 1 where position ${isOneOf(
      engine,
      sql`
      select position from (
        select position from (${claimable(isDue.first)}) as first
        union all
        select position from (${claimable(isDue.again)}) as again
      ) as due limit ${value('limit')}`,
    )} returning position`;
}

async function exists(transaction: Transaction<Tables>, position: number): Promise<boolean> {
  const row = await transaction
    .selectFrom('webhook_deliveries')
    .select('position')
    .where('position', '=', position)
    .executeTakeFirst();
  return row !== undefined;
}

function toClaimed(row: ClaimedRow, webhook_id: number): ClaimedDelivery {
  const { delivery_position, delivery_attempts, delivery_claim, expires_at, adapter, ...message } = row;
  return {
    position: delivery_position,
    webhook_id,
    attempts: delivery_attempts,
    claim: delivery_claim,
    expires_at,
    adapter: adapter ?? '',
    sent_at: row.sent_at,
    message: toMessage(message) satisfies Message,
  };
}

function toDelivery(row: ShownRow): WebhookDelivery {
  return {
    uuid: row.message_uuid,
    webhook_id: row.webhook_id,
    event_type: row.session_type === 'group' ? 'bot.group_message' : 'bot.person_message',
    state: row.state as WebhookDeliveryState,
    attempts: row.attempts,
    next_attempt_at: row.due_at === null ? null : new Date(row.due_at).toISOString(),
    skip_pipeline: row.skips === 1,
    error: row.error,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}
