import { invalidFields } from '@parley/sdk';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
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
    return parsed(await this.#metadata.get(key));
  }

  async tagged(): Promise<Tagged<PriceCurrency>> {
    const record = await this.get();
    return { record, tag: () => recordTag(record, []) };
  }

  /** @throws ParleyError `invalid_request` for a currency that does not exist; `record_changed` */
  async set({ currency, usd_rate }: PriceCurrency, expected: ExpectedTags = null): Promise<PriceCurrency> {
    if (currency !== null && !known.has(currency)) {
      throw invalidFields([{ path: 'currency', message: 'must be a currency code of ISO 4217', rule: 'currency' }]);
    }
    const changed = { currency, usd_rate: currency === 'USD' ? 1 : usd_rate };
    // Another request may have changed it meanwhile: then what it wrote is read again.
    for (;;) {
      const stored = await this.#metadata.get(key);
      requireTag(expected, () => recordTag(parsed(stored), []));
      if (await this.#metadata.replace(key, stored, JSON.stringify(changed))) return changed;
    }
  }
}

function parsed(stored: string | null): PriceCurrency {
  return stored === null ? { currency: null, usd_rate: null } : (JSON.parse(stored) as PriceCurrency);
}
