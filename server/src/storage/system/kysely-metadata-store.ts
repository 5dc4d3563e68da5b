import type { MetadataStore } from '../../core/system/metadata-store.ts';
import type { Database } from '../database.ts';

export class KyselyMetadataStore implements MetadataStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(key: string): Promise<string | null> {
    const row = await this.#database.selectFrom('metadata').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value ?? null;
  }

  async set(key: string, value: string): Promise<void> {
    await this.#database
      .insertInto('metadata')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }

  async replace(key: string, before: string | null, value: string): Promise<boolean> {
    if (before === null) {
      const { numInsertedOrUpdatedRows } = await this.#database
        .insertInto('metadata')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    }
    const { numUpdatedRows } = await this.#database
      .updateTable('metadata')
      .set({ value })
      .where('key', '=', key)
      .where('value', '=', before)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async delete(key: string): Promise<void> {
    await this.#database.deleteFrom('metadata').where('key', '=', key).execute();
  }
}
