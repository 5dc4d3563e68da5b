import type { ModelPrice } from '../../core/models/model-price.ts';
import type { ModelPriceStore } from '../../core/models/model-price-store.ts';
import type { Database } from '../database.ts';

export class KyselyModelPriceStore implements ModelPriceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Promise<ModelPrice[]> {
    return this.#database.selectFrom('model_prices').selectAll().orderBy('model_name').execute();
  }

  put(price: ModelPrice): Promise<ModelPrice> {
    const { input_price, output_price, updated_at } = price;
    return this.#database
      .insertInto('model_prices')
      .values(price)
      .onConflict((conflict) => conflict.column('model_name').doUpdateSet({ input_price, output_price, updated_at }))
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async delete(modelName: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('model_prices')
      .where('model_name', '=', modelName)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
}
