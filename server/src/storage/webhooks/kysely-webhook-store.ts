import type { Selectable } from 'kysely';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import type { WebhookChanges, WebhookStore } from '../../core/webhooks/webhook-store.ts';
import type { Database, Tables } from '../database.ts';

type WebhookRow = Selectable<Tables['webhooks']>;

export class KyselyWebhookStore implements WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<Webhook[]> {
    return (await this.#database.selectFrom('webhooks').selectAll().orderBy('id').execute()).map(toWebhook);
  }

  async byId(id: number): Promise<Webhook | null> {
    const row = await this.#database.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toWebhook(row);
  }

  async create({ enabled, ...columns }: Omit<Webhook, 'id'>): Promise<Webhook> {
    const row = await this.#database
      .insertInto('webhooks')
      .values({ ...columns, enabled: Number(enabled) })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toWebhook(row);
  }

  async update(id: number, { enabled, ...changes }: WebhookChanges, updatedAt: string): Promise<Webhook | null> {
    const row = await this.#database
      .updateTable('webhooks')
      .set({
        ...changes,
        ...(enabled === undefined ? {} : { enabled: Number(enabled) }),
        updated_at: updatedAt,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : toWebhook(row);
  }

  async delete(id: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
    return numDeletedRows === 1n;
  }
}

function toWebhook(row: WebhookRow): Webhook {
  return { ...row, enabled: row.enabled === 1 };
}
