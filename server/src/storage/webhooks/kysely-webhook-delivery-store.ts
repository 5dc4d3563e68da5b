import { type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Message } from '../../core/messages/message.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from '../../core/webhooks/webhook-delivery.ts';
import type {
  DeliveryPage,
  DeliveryProgress,
  DueDelivery,
  FirstAnswer,
  StoredReceiver,
  WebhookDeliveryStore,
} from '../../core/webhooks/webhook-delivery-store.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { type JoinedRow, selectMessages, toMessage } from '../messages/message-rows.ts';
import { PreparedQuery, type ValueOf } from '../prepared-query.ts';

/** Stored attempts per delivery, which may be retried manually any number of times. */
const maximumAttempts = 100;

type DueRow = JoinedRow & {
  delivery_position: number;
  delivery_attempts: number;
  expires_at: number;
  adapter: string | null;
};

interface DueValues {
  webhook_id: number;
  now: number;
  limit: number;
}

type ShownRow = Omit<Selectable<Tables['webhook_deliveries']>, 'conversation_uuid' | 'expires_at'> & {
  session_type: string;
};

export class KyselyWebhookDeliveryStore implements WebhookDeliveryStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #receivers: PreparedQuery<StoredReceiver>;
  readonly #dueFirst: PreparedQuery<DueRow, DueValues>;
  readonly #dueAgain: PreparedQuery<DueRow, DueValues>;
  readonly #nextDue: PreparedQuery<{ due_at: number | null }, { webhook_id: number; after: number }>;
  readonly #promote: PreparedQuery<unknown, { webhook_id: number; conversation_uuid: string; now: number }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    this.#receivers = new PreparedQuery(database, () =>
      database
        .selectFrom('webhooks')
        .select(['id', 'url', 'sealed_secret'])
        .where('enabled', '=', sql.lit(1))
        .orderBy('id'),
    );
    // As the indexes have it, word for word.
    const due = (attempts: '= 0' | '> 0', value: ValueOf<DueValues>) =>
      selectMessages(database)
        .innerJoin('webhook_deliveries', 'webhook_deliveries.message_uuid', 'messages.uuid')
        .leftJoin('bots', 'bots.uuid', 'messages.bot_uuid')
        .select([
          'webhook_deliveries.position as delivery_position',
          'webhook_deliveries.attempts as delivery_attempts',
          'webhook_deliveries.expires_at',
          'bots.adapter',
        ])
        .where(sql<SqlBool>`webhook_deliveries.due_at is not null and webhook_deliveries.attempts ${sql.raw(attempts)}`)
        .where('webhook_deliveries.webhook_id', '=', value('webhook_id'))
        .where('webhook_deliveries.due_at', '<=', value('now'))
        .orderBy('webhook_deliveries.due_at')
        .limit(value('limit'));
    this.#dueFirst = new PreparedQuery(database, (value) => due('= 0', value));
    this.#dueAgain = new PreparedQuery(database, (value) => due('> 0', value));
    this.#nextDue = new PreparedQuery(
      database,
      (value) => sql`
      select min(due_at) as due_at from (
        select min(due_at) as due_at from webhook_deliveries
        where due_at is not null and attempts = 0 and webhook_id = ${value('webhook_id')} and due_at > ${value('after')}
        union all
        select min(due_at) as due_at from webhook_deliveries
        where due_at is not null and attempts > 0 and webhook_id = ${value('webhook_id')} and due_at > ${value('after')}
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

  async due(webhook_id: number, now: number, limit: number): Promise<DueDelivery[]> {
    const first = await this.#dueFirst.all(this.#database, { webhook_id, now, limit });
    const left = limit - first.length;
    const again = left === 0 ? [] : await this.#dueAgain.all(this.#database, { webhook_id, now, limit: left });
    return [...first, ...again].map((row) => toDue(row, webhook_id));
  }

  async nextDue(webhook_id: number, after: number): Promise<number | null> {
    return (await this.#nextDue.first(this.#database, { webhook_id, after }))?.due_at ?? null;
  }

  async record(
    { position, webhook_id, message, attempts }: DueDelivery,
    attempt: Omit<WebhookAttempt, 'number'>,
    { state, due_at, skips, disables }: DeliveryProgress,
    now: number,
  ): Promise<void> {
    const timestamp = new Date(now).toISOString();
    const number = attempts + 1;
    await this.#inConversation(message.conversation_uuid, async (transaction) => {
      if (disables !== null) {
        await transaction
          .updateTable('webhooks')
          .set({ enabled: 0, disabled_reason: disables, updated_at: timestamp })
          .where('id', '=', webhook_id)
          .where('enabled', '=', 1)
          .execute();
      }
      const { numUpdatedRows } = await transaction
        .updateTable('webhook_deliveries')
        .set({
          state,
          due_at,
          attempts: number,
          error: attempt.error,
          finished_at: state === 'pending' ? null : timestamp,
          ...(skips ? { skips: 1 } : {}),
        })
        .where('position', '=', position)
        .where('state', '=', 'pending')
        .executeTakeFirst();
      // Removed since, with its webhook or its message.
      if (numUpdatedRows > 0n) {
        await transaction
          .insertInto('webhook_attempts')
          .values({ delivery: position, number, ...attempt })
          .execute();
        await transaction
          .deleteFrom('webhook_attempts')
          .where('delivery', '=', position)
          .where('number', '<=', number - maximumAttempts)
          .execute();
      }
      const { conversation_uuid } = message;
      if (state !== 'pending') await this.#promote.run(transaction, { webhook_id, conversation_uuid, now });
    });
  }

  async firstAnswers(messageUuid: string): Promise<FirstAnswer[]> {
    const rows = await this.#database
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
      .select(['delivery.webhook_id', 'webhooks.name', 'webhooks.enabled'])
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
      isHeld: row.enabled === 0 || (row.first_attempts ?? 0) > 0,
    }));
  }

  async retryNow(webhookId: number, now: number): Promise<void> {
    await this.#database
      .updateTable('webhook_deliveries')
      .set({ due_at: now })
      .where(sql<SqlBool>`due_at is not null and attempts > 0`)
      .where('webhook_id', '=', webhookId)
      .where('due_at', '>', now)
      .execute();
  }

  async mend(now: number): Promise<void> {
    await sql`
      update webhook_deliveries set due_at = ${now} where position in (
        select min(position) from webhook_deliveries where state = 'pending'
        group by webhook_id, conversation_uuid having max(due_at) is null
      )`.execute(this.#database);
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

function toDue(row: DueRow, webhook_id: number): DueDelivery {
  const { delivery_position, delivery_attempts, expires_at, adapter, ...message } = row;
  return {
    position: delivery_position,
    webhook_id,
    attempts: delivery_attempts,
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
