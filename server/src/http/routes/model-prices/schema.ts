import Type from 'typebox';
import { longestModelName, ModelPrice, SetModelPrice } from '../../../core/models/model-price.ts';

export const ModelPriceParams = Type.Object({
  model_name: Type.String({
    minLength: 1,
    maxLength: longestModelName,
    description: "The model's id at the provider; a slash in it is written `%2F`. Upper and lower case are the same.",
  }),
});
export const ModelPriceList = Type.Object({ model_prices: Type.Array(ModelPrice) });
export const ModelPriceAnswer = Type.Object({ model_price: ModelPrice });
/** Fields of a price that a read returns and nobody can write. */
export const readOnlyPriceFields = ['model_name', 'created_at', 'updated_at'];
export { SetModelPrice };
