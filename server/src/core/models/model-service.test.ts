import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { fakeLanguageModel } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyModelStore } from '../../storage/models/kysely-model-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { LanguageModelService } from './language-model-service.ts';
import { ProviderService } from './provider-service.ts';

const key = 'sk-0123456789abcdefwxyz';

describe('providers and their models', () => {
  let storage: Storage;
  let providers: ProviderService;
  let models: LanguageModelService;
  let opened: ModelConnection[];
  let created: string[];
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    opened = [];
    created = [];
    const requester = (name: string, category: ModelRequester['category'], address: string): ModelRequester => ({
      name,
      label: { en_US: name },
      description: { en_US: name },
      category,
      support_type: ['llm'],
      default_base_url: address,
      languageModel: async (connection) => {
        opened.push(connection);
        return fakeLanguageModel({ modelId: connection.model_name });
      },
    });
    const store = new KyselyModelStore(storage.database);
    providers = new ProviderService(
      store,
      [requester('remote', 'manufacturer', 'https://models.example.com/v1'), requester('demo', 'builtin', '')],
      new SecretBox(Buffer.alloc(32, 1)),
    );
    models = new LanguageModelService(store, providers, {
      fetch: globalThis.fetch,
      modelCreated: async (uuid) => void created.push(uuid),
    });
  });
  afterEach(() => storage.close());

  const remote = (over: object = {}) => ({
    name: 'Remote',
    requester: 'remote',
    base_url: 'https://a.example/v1',
    ...over,
  });

  it('show keys masked, store them sealed and use the first', async () => {
    const provider_uuid = await providers.create(remote({ api_keys: [' ', key, 'sk-another-0123456789'] }));
    expect(await providers.get(provider_uuid)).toMatchObject({ api_keys: ['sk-…wxyz', 'sk-…6789'], llm_count: 0 });
    expect(JSON.stringify(await storage.database.selectFrom('providers').selectAll().execute())).not.toContain(key);
    const uuid = await models.create({ name: 'large', provider_uuid, extra_args: { temperature: 0 } });
    expect((await models.open(uuid)).model.modelId).toBe('large');
    expect(opened).toEqual([
      {
        model_name: 'large',
        base_url: 'https://a.example/v1',
        api_key: key,
        extra_args: { temperature: 0 },
        fetch: globalThis.fetch,
      },
    ]);
    expect(created).toEqual([uuid]);
    expect((await providers.get(provider_uuid)).llm_count).toBe(1);
  });

  it.each<[string, object, string, string]>([
    ['an unknown requester', { requester: 'nobody' }, 'requester', 'invalid_request'],
    ['an address that is none', { base_url: 'models' }, 'base_url', 'invalid_request'],
    ['an address of another kind', { base_url: 'file:///etc/passwd' }, 'base_url', 'invalid_request'],
    ['an address with a password', { base_url: 'https://a:b@a.example/v1' }, 'base_url', 'invalid_request'],
    ['no address where one is needed', { base_url: ' ' }, 'base_url', 'invalid_request'],
    ['a masked key', { api_keys: [key, 'sk-…wxyz'] }, 'api_keys[1]', 'secret_required'],
  ])('are not made with %s', async (_, over, path, reason) => {
    await expect(providers.create(remote(over))).rejects.toMatchObject({ reason, details: [{ path }] });
    expect(await providers.list()).toEqual([]);
  });

  it('are not found under identifiers of nothing', async () => {
    for (const uuid of [newUuid(), '', 'no uuid']) {
      await expect(providers.get(uuid)).rejects.toMatchObject({ reason: 'not_found' });
      await expect(models.open(uuid)).rejects.toMatchObject({ reason: 'model_not_configured' });
      await expect(models.create({ name: 'a', provider_uuid: uuid })).rejects.toMatchObject({
        reason: 'invalid_request',
        details: [{ path: 'provider_uuid', message: 'provider not found' }],
      });
    }
    expect(created).toEqual([]);
  });

  it('make the provider that a new model describes once', async () => {
    const provider = { requester: 'remote', base_url: 'https://a.example/v1', api_keys: [key] };
    const ofModel = async (uuid: string) => (await models.list()).find((model) => model.uuid === uuid)?.provider;
    const first = await ofModel(await models.create({ name: 'a', provider }));
    expect(first).toMatchObject({ name: 'a.example', api_keys: ['sk-…wxyz'] });
    const same = [
      provider,
      { ...provider, base_url: ' https://a.example/v1 ' },
      { ...provider, api_keys: ['', key] },
      { ...provider, api_keys: ['sk-…wxyz'] },
    ];
    for (const other of same)
      expect((await ofModel(await models.create({ name: 'a', provider: other })))?.uuid).toBe(first?.uuid);
    const different = [
      { ...provider, base_url: 'https://b.example/v1' },
      { ...provider, api_keys: [`${key}2`] },
      { ...provider, api_keys: [] },
    ];
    for (const other of different) {
      expect((await ofModel(await models.create({ name: 'a', provider: other })))?.uuid).not.toBe(first?.uuid);
    }
    expect(await providers.list()).toHaveLength(4);
  });

  it('do not give a stored key to another address', async () => {
    await providers.create(remote({ api_keys: [key] }));
    const provider = { requester: 'remote', base_url: 'https://thief.example/v1', api_keys: ['sk-…wxyz'] };
    await expect(models.create({ name: 'a', provider })).rejects.toMatchObject({ reason: 'secret_required' });
  });

  it.each([{}, { requester: 'remote' }, { base_url: 'https://a.example' }])(
    'need a provider that is named or described whole, not %j',
    async (provider) => {
      await expect(models.create({ name: 'a', provider })).rejects.toMatchObject({
        reason: 'invalid_request',
        details: [{ path: 'provider_uuid' }],
      });
    },
  );

  it('are listed with their provider, or those of one without', async () => {
    const [one, two] = [await providers.create(remote()), await providers.create(remote({ name: 'Two' }))];
    await models.create({ name: 'a', provider_uuid: one });
    await models.create({ name: 'b', provider_uuid: two.toUpperCase() });
    expect((await models.list()).map(({ name, provider }) => `${name} of ${provider?.name}`)).toEqual([
      'a of Remote',
      'b of Two',
    ]);
    expect(await models.list(two.toUpperCase())).toMatchObject([{ name: 'b', provider_uuid: two }]);
    expect((await models.list(two))[0]).not.toHaveProperty('provider');
    expect(await models.list('no uuid')).toEqual([]);
  });

  it('stand in for a real one when they are built in or gone', async () => {
    const demo = await providers.create({ name: 'Demo', requester: 'demo', base_url: '' });
    const placeholder = await models.create({ name: 'demo', provider_uuid: demo });
    const real = await models.create({ name: 'a', provider_uuid: await providers.create(remote()) });
    expect(await models.isPlaceholder(placeholder)).toBe(true);
    expect(await models.isPlaceholder(newUuid())).toBe(true);
    expect(await models.isPlaceholder(real)).toBe(false);
    await models.open(placeholder);
    expect(opened[0]).toMatchObject({ api_key: null, base_url: '' });
  });
});
