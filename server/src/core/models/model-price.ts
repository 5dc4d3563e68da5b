import Type, { type Static } from 'typebox';

/** Highest price: a typing error must not lead to sums beyond the range of numbers. */
const price = (what: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000_000, description: `Price of 1,000,000 tokens that ${what}.` });

const prices = { input_price: price('a model reads'), output_price: price('a model writes') };

/** The price of a model, in the currency of the operator. */
export const ModelPrice = Type.Object(
  {
    model_name: Type.String({ description: "The model's id at the provider, in lower case." }),
    ...prices,
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'ModelPrice' },
);
export type ModelPrice = Static<typeof ModelPrice>;

export const SetModelPrice = Type.Object(prices, { additionalProperties: false });
export type SetModelPrice = Static<typeof SetModelPrice>;

/** Longest name of a model, characters. */
export const longestModelName = 255;
