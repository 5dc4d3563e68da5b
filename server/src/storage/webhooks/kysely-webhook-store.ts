import type { Selectable } from 'kysely';
import type { ListedRecords, NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import type { Webhook, WebhookFilter } from '../../core/webhooks/webhook.ts';
import type { SealedSecret, WebhookChanges, WebhookStore } from '../../core/webhooks/webhook-store.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import { columnsOf } from '../table-columns.ts';

type WebhookRow = Selectable<Tables['webhooks']>;

const columns: ListColumns = {
  id: 'webhooks.id',
  name: 'webhooks.name',
  searched: ['webhooks.name', 'webhooks.description', 'webhooks.url'],
  sorted: {
    name: { column: 'webhooks.name', isText: true },
    url: { column: 'webhooks.url', isText: true },
    enabled: { column: 'webhooks.enabled' },
    created_at: { column: 'webhooks.created_at' },
    updated_at: { column: 'webhooks.updated_at' },
  },
};

export class KyselyWebhookStore implements WebhookStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(): Promise<Webhook[]> {
    return (await this.#database.selectFrom('webhooks').select(columnsOf('webhooks')).orderBy('id').execute()).map(
      toWebhook,
    );
  }

  async page(listing: RecordListing & WebhookFilter): Promise<ListedRecords<Webhook>> {
    const query = matching(this.#database, listing).select(columnsOf('webhooks'));
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map(toWebhook), total };
  }

  names(listing: RecordListing & WebhookFilter): Promise<NamedRecord<number>[]> {
    return namedRows(this.#engine, matching(this.#database, listing), columns, listing);
  }

  async byId(id: number): Promise<Webhook | null> {
    const row = await this.#database
      .selectFrom('webhooks')
      .select(columnsOf('webhooks'))
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toWebhook(row);
  }

  create(
    { enabled, secret: _, ...columns }: Omit<Webhook, 'id'>,
    seal: (id: number) => SealedSecret,
  ): Promise<Webhook> {
    return this.#database.transaction().execute(async (transaction) => {
      const { id } = await transaction
        .insertInto('webhooks')
        .values({ ...columns, enabled: Number(enabled) })
        .returning('id')
        .executeTakeFirstOrThrow();
      // A secret is encrypted for its record, whose id is known only now.
      const row = await transaction
        .updateTable('webhooks')
        .set(seal(id))
        .where('id', '=', id)
        .returning(columnsOf('webhooks'))
        .executeTakeFirstOrThrow();
      return toWebhook(row);
    });
  }

  update(id: number, change: (stored: Webhook) => WebhookChanges, updatedAt: string): Promise<Webhook | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const stored = await transaction
        .selectFrom('webhooks')
        .select(columnsOf('webhooks'))
        .where('id', '=', id)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (stored === undefined) return null;
      const { enabled, ...changes } = change(toWebhook(stored));
      const row = await transaction
        .updateTable('webhooks')
        .set({
          ...changes,
          ...(enabled === undefined ? {} : { enabled: Number(enabled) }),
          updated_at: updatedAt,
        })
        .where('id', '=', id)
        .returning(columnsOf('webhooks'))
        .executeTakeFirstOrThrow();
      return toWebhook(row);
    });
  }

  async delete(id: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async sealedSecret(id: number): Promise<string | null> {
    const row = await this.#database
      .selectFrom('webhooks')
      .select('sealed_secret')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.sealed_secret ?? null;
  }

  async replaceSecret(id: number, secret: SealedSecret, updatedAt: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('webhooks')
      .set({ ...secret, updated_at: updatedAt })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async addSecret(id: number, secret: SealedSecret, updatedAt: string): Promise<void> {
    await this.#database
      .updateTable('webhooks')
      .set({ ...secret, updated_at: updatedAt })
      .where('id', '=', id)
      .where('sealed_secret', 'is', null)
      .execute();
  }

  async withoutSecret(): Promise<number[]> {
    const rows = await this.#database.selectFrom('webhooks').select('id').where('sealed_secret', 'is', null).execute();
    return rows.map(({ id }) => id);
  }
}

function toWebhook({ sealed_secret: _, secret_mask, disabled_reason, paused_until: __, ...row }: WebhookRow): Webhook {
  return {
    ...row,
    enabled: row.enabled === 1,
    secret: secret_mask,
    disabled_reason: disabled_reason as Webhook['disabled_reason'],
  };
}

function matching(database: Database, { enabled }: WebhookFilter) {
  return database
    .selectFrom('webhooks')
    .$if(enabled !== undefined, (webhooks) => webhooks.where('webhooks.enabled', '=', enabled ? 1 : 0));
}
