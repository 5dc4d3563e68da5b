import { sql, type Transaction } from 'kysely';
import { deliveryLifetime } from '../../core/webhooks/delivery-timing.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery } from '../prepared-query.ts';

interface WebhookMessage {
  uuid: string;
  conversation_uuid: string;
  created_at: string;
}

/** Records which webhooks receive a message, in the transaction that stores it. */
export class WebhookOutbox {
  readonly #waitMs: number;
  readonly #mayTell: () => boolean;
  readonly #insert: PreparedQuery<unknown, WebhookMessage & { due_at: number; expires_at: number }>;
  readonly #wait: PreparedQuery<unknown, { uuid: string; until: string }>;

  /**
   * @param options.webhookWaitMilliseconds how long a message waits for their answers; 0 for not at all
   * @param options.mayTellWebhooks false when there is certainly none, which saves looking for one
   */
  constructor(database: Database, engine: Engine, options: { webhookWaitMs: number; mayTellWebhooks?: () => boolean }) {
    this.#waitMs = options.webhookWaitMs;
    this.#mayTell = options.mayTellWebhooks ?? (() => true);
    // Waits for a concurrent deletion of a webhook, and then skips it.
    const lock = engine === 'postgres' ? sql`for key share of webhooks` : sql``;
    this.#insert = new PreparedQuery(
      database,
      (value) => sql`
      insert into webhook_deliveries
        (webhook_id, message_uuid, conversation_uuid, state, attempts, due_at, expires_at, skips, created_at)
      select id, cast(${value('uuid')} as text), cast(${value('conversation_uuid')} as text), 'pending', 0,
        case when exists (
          select 1 from webhook_deliveries as earlier
          where earlier.state = 'pending' and earlier.webhook_id = webhooks.id
            and earlier.conversation_uuid = ${value('conversation_uuid')}
        ) then null else cast(${value('due_at')} as bigint) end,
        cast(${value('expires_at')} as bigint), 0, cast(${value('created_at')} as text)
      from webhooks where enabled = 1 order by id ${lock}`,
    );
    this.#wait = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({ webhook_wait_until: value('until'), reason: 'awaiting_webhook' })
        .where('uuid', '=', value('uuid')),
    );
  }

  /** False when there is certainly no webhook. */
  get mayTell(): boolean {
    return this.#mayTell();
  }

  /**
   * A row for each webhook that is switched on. The conversation must be locked, so that they are in its order.
   * @returns null when there is none; else until when the message waits for them, ISO 8601 UTC, null for not at all
   */
  async tell(
    transaction: Transaction<Tables>,
    message: WebhookMessage,
  ): Promise<{ webhook_wait_until: string | null } | null> {
    if (!this.mayTell) return null;
    const now = Date.parse(message.created_at);
    const told = await this.#insert.run(transaction, { ...message, due_at: now, expires_at: now + deliveryLifetime });
    if (told === 0) return null;
    if (this.#waitMs === 0) return { webhook_wait_until: null };
    const until = new Date(now + this.#waitMs).toISOString();
    await this.#wait.run(transaction, { uuid: message.uuid, until });
    return { webhook_wait_until: until };
  }
}
