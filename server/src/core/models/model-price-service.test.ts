import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { KyselyModelPriceStore } from '../../storage/models/kysely-model-price-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { ModelPriceService } from './model-price-service.ts';

let storage: Storage;
let prices: ModelPriceService;
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  prices = new ModelPriceService(new KyselyModelPriceStore(storage.database));
});
afterEach(() => storage.close());

const call = (model_name: string) => ({ model_name, input_tokens: 2_000_000, output_tokens: 500_000 });

describe('what models cost', () => {
  it('is not known until it is said', async () => {
    expect((await prices.costOf())(call('gpt'))).toBeNull();
    expect(await prices.list()).toEqual([]);
    await prices.set('gpt', { input_price: 0.5, output_price: 3 });
    expect((await prices.costOf())(call('gpt'))).toBe(2.5);
    expect((await prices.costOf())(call('gpt-mini'))).toBeNull();
    await prices.set('gpt', { input_price: 0, output_price: 0 });
    expect((await prices.costOf())(call('gpt'))).toBe(0);
    await prices.delete('gpt');
    expect((await prices.costOf())(call('gpt'))).toBeNull();
  });

  it('is counted by tokens', async () => {
    await prices.set('gpt', { input_price: 0.15, output_price: 0.6 });
    expect((await prices.costOf())({ model_name: 'gpt', input_tokens: 0, output_tokens: 0 })).toBe(0);
    expect((await prices.costOf())({ model_name: 'gpt', input_tokens: 1000, output_tokens: 10 })).toBeCloseTo(
      0.000156,
      12,
    );
    await prices.set('gpt', { input_price: 1_000_000_000, output_price: 1_000_000_000 });
    const most = { model_name: 'gpt', input_tokens: Number.MAX_SAFE_INTEGER, output_tokens: Number.MAX_SAFE_INTEGER };
    expect(Number.isFinite((await prices.costOf())(most))).toBe(true);
  });

  it('does not depend on how the name is written', async () => {
    const set = await prices.set(' DeepSeek-AI/DeepSeek-V3 ', { input_price: 1, output_price: 1 });
    expect(set.model_name).toBe('deepseek-ai/deepseek-v3');
    expect((await prices.costOf())(call('deepseek-ai/DEEPSEEK-V3'))).toBe(2.5);
    expect(await prices.get('DEEPSEEK-ai/deepseek-v3')).toEqual(set);
    await prices.set('deepseek-ai/deepseek-v3', { input_price: 2, output_price: 2 });
    expect(await prices.list()).toHaveLength(1);
    await prices.delete('Deepseek-AI/deepseek-v3');
  });

  it('is known after a restart', async () => {
    await prices.set('gpt', { input_price: 1, output_price: 1 });
    const again = new ModelPriceService(new KyselyModelPriceStore(storage.database));
    expect((await again.costOf())(call('gpt'))).toBe(2.5);
  });

  it('is the latest one after concurrent changes', async () => {
    const all = Array.from({ length: 20 }, (_, index) => prices.set('gpt', { input_price: index, output_price: 0 }));
    await Promise.all(all);
    expect((await prices.get('gpt')).input_price).toBe(19);
    expect((await prices.costOf())(call('gpt'))).toBe(38);
  });

  it('is not found when none was set', async () => {
    await expect(prices.get('gpt')).rejects.toMatchObject({ reason: 'not_found' });
    await expect(prices.delete('gpt')).rejects.toMatchObject({ reason: 'not_found' });
    // A failure does not block later changes.
    await prices.set('gpt', { input_price: 1, output_price: 1 });
  });

  it.each(['', '  ', 'x'.repeat(256)])('has a name that is not %j', async (name) => {
    const price = { input_price: 1, output_price: 1 };
    await expect(prices.set(name, price)).rejects.toMatchObject({ reason: 'invalid_request' });
  });

  it('is limited in number', async () => {
    const timestamp = '2026-01-01T00:00:00.000Z';
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      model_name: `model-${index}`,
      input_price: 1,
      output_price: 1,
      created_at: timestamp,
      updated_at: timestamp,
    }));
    for (let start = 0; start < rows.length; start += 1000) {
      await storage.database
        .insertInto('model_prices')
        .values(rows.slice(start, start + 1000))
        .execute();
    }
    const price = { input_price: 1, output_price: 1 };
    await expect(prices.set('one-more', price)).rejects.toMatchObject({ reason: 'limit_reached' });
    await prices.set('model-7', price);
    await prices.delete('model-8');
    await prices.set('one-more', price);
  });

  it('are imported from a price list, all or none', async () => {
    const many = Array.from({ length: 9_999 }, (_, index) => `model-${index},1,2`);
    const file = ['model_name,input_price,output_price', ...many].join('\n');
    expect(await prices.import({ file })).toEqual({ added: 9_999, changed: 0, unchanged: 0, skipped: 0 });
    expect((await prices.costOf())(call('model-9998'))).toBe(3);
    const more = `${file}\nmodel-7,5,5\none,1,1\ntwo,1,1`;
    await expect(prices.import({ file: more })).rejects.toMatchObject({ reason: 'limit_reached' });
    expect((await prices.get('model-7')).input_price).toBe(1);
  });
});
