import type { ModelPrice } from './model-price.ts';

/** Prices by the name of the model in lower case. */
export interface ModelPriceStore {
  /** By name. */
  list(): Promise<ModelPrice[]>;
  /** Stores a price, in place of the one that the model has; then the moment it was made stays. */
  put(price: ModelPrice): Promise<ModelPrice>;
  /** False when the model has no price. */
  delete(modelName: string): Promise<boolean>;
}
