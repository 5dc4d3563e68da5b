import { expect, it } from 'vitest';
import type { MetadataStore } from '../system/metadata-store.ts';
import { installationId } from './installation-id.ts';

it('is the same for two that start for the first time at once', async () => {
  const values = new Map<string, string>();
  const metadata: MetadataStore = {
    get: async (key) => values.get(key) ?? null,
    set: async (key, value) => void values.set(key, value),
    replace: async (key, before, value) => {
      if ((values.get(key) ?? null) !== before) return false;
      values.set(key, value);
      return true;
    },
    delete: async (key) => void values.delete(key),
  };
  const [first, second] = await Promise.all([installationId(metadata), installationId(metadata)]);
  expect(first).toHaveLength(11);
  expect([second, await installationId(metadata)]).toEqual([first, first]);
});
