import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { fakeEmbeddingModel, fakeLanguageModel } from '@parley/sdk/testing';
import { beforeEach, expect, it } from 'vitest';
import { cacheModels } from './cached-models.ts';

let opened: ModelConnection[];
let failures: number;
let requester: ModelRequester;

beforeEach(() => {
  opened = [];
  failures = 0;
  requester = cacheModels({
    name: 'counting',
    label: { en_US: 'Counting' },
    description: { en_US: 'Counting' },
    category: 'maas',
    support_type: ['llm', 'text-embedding'],
    default_base_url: 'https://a.example',
    languageModel: async (connection) => {
      opened.push(connection);
      if (failures > 0) {
        failures -= 1;
        throw new Error('no luck');
      }
      return fakeLanguageModel({ modelId: connection.model_name });
    },
    embeddingModel: async (connection) => {
      opened.push(connection);
      return fakeEmbeddingModel({ modelId: connection.model_name });
    },
  });
});

const client: typeof fetch = () => Promise.reject(new Error('no call expected'));
const open = (fields: Partial<ModelConnection> = {}) =>
  requester.languageModel?.({
    model_name: 'large',
    base_url: 'https://a.example',
    api_key: 'secret',
    extra_args: { a: { b: 1 } },
    fetch: client,
    ...fields,
  });

it('a model is opened once, also for those that ask at the same time', async () => {
  const [first, ...others] = await Promise.all([open(), open(), open({ extra_args: { a: { b: 1 } } })]);
  expect(others).toEqual([first, first]);
  expect(await open()).toBe(first);
  expect(opened).toHaveLength(1);
});

it.each<[string, Partial<ModelConnection>]>([
  ['name', { model_name: 'larger' }],
  ['address', { base_url: 'https://b.example' }],
  ['key', { api_key: 'other' }],
  ['lack of a key', { api_key: null }],
  ['arguments', { extra_args: { a: { b: 2 } } }],
  ['client', { fetch: async () => new Response() }],
])('a model with another %s is another model', async (_, fields) => {
  const first = await open();
  expect(await open(fields)).not.toBe(first);
  expect(await open()).toBe(first);
  expect(opened).toHaveLength(2);
  expect(opened[1]).toMatchObject(fields);
});

it('models of other kinds are separate, and unsupported kinds are not added', async () => {
  const wanted = { model_name: 'a', base_url: '', api_key: null, extra_args: {}, fetch: client };
  expect(await requester.embeddingModel?.(wanted)).not.toBe(await requester.languageModel?.(wanted));
  expect(opened).toHaveLength(2);
  expect(requester).not.toHaveProperty('rerankingModel');
});

it('a model that could not be opened is opened again', async () => {
  failures = 1;
  await expect(open()).rejects.toThrow('no luck');
  expect((await open())?.modelId).toBe('large');
  expect(opened).toHaveLength(2);
});

it('evicts the least recently used', async () => {
  const cached = await open();
  for (let number = 0; number < 150; number += 1) {
    await open({ model_name: String(number) });
    expect(await open()).toBe(cached);
  }
  expect(opened).toHaveLength(151);
  await open({ model_name: '149' });
  expect(opened).toHaveLength(151);
  await open({ model_name: '0' });
  expect(opened).toHaveLength(152);
});
