import type { ModelPrice } from './model-price.ts';

/** Prices by the name of the model in lower case. */
export interface ModelPriceStore {
  /** By name. */
  list(): Promise<ModelPrice[]>;
  /** Stores a price, replacing that of the model; `created_at` of the first one stays. */
  put(price: ModelPrice): Promise<ModelPrice>;
  /** Stores many at once, all or none, as {@link put} does. */
  putAll(prices: readonly ModelPrice[]): Promise<void>;
  /** False when the model has no price. */
  delete(modelName: string): Promise<boolean>;
}
