import { invalidFields } from '@parley/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyMetadataStore } from '../../storage/system/kysely-metadata-store.ts';
import { SensitiveWordService } from './sensitive-word-service.ts';
import type { SensitiveWords } from './sensitive-words.ts';

let storage: Storage;
let metadata: KyselyMetadataStore;
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  metadata = new KyselyMetadataStore(storage.database);
});
afterEach(() => storage.close());

const refuseBad = async ({ words }: SensitiveWords) => {
  const index = words.indexOf('(');
  if (index >= 0) throw invalidFields([{ path: `words[${index}]`, message: 'is no word' }]);
};
const open = () => new SensitiveWordService(metadata, refuseBad);

it('is empty at first', async () => {
  expect(await open().current()).toEqual({ words: [], mask: '*', mask_word: '' });
});

it('stores changed fields, and retains the others', async () => {
  const service = open();
  await service.update({ words: ['a', 'é\0\ud83d\ude00'], mask: '#' });
  await service.update({ mask_word: '(hidden)' });
  const list = { words: ['a', 'é\0😀'], mask: '#', mask_word: '(hidden)' };
  expect(await service.current()).toEqual(list);
  expect(await open().current()).toEqual(list);
});

it('is the same object until it is changed', async () => {
  const service = open();
  const first = await service.current();
  expect(await service.current()).toBe(first);
  await service.update({ words: ['a'] });
  const second = await service.current();
  expect(second).not.toBe(first);
  expect(await service.current()).toBe(second);
});

it('knows what another process changed', async () => {
  const [one, other] = [open(), open()];
  await one.update({ words: ['a'] });
  expect((await other.current()).words).toEqual(['a']);
  await other.update({ words: ['b'] });
  expect((await one.current()).words).toEqual(['b']);
});

it('stays as it was when a word cannot be looked for', async () => {
  const service = open();
  await service.update({ words: ['a'] });
  await expect(service.update({ words: ['b', '('] })).rejects.toMatchObject({ details: [{ path: 'words[1]' }] });
  expect((await service.current()).words).toEqual(['a']);
  await service.update({ mask: '#' });
  expect((await service.current()).mask).toBe('#');
});

it('merges concurrent changes of different fields', async () => {
  const service = open();
  await Promise.all([
    service.update({ words: ['a'] }),
    service.update({ mask: '#' }),
    service.update({ mask_word: 'x' }),
  ]);
  expect(await service.current()).toEqual({ words: ['a'], mask: '#', mask_word: 'x' });
});

it('merges concurrent changes of two processes', async () => {
  const [one, other] = [open(), open()];
  await Promise.all([one.update({ words: ['a'] }), other.update({ mask: '#' })]);
  expect(await open().current()).toEqual({ words: ['a'], mask: '#', mask_word: '' });
  await Promise.all([one.update({ mask_word: 'x' }), other.update({ words: ['b'] })]);
  expect(await open().current()).toEqual({ words: ['b'], mask: '#', mask_word: 'x' });
});

it('is changed by one of two processes that have read the same state', async () => {
  const services = [open(), open()];
  for (const word of ['a', 'b', 'c']) {
    const { tag } = await open().tagged();
    const expected = [tag()];
    const changes = services.map((service, index) => service.update({ words: [word, String(index)] }, expected));
    const results = await Promise.allSettled(changes);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason.reason)).toEqual(['record_changed']);
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    expect((await open().current()).words).toEqual([word, String(winner)]);
  }
});
