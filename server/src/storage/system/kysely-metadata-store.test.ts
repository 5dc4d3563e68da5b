import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { KyselyMetadataStore } from './kysely-metadata-store.ts';

describeOnEachEngine('the store of facts', (storage) => {
  it('keeps the last value of each name', async () => {
    const store = new KyselyMetadataStore(storage().database);
    expect(await store.get('name')).toBeNull();
    await store.set('name', 'first');
    await store.set('name', 'second');
    await store.set('other', '');
    expect(await store.get('name')).toBe('second');
    expect(await store.get('other')).toBe('');
  });

  it('forgets one name and no other', async () => {
    const store = new KyselyMetadataStore(storage().database);
    await store.set('name', 'value');
    await store.set('other', 'value');
    await store.delete('name');
    await store.delete('name');
    expect(await store.get('name')).toBeNull();
    expect(await store.get('other')).toBe('value');
  });

  it('replaces the value that was read, and no other', async () => {
    const store = new KyselyMetadataStore(storage().database);
    expect(await store.replace('name', 'first', 'second')).toBe(false);
    expect(await store.replace('name', null, 'first')).toBe(true);
    expect(await store.replace('name', null, 'second')).toBe(false);
    expect(await store.get('name')).toBe('first');
    const values = Array.from({ length: 10 }, (_, index) => `value ${index}`);
    const replaced = await Promise.all(values.map((value) => store.replace('name', 'first', value)));
    expect(values.filter((_, index) => replaced[index])).toEqual([await store.get('name')]);
  });

  it('sets one name many times at once', async () => {
    const store = new KyselyMetadataStore(storage().database);
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.set('name', String(index))));
    expect(await store.get('name')).toMatch(/^\d+$/);
  });
});
