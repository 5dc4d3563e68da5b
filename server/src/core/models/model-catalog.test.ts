import { type ModelRequester, ParleyError, type ProviderConnection } from '@parley/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { newUuid } from '../../lib/uuid.ts';
import { ModelCatalog } from './model-catalog.ts';

let offer: NonNullable<ModelRequester['listModels']>;
let connections: ProviderConnection[];
let services: ModelServices;
let catalog: ModelCatalog;

beforeEach(async () => {
  connections = [];
  services = await openModelServices([
    {
      name: 'offering',
      label: { en_US: 'offering' },
      description: { en_US: 'offering' },
      category: 'maas',
      support_type: ['llm'],
      default_base_url: 'https://a.example',
      listModels: (connection, signal) => {
        connections.push(connection);
        return offer(connection, signal);
      },
    },
    {
      name: 'elsewhere',
      label: { en_US: 'elsewhere' },
      description: { en_US: 'elsewhere' },
      category: 'builtin',
      support_type: ['text-embedding'],
      default_base_url: '',
      unavailable: { en_US: 'It is part of another product.' },
    },
  ]);
  catalog = new ModelCatalog(services.store, services.providers, services.opener, 300);
});
afterEach(() => services.close());

const provider = (requester: string, base_url = 'https://a.example') =>
  services.providers.create({ name: 'A', requester, base_url, api_keys: ['first-key', 'second-key'] });
const list = (uuid: string, signal = new AbortController().signal) => catalog.list(uuid, signal);

it('a provider is called with its address and key', async () => {
  offer = async () => [
    { id: 'large', kinds: ['llm'], label: 'Large' },
    { id: 'any', kinds: ['llm', 'speech' as 'llm'] },
    { id: 'plain' },
  ];
  const uuid = await provider('offering');
  expect(await list(uuid.toUpperCase())).toEqual({
    supported: true,
    models: [{ id: 'large', kinds: ['llm'], label: 'Large' }, { id: 'any', kinds: ['llm'] }, { id: 'plain' }],
  });
  expect(connections).toEqual([{ base_url: 'https://a.example', api_key: 'first-key', fetch: globalThis.fetch }]);
});

it('invalid entries are omitted', async () => {
  offer = async () => [
    { id: '' },
    { id: 'x'.repeat(256) },
    ...Array.from({ length: 10_050 }, (_, number) => ({ id: `model-${number}` })),
  ];
  const { models } = await list(await provider('offering'));
  expect(models).toHaveLength(10_000);
  expect(models[0]).toEqual({ id: 'model-0' });
});

it('a requester without a list says so', async () => {
  expect(await list(await provider('remote'))).toEqual({ supported: false, models: [] });
});

it('there must be such a provider, and its requester', async () => {
  for (const uuid of [newUuid(), '', 'no uuid']) {
    await expect(list(uuid)).rejects.toMatchObject({ reason: 'not_found', message: 'provider not found' });
  }
  const uuid = await provider('offering');
  const { providers, opener } = services.withRequesters([]);
  const without = new ModelCatalog(services.store, providers, opener);
  await expect(without.list(uuid, new AbortController().signal)).rejects.toMatchObject({ reason: 'conflict' });
});

it('faults have the reasons that they have in a test', async () => {
  const uuid = await provider('offering');
  const refused = Object.assign(new Error('Wrong key'), { statusCode: 401 });
  for (const [error, reason] of [
    [refused, 'provider_unauthorized'],
    [Object.assign(new Error('x'), { cause: { code: 'ECONNREFUSED' } }), 'provider_unreachable'],
    [new ParleyError('address_not_allowed', 'no'), 'address_not_allowed'],
  ] as const) {
    offer = () => Promise.reject(error);
    await expect(list(uuid)).rejects.toMatchObject({ reason });
  }
});

it('the call ends when the provider does not respond or the caller disconnects', async () => {
  offer = () => new Promise<never>(() => {});
  const uuid = await provider('offering');
  await expect(list(uuid)).rejects.toMatchObject({ reason: 'provider_timeout' });
  const gone = new ParleyError('client_closed_request', 'gone');
  await expect(list(uuid, AbortSignal.abort(gone))).rejects.toBe(gone);
});

it('there can be no provider of a requester that is not available', async () => {
  const refusal = {
    reason: 'invalid_request',
    details: [{ path: 'requester', message: '"elsewhere" is not available: It is part of another product.' }],
  };
  await expect(provider('elsewhere', '')).rejects.toMatchObject(refusal);
  const uuid = await provider('offering');
  await expect(services.providers.update(uuid, { requester: 'elsewhere', base_url: '' })).rejects.toMatchObject(
    refusal,
  );
  const described = { provider: { requester: 'elsewhere', base_url: '' } };
  await expect(services.providers.choice(described, 'text-embedding')).rejects.toThrow(/is not available: It is part/);
});
