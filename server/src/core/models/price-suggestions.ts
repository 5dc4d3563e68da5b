import Type, { type Static } from 'typebox';
import type { ModelStore } from './model-store.ts';

/** The price list that suggestions are from. Its date is that of the version in the lock file. */
export const priceList = { name: '@pydantic/genai-prices', version: '0.1.8', date: '2026-09-23' } as const;

export const PriceSuggestion = Type.Object(
  {
    model_name: Type.String({ description: "The model's id at the provider, in lower case." }),
    input_price: Type.Number({ minimum: 0, description: 'Price of 1,000,000 tokens that a model reads, US dollars.' }),
    output_price: Type.Number({
      minimum: 0,
      description: 'Price of 1,000,000 tokens that a model writes, US dollars.',
    }),
    provider_name: Type.String({ description: 'Name of the provider in the price list.' }),
    is_tiered: Type.Boolean({ description: 'Whether long requests cost more; the price is that of short ones.' }),
  },
  { title: 'PriceSuggestion' },
);
export type PriceSuggestion = Static<typeof PriceSuggestion>;

export const PriceSuggestions = Type.Object({
  suggestions: Type.Array(PriceSuggestion, { description: 'By name of the model.' }),
  source: Type.Object({
    name: Type.String({ description: 'The package that the price list is from.' }),
    version: Type.String(),
    date: Type.String({ format: 'date', description: 'Day of its publication.' }),
  }),
});
export type PriceSuggestions = Static<typeof PriceSuggestions>;

/** Suggests prices of the stored models whose provider is known by its address. Nothing is fetched. */
export class PriceSuggester {
  readonly #store: ModelStore;

  constructor(store: ModelStore) {
    this.#store = store;
  }

  async suggest(): Promise<PriceSuggestions> {
    // Large, and needed only where prices are set.
    const { calcPrice } = await import('@pydantic/genai-prices');
    const providers = new Map((await this.#store.providers()).map((provider) => [provider.uuid, provider]));
    const models = (
      await Promise.all((['llm', 'text-embedding'] as const).map((kind) => this.#store.models(kind)))
    ).flat();
    const found = new Map<string, PriceSuggestion>();
    for (const { name, provider_uuid } of models) {
      const model_name = name.trim().toLowerCase();
      const providerApiUrl = providers.get(provider_uuid)?.base_url ?? '';
      // Without an address, a model is looked for by its name alone, which self-hosted ones share.
      if (providerApiUrl === '' || found.has(model_name)) continue;
      const known = calcPrice({}, model_name, { providerApiUrl });
      if (known === null) continue;
      const { input_mtok: input, output_mtok: output } = known.model_price;
      if (input === undefined) continue;
      found.set(model_name, {
        model_name,
        input_price: baseOf(input),
        output_price: baseOf(output ?? 0),
        provider_name: known.provider.name,
        is_tiered: [input, output].some((price) => typeof price === 'object'),
      });
    }
    const byName = [...found.values()].sort((left, right) => (left.model_name < right.model_name ? -1 : 1));
    return { suggestions: byName, source: { ...priceList } };
  }
}

function baseOf(price: number | { base: number }): number {
  return typeof price === 'number' ? price : price.base;
}
