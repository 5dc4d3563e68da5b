import Type, { type Static } from 'typebox';
import { Count, nullable } from '../../lib/schema-parts.ts';

/** A typing error must not lead to sums beyond the range of numbers. */
export const highestPrice = 1_000_000_000;

const price = (what: string) =>
  Type.Number({ minimum: 0, maximum: highestPrice, description: `Price of 1,000,000 tokens that ${what}.` });

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

export const ImportModelPrices = Type.Object(
  {
    file: Type.String({
      minLength: 1,
      maxLength: 8_000_000,
      description:
        'The price list: JSON of this API, JSON of models with `input_cost_per_token` and `output_cost_per_token`, or CSV with the columns model_name, input_price and output_price.',
    }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only tells what would change.' })),
  },
  { additionalProperties: false },
);
export type ImportModelPrices = Static<typeof ImportModelPrices>;

export const ImportedModelPrices = Type.Object({
  added: Count,
  changed: Count,
  unchanged: Count,
  skipped: Type.Integer({ minimum: 0, description: 'Entries without a price per token.' }),
});
export type ImportedModelPrices = Static<typeof ImportedModelPrices>;

/** The currency of all prices and costs. */
export const PriceCurrency = Type.Object(
  {
    currency: nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
      'Null while none is set: amounts are shown without one.',
    ),
    usd_rate: nullable(
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }),
      'How much of the currency a US dollar is, for suggested prices; null if it is not set.',
    ),
  },
  { title: 'PriceCurrency', additionalProperties: false },
);
export type PriceCurrency = Static<typeof PriceCurrency>;
