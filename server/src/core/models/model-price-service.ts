import { invalidFields, type ModelCall, ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { longestModelName, type ModelPrice, type SetModelPrice } from './model-price.ts';
import type { ModelPriceStore } from './model-price-store.ts';

/** Prices are held in memory, so their number is limited. */
const maximumPrices = 10_000;
const tokensOfPrice = 1_000_000;

/** Prices of models, as set by the operator. */
export class ModelPriceService {
  readonly #store: ModelPriceStore;
  #prices: ReadonlyMap<string, ModelPrice> = new Map();
  #changes: Promise<unknown> = Promise.resolve();

  constructor(store: ModelPriceStore) {
    this.#store = store;
  }

  /** Reads the prices; none is known before. */
  async open(): Promise<void> {
    this.#prices = byName(await this.#store.list());
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
      throw invalidFields([{ path: 'model_name', message }]);
    }
    return this.#change(async () => {
      const prices = byName(await this.#store.list());
      if (!prices.has(model_name) && prices.size >= maximumPrices) {
        throw new ParleyError('limit_reached', `There may be at most ${maximumPrices} prices`);
      }
      const timestamp = now();
      return this.#store.put({ model_name, ...request, created_at: timestamp, updated_at: timestamp });
    });
  }

  /** @throws ParleyError `not_found` */
  async delete(modelName: string): Promise<void> {
    const isKnown = await this.#change(() => this.#store.delete(nameOf(modelName)));
    if (!isKnown) throw notFound();
  }

  /** The cost of a call at present prices, in the operator's currency; null when the price is not known. */
  costOf({ model_name, input_tokens, output_tokens }: CountedCall): number | null {
    const price = this.#prices.get(nameOf(model_name));
    if (price === undefined) return null;
    return (input_tokens * price.input_price + output_tokens * price.output_price) / tokensOfPrice;
  }

  /** Serializes changes, so that the memory matches the store. */
  #change<Result>(change: () => Promise<Result>): Promise<Result> {
    const changed = this.#changes.then(async () => {
      const result = await change();
      await this.open();
      return result;
    });
    this.#changes = changed.catch(() => undefined);
    return changed;
  }
}

type CountedCall = Pick<ModelCall, 'model_name' | 'input_tokens' | 'output_tokens'>;

function nameOf(modelName: string): string {
  return modelName.trim().toLowerCase();
}

function byName(prices: readonly ModelPrice[]): Map<string, ModelPrice> {
  return new Map(prices.map((price) => [price.model_name, price]));
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'The model has no price');
}
