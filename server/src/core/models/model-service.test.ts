import type { ModelKind } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { NamedProvider } from './provider.ts';

const key = 'sk-0123456789abcdefwxyz';
const kinds: ModelKind[] = ['llm', 'text-embedding', 'rerank'];

let services: ModelServices;
beforeEach(async () => {
  services = await openModelServices();
});
afterEach(() => services.close());

const remote = (over: object = {}) => ({
  name: 'Remote',
  requester: 'remote',
  base_url: 'https://a.example/v1',
  ...over,
});
const inline = { requester: 'remote', base_url: 'https://a.example/v1', api_keys: [key] };

describe.each(kinds)('models of the kind %s', (kind) => {
  const models = () => services.models[kind];
  const counted = { llm: 'llm_count', 'text-embedding': 'embedding_count', rerank: 'rerank_count' }[kind];

  it('are made, counted, read with their provider, changed and deleted', async () => {
    const provider_uuid = await services.providers.create(remote());
    const uuid = await models().create({ name: 'large', provider_uuid, extra_args: { top: { k: 1 } } });
    const provider = await services.providers.get(provider_uuid);
    expect(provider).toMatchObject({ llm_count: 0, embedding_count: 0, rerank_count: 0, [counted]: 1 });
    expect(await models().get(uuid.toUpperCase())).toEqual({
      uuid,
      name: 'large',
      provider_uuid,
      ...(kind === 'llm' ? { abilities: [] } : {}),
      extra_args: { top: { k: 1 } },
      prefered_ranking: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      provider,
    });
    await models().update(uuid, { name: 'larger', extra_args: { temperature: 0 } });
    expect(await models().get(uuid)).toMatchObject({
      uuid,
      name: 'larger',
      provider_uuid,
      extra_args: { temperature: 0 },
    });
    expect((await models().get(uuid)).extra_args).toEqual({ temperature: 0 });
    await models().delete(uuid);
    await expect(models().get(uuid)).rejects.toMatchObject({ reason: 'not_found' });
    expect(await services.providers.get(provider_uuid)).toMatchObject({ [counted]: 0 });
  });

  it('are not found under unknown identifiers, nor among another kind', async () => {
    const other = services.models[kind === 'llm' ? 'rerank' : 'llm'];
    const stranger = await other.create({ name: 'stranger', provider: inline });
    for (const uuid of [newUuid(), '', 'no uuid', '_', stranger]) {
      const unknown = { reason: 'not_found', message: 'model not found' };
      await expect(models().get(uuid)).rejects.toMatchObject(unknown);
      await expect(models().update(uuid, { name: 'a' })).rejects.toMatchObject(unknown);
      await expect(models().delete(uuid)).rejects.toMatchObject(unknown);
    }
    expect(await other.get(stranger)).toMatchObject({ name: 'stranger' });
    expect(await models().list()).toEqual([]);
  });

  it('belong to a provider that knows their kind', async () => {
    const chat = await services.providers.create(remote({ requester: 'chat' }));
    const described = { requester: 'chat', base_url: 'https://chat.example/v1' };
    const places: [NamedProvider, string][] = [
      [{ provider_uuid: chat }, 'provider_uuid'],
      [{ provider: { uuid: chat } }, 'provider.uuid'],
      [{ provider: described }, 'provider.requester'],
    ];
    const mine = await models().create({ name: 'a', provider: inline });
    for (const [place, path] of places) {
      const made = models().create({ name: 'b', ...place });
      const moved = models().update(mine, place);
      if (kind === 'llm') {
        await made;
        await moved;
      } else {
        for (const refused of [made, moved]) {
          await expect(refused).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path }] });
        }
      }
    }
    expect((await models().list()).length).toBe(kind === 'llm' ? 4 : 1);
    expect(await services.providers.list()).toHaveLength(kind === 'llm' ? 3 : 2);
  });
});

describe('models', () => {
  const models = () => services.models.llm;
  const providerOf = async (uuid: string) => (await models().get(uuid)).provider;

  it('need a provider that is there', async () => {
    for (const uuid of [newUuid(), 'no uuid']) {
      const error = (path: string) => ({
        reason: 'invalid_request',
        details: [{ path, message: 'provider not found' }],
      });
      const create = (place: NamedProvider) => models().create({ name: 'a', ...place });
      await expect(create({ provider_uuid: uuid })).rejects.toMatchObject(error('provider_uuid'));
      await expect(create({ provider: { uuid } })).rejects.toMatchObject(error('provider.uuid'));
    }
    expect(services.created).toEqual([]);
  });

  it('take an empty uuid for none, as clients send it', async () => {
    const uuid = await models().create({ name: 'a', provider_uuid: '', provider: { ...inline, uuid: '' } });
    const { provider_uuid } = await models().get(uuid);
    await models().update(uuid, { name: 'b', provider_uuid: '' });
    expect(await models().get(uuid)).toMatchObject({ name: 'b', provider_uuid });
    for (const place of [{ provider_uuid: '' }, { provider: { uuid: '' } }]) {
      await expect(models().create({ name: 'a', ...place })).rejects.toMatchObject({
        reason: 'invalid_request',
        details: [{ path: 'provider_uuid' }],
      });
    }
  });

  it('make the provider that a new model describes once', async () => {
    const first = await providerOf(await models().create({ name: 'a', provider: inline }));
    expect(first).toMatchObject({ name: 'a.example', api_keys: ['sk-…wxyz'] });
    const same = [
      inline,
      { ...inline, base_url: ' https://a.example/v1 ' },
      { ...inline, api_keys: ['', ` ${key}`] },
      { ...inline, api_keys: ['sk-…wxyz'] },
    ];
    for (const provider of same) {
      expect((await providerOf(await models().create({ name: 'a', provider })))?.uuid).toBe(first?.uuid);
    }
    const different = [
      { ...inline, base_url: 'https://b.example/v1' },
      { ...inline, api_keys: [`${key}2`] },
      { ...inline, api_keys: [] },
      { ...inline, api_keys: ['sk-…wxyz', 'another'], name: 'Two keys' },
    ];
    for (const provider of different) {
      expect((await providerOf(await models().create({ name: 'a', provider })))?.uuid).not.toBe(first?.uuid);
    }
    const all = await services.providers.list();
    expect(all).toHaveLength(5);
    const last = await services.store.storedProvider(all.find(({ name }) => name === 'Two keys')?.uuid ?? '');
    expect(last && services.providers.keys(last)).toEqual([key, 'another']);
  });

  it('that come together make the provider they describe once', async () => {
    await Promise.all(
      kinds.flatMap((kind) => [1, 2, 3].map((n) => services.models[kind].create({ name: `${n}`, provider: inline }))),
    );
    expect(await services.providers.list()).toMatchObject([{ llm_count: 3, embedding_count: 3, rerank_count: 3 }]);
  });

  it('do not give a stored key to another address or requester', async () => {
    await services.providers.create(remote({ api_keys: [key] }));
    const mine = await models().create({ name: 'a', provider: { requester: 'chat', base_url: 'https://c.example' } });
    for (const over of [
      { base_url: 'https://thief.example/v1' },
      { base_url: 'https://a.example' },
      { requester: 'chat' },
    ]) {
      const provider = { ...inline, api_keys: ['sk-…wxyz'], ...over };
      const error = { reason: 'secret_required', details: [{ path: 'provider.api_keys[0]' }] };
      await expect(models().create({ name: 'a', provider })).rejects.toMatchObject(error);
      await expect(models().update(mine, { provider })).rejects.toMatchObject(error);
    }
    expect(await services.providers.list()).toHaveLength(2);
  });

  it.each<[object, string]>([
    [{}, 'provider_uuid'],
    [{ requester: 'remote' }, 'provider_uuid'],
    [{ base_url: 'https://a.example' }, 'provider_uuid'],
    [{ requester: 'unknown', base_url: 'https://a.example' }, 'provider.requester'],
    [{ requester: 'remote', base_url: 'nowhere' }, 'provider.base_url'],
    [{ ...inline, api_keys: ['ключ'] }, 'provider.api_keys[0]'],
  ])('need a provider that is named or fully described, not %j', async (provider, path) => {
    await expect(models().create({ name: 'a', provider })).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path }],
    });
    expect(await services.providers.list()).toEqual([]);
  });

  it('that are changed go back as they were read, or to another provider', async () => {
    const two = await services.providers.create(remote({ name: 'Two' }));
    const uuid = await models().create({ name: 'a', provider: inline, abilities: ['vision'], prefered_ranking: 3 });
    const { uuid: _, created_at, updated_at, provider, ...writable } = await models().get(uuid);
    await models().update(uuid, { ...writable, abilities: ['vision'], provider: { uuid: provider?.uuid ?? '' } });
    expect(await models().get(uuid)).toMatchObject({ ...writable, created_at, provider });
    expect((await models().get(uuid)).updated_at >= updated_at).toBe(true);
    // The provider's uuid goes before the provider that was read along with the model.
    await models().update(uuid, { provider_uuid: two.toUpperCase(), provider: { uuid: provider?.uuid ?? '' } });
    expect(await models().get(uuid)).toMatchObject({ provider_uuid: two, abilities: ['vision'], prefered_ranking: 3 });
    await models().update(uuid, { provider: { ...inline, api_keys: ['sk-…wxyz'] } });
    expect(await models().get(uuid)).toMatchObject({ provider_uuid: provider?.uuid });
    await models().update(uuid, { provider: { ...inline, api_keys: ['brand-new'] } });
    expect(await services.providers.list()).toHaveLength(3);
    await expect(models().update(uuid, { provider_uuid: newUuid() })).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'provider_uuid' }],
    });
  });

  it('are listed with their provider, or those of one without', async () => {
    const one = await services.providers.create(remote());
    const two = await services.providers.create(remote({ name: 'Two' }));
    await models().create({ name: 'a', provider_uuid: one });
    await models().create({ name: 'b', provider_uuid: two.toUpperCase() });
    expect((await models().list()).map(({ name, provider }) => `${name} of ${provider?.name}`)).toEqual([
      'a of Remote',
      'b of Two',
    ]);
    expect(await models().list(two.toUpperCase())).toMatchObject([{ name: 'b', provider_uuid: two }]);
    expect((await models().list(two))[0]).not.toHaveProperty('provider');
    expect(await models().list('no uuid')).toEqual([]);
  });

  it('are offered to pipelines when they are language models', async () => {
    const uuid = await models().create({ name: 'a', provider: inline });
    await services.models['text-embedding'].create({ name: 'b', provider: inline });
    expect(services.created).toEqual([uuid]);
  });
});
