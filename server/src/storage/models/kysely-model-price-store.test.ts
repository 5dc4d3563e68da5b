import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { ModelPrice } from '../../core/models/model-price.ts';
import { KyselyModelPriceStore } from './kysely-model-price-store.ts';

const price = (model_name: string, over: Partial<ModelPrice> = {}): ModelPrice => ({
  model_name,
  input_price: 0.1,
  output_price: 1e-7,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...over,
});
const later = '2030-01-01T00:00:00.000Z';

describeOnEachEngine('the store of prices', (storage) => {
  const store = () => new KyselyModelPriceStore(storage().database);

  it('returns prices as they were stored, by name', async () => {
    for (const name of ['b', 'org/模型', 'a']) expect(await store().put(price(name))).toEqual(price(name));
    const names = (await store().list()).map(({ model_name }) => model_name);
    expect(names.toSorted()).toEqual(['a', 'b', 'org/模型']);
    expect(names.slice(0, 2)).toEqual(['a', 'b']);
    expect((await store().list())[0]).toEqual(price('a'));
  });

  it('has one price for a name, the last', async () => {
    await store().put(price('a'));
    const changed = price('a', { input_price: 0, output_price: 1_000_000_000, updated_at: later });
    expect(await store().put({ ...changed, created_at: later })).toEqual(changed);
    expect(await store().list()).toEqual([changed]);
  });

  it('forgets a price', async () => {
    await store().put(price('a'));
    await store().put(price('b'));
    expect(await store().delete('a')).toBe(true);
    expect(await store().delete('a')).toBe(false);
    expect(await store().list()).toEqual([price('b')]);
  });
});
