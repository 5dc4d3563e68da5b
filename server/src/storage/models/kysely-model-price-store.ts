import type { ModelPrice } from '../../core/models/model-price.ts';
import type { ModelPriceStore } from '../../core/models/model-price-store.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

/** Databases limit the parameters of a statement. */
const rowsPerStatement = 1000;

export class KyselyModelPriceStore implements ModelPriceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Promise<ModelPrice[]> {
    return this.#database.selectFrom('model_prices').select(columnsOf('model_prices')).orderBy('model_name').execute();
  }

  put(price: ModelPrice): Promise<ModelPrice> {
    return this.#insert(this.#database, [price]).returning(columnsOf('model_prices')).executeTakeFirstOrThrow();
  }

  async putAll(prices: readonly ModelPrice[]): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      for (let start = 0; start < prices.length; start += rowsPerStatement) {
        await this.#insert(transaction, prices.slice(start, start + rowsPerStatement)).execute();
      }
    });
  }

  #insert(database: Database, prices: readonly ModelPrice[]) {
    return database
      .insertInto('model_prices')
      .values([...prices])
      .onConflict((conflict) =>
        conflict.column('model_name').doUpdateSet(({ ref }) => ({
          input_price: ref('excluded.input_price'),
          output_price: ref('excluded.output_price'),
          updated_at: ref('excluded.updated_at'),
        })),
      );
  }

  async delete(modelName: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('model_prices')
      .where('model_name', '=', modelName)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
}
