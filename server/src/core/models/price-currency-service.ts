import { invalidFields } from '@parley/sdk';
import type { MetadataStore } from '../system/metadata-store.ts';
import type { PriceCurrency } from './model-price.ts';

const key = 'price_currency';
const known = new Set(Intl.supportedValuesOf('currency'));

/** The currency that prices and costs are counted in. A change converts nothing that is recorded. */
export class PriceCurrencyService {
  readonly #metadata: MetadataStore;

  constructor(metadata: MetadataStore) {
    this.#metadata = metadata;
  }

  async get(): Promise<PriceCurrency> {
    const stored = await this.#metadata.get(key);
    return stored === null ? { currency: null, usd_rate: null } : (JSON.parse(stored) as PriceCurrency);
  }

  /** @throws ParleyError `invalid_request` for a currency that does not exist */
  async set({ currency, usd_rate }: PriceCurrency): Promise<PriceCurrency> {
    if (currency !== null && !known.has(currency)) {
      throw invalidFields([{ path: 'currency', message: 'must be a currency code of ISO 4217', rule: 'currency' }]);
    }
    const changed = { currency, usd_rate: currency === 'USD' ? 1 : usd_rate };
    await this.#metadata.set(key, JSON.stringify(changed));
    return changed;
  }
}
