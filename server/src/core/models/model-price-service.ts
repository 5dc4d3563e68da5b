import { invalidFields, type ModelCall, type ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import {
  type ImportedModelPrices,
  type ImportModelPrices,
  longestModelName,
  type ModelPrice,
  type SetModelPrice,
} from './model-price.ts';
import type { ModelPriceStore } from './model-price-store.ts';
import { readPriceFile } from './price-file.ts';

/** All prices are read together, so their number is limited. */
const maximumPrices = 10_000;
const tokensOfPrice = 1_000_000;

/** The cost of a call, in the operator's currency; null when the price is not known. */
export type CostOf = (call: Pick<ModelCall, 'model_name' | 'input_tokens' | 'output_tokens'>) => number | null;

/** Prices of models, as set by the operator. */
export class ModelPriceService {
  readonly #store: ModelPriceStore;
  readonly #turns = new ConcurrencyLimit(1);

  constructor(store: ModelPriceStore) {
    this.#store = store;
  }

  list(): Promise<ModelPrice[]> {
    return this.#store.list();
  }

  /** @throws ParleyError `not_found` */
  async get(modelName: string): Promise<ModelPrice> {
    const wanted = nameOf(modelName);
    const price = (await this.#store.list()).find(({ model_name }) => model_name === wanted);
    if (price === undefined) throw notFound();
    return price;
  }

  /**
   * Sets the price of a model.
   * @param modelName the model's id at the provider; upper and lower case are the same
   * @throws ParleyError `invalid_request`, `limit_reached`
   */
  async set(modelName: string, request: SetModelPrice): Promise<ModelPrice> {
    const model_name = nameOf(modelName);
    if (model_name === '' || model_name.length > longestModelName) {
      const message = `must have 1 to ${longestModelName} characters`;
      const rule = model_name === '' ? 'required' : 'maxLength';
      throw invalidFields([{ path: 'model_name', message, rule, limit: longestModelName }]);
    }
    return this.#turns.run(async () => {
      const prices = byName(await this.#store.list());
      if (!prices.has(model_name) && prices.size >= maximumPrices) {
        throw tooMany();
      }
      const timestamp = now();
      return this.#store.put({ model_name, ...request, created_at: timestamp, updated_at: timestamp });
    });
  }

  /**
   * Sets the prices of a price list, all or none.
   * @throws ParleyError `invalid_request` as {@link readPriceFile}, `limit_reached`
   */
  async import({ file, dry_run = false }: ImportModelPrices): Promise<ImportedModelPrices> {
    const { prices, skipped } = readPriceFile(file);
    return this.#turns.run(async () => {
      const known = byName(await this.#store.list());
      const others = [...prices].filter(([name, price]) => !isSame(known.get(name), price));
      const added = others.filter(([name]) => !known.has(name)).length;
      if (known.size + added > maximumPrices) throw tooMany();
      const timestamp = now();
      const stored = others.map(([model_name, price]) => ({
        ...price,
        model_name,
        created_at: timestamp,
        updated_at: timestamp,
      }));
      if (!dry_run && stored.length > 0) await this.#store.putAll(stored);
      return { added, changed: others.length - added, unchanged: prices.size - others.length, skipped };
    });
  }

  /** @throws ParleyError `not_found` */
  async delete(modelName: string): Promise<void> {
    const isKnown = await this.#store.delete(nameOf(modelName));
    if (!isKnown) throw notFound();
  }

  /** The cost of calls at present prices. */
  async costOf(): Promise<CostOf> {
    const prices = byName(await this.#store.list());
    return ({ model_name, input_tokens, output_tokens }) => {
      const price = prices.get(nameOf(model_name));
      if (price === undefined) return null;
      return (input_tokens * price.input_price + output_tokens * price.output_price) / tokensOfPrice;
    };
  }
}

function nameOf(modelName: string): string {
  return modelName.trim().toLowerCase();
}

function tooMany(): ParleyError {
  return problemError('too_many_prices', { maximum: String(maximumPrices) });
}

function isSame(known: SetModelPrice | undefined, { input_price, output_price }: SetModelPrice): boolean {
  return known?.input_price === input_price && known.output_price === output_price;
}

function byName(prices: readonly ModelPrice[]): Map<string, ModelPrice> {
  return new Map(prices.map((price) => [price.model_name, price]));
}

function notFound(): ParleyError {
  return problemError('price_not_found');
}
