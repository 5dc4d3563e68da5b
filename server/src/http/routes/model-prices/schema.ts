import Type from 'typebox';
import {
  ImportedModelPrices,
  ImportModelPrices,
  longestModelName,
  ModelPrice,
  PriceCurrency,
  SetModelPrice,
} from '../../../core/models/model-price.ts';
import { PriceSuggestions } from '../../../core/models/price-suggestions.ts';

export const ModelPriceParams = Type.Object({
  model_name: Type.String({
    minLength: 1,
    maxLength: longestModelName,
    description: "The model's id at the provider; a slash in it is written `%2F`. Case-insensitive.",
  }),
});
export const ModelPriceList = Type.Object({ model_prices: Type.Array(ModelPrice) });
export const ModelPriceAnswer = Type.Object({ model_price: ModelPrice });
/** Read-only fields of a price. */
export const readOnlyPriceFields = ['model_name', 'created_at', 'updated_at'];
export { ImportedModelPrices, ImportModelPrices, PriceCurrency, PriceSuggestions, SetModelPrice };
