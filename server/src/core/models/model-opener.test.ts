import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { newUuid } from '../../lib/uuid.ts';

let services: ModelServices;
beforeEach(async () => {
  services = await openModelServices();
});
afterEach(() => services.close());

const keys = ['sk-0123456789abcdefwxyz', 'sk-another-0123456789'];
const remote = { requester: 'remote', base_url: 'https://a.example/v1', api_keys: keys };

describe('a language model that is opened', () => {
  it('is given its address, the first key and its arguments', async () => {
    const uuid = await services.models.llm.create({ name: 'large', provider: remote, extra_args: { temperature: 0 } });
    expect(await services.opener.open(uuid.toUpperCase())).toMatchObject({
      uuid,
      name: 'large',
      abilities: [],
      model: { modelId: 'large' },
      keys: 2,
    });
    expect(services.opened).toEqual([
      {
        model_name: 'large',
        base_url: 'https://a.example/v1',
        api_key: keys[0],
        extra_args: { temperature: 0 },
        fetch: globalThis.fetch,
      },
    ]);
  });

  it('is given the next key each time, and none that was refused', async () => {
    const [one, two] = keys;
    const uuid = await services.models.llm.create({ name: 'large', provider: remote, abilities: ['vision'] });
    for (let times = 0; times < 3; times += 1) await services.opener.open(uuid);
    expect(services.opened.map(({ api_key }) => api_key)).toEqual([one, two, one]);
    const refused = await services.opener.open(uuid);
    refused.report({ reason: 'provider_unauthorized' });
    expect(refused.abilities).toEqual(['vision']);
    for (let times = 0; times < 2; times += 1) await services.opener.open(uuid);
    expect(services.opened.slice(3).map(({ api_key }) => api_key)).toEqual([two, one, one]);

    // After the keys were changed, there is no wait.
    const [provider] = await services.providers.list();
    await services.providers.update(provider?.uuid ?? '', { api_keys: ['mended', two as string] });
    for (let times = 0; times < 2; times += 1) await services.opener.open(uuid);
    expect(services.opened.slice(6).map(({ api_key }) => api_key)).toEqual(['mended', two]);
  });

  it('shares the keys with the other models of its provider', async () => {
    const uuids = [];
    for (const name of ['a', 'b']) uuids.push(await services.models.llm.create({ name, provider: remote }));
    (await services.opener.open(uuids[0] as string)).report({ reason: 'quota' });
    for (let times = 0; times < 2; times += 1) await services.opener.open(uuids[1] as string);
    expect(services.opened.map(({ api_key }) => api_key)).toEqual([keys[0], keys[1], keys[1]]);
  });

  it('uses the latest record', async () => {
    const uuid = await services.models.llm.create({ name: 'large', provider: remote });
    const [provider] = await services.providers.list();
    await services.providers.update(provider?.uuid ?? '', { api_keys: ['brand-new'] });
    await services.models.llm.update(uuid, { name: 'larger' });
    expect((await services.opener.open(uuid)).model.modelId).toBe('larger');
    expect(services.opened[0]?.api_key).toBe('brand-new');
  });

  it('must be there, with a requester that opens it', async () => {
    const ranker = await services.models.rerank.create({ name: 'ranker', provider: remote });
    for (const uuid of [newUuid(), '', 'no uuid', ranker]) {
      await expect(services.opener.open(uuid)).rejects.toMatchObject({ reason: 'model_not_configured' });
    }
    const uuid = await services.models.llm.create({ name: 'large', provider: remote });
    const { opener } = services.withRequesters([]);
    await expect(opener.open(uuid)).rejects.toMatchObject({ reason: 'model_not_configured' });
    expect(services.opened).toEqual([]);
  });

  it('is a placeholder when it is built in or deleted', async () => {
    const demo = await services.providers.create({ name: 'Demo', requester: 'demo', base_url: '' });
    const placeholder = await services.models.llm.create({ name: 'demo', provider_uuid: demo });
    const real = await services.models.llm.create({ name: 'a', provider: remote });
    expect(await services.opener.isPlaceholder(placeholder)).toBe(true);
    expect(await services.opener.isPlaceholder(newUuid())).toBe(true);
    expect(await services.opener.isPlaceholder(real)).toBe(false);
    const opened = await services.opener.open(placeholder);
    expect(opened.keys).toBe(1);
    opened.report({ reason: 'provider_unauthorized' });
    expect(services.opened[0]).toMatchObject({ api_key: null, base_url: '' });
  });
});

describe('an embedding or rerank model that is opened', () => {
  it('shares the keys of its provider, and is identified by everything its answers depend on', async () => {
    const embedder = await services.models['text-embedding'].create({ name: 'e', provider: remote });
    const ranker = await services.models.rerank.create({ name: 'r', provider: remote });
    const first = await services.opener.openEmbedding(embedder.toUpperCase());
    const other = await services.opener.openReranker(ranker);
    expect([first.model.modelId, other.model.modelId]).toEqual(['e', 'r']);
    expect(services.opened.map(({ api_key }) => api_key)).toEqual(keys);
    expect(first).toMatchObject({ uuid: embedder, name: 'e', keys: 2 });
    expect(first.identity).not.toMatch(new RegExp(keys.join('|')));
    first.report({ reason: 'quota' });
    expect((await services.opener.openEmbedding(embedder)).identity).toBe(first.identity);
    expect(services.opened.at(-1)?.api_key).toBe(keys[1]);
    await services.models['text-embedding'].update(embedder, { extra_args: { dimensions: 8 } });
    expect((await services.opener.openEmbedding(embedder)).identity).not.toBe(first.identity);
  });

  it('must be there, of its kind', async () => {
    const ranker = await services.models.rerank.create({ name: 'r', provider: remote });
    for (const uuid of [newUuid(), '', ranker]) {
      await expect(services.opener.openEmbedding(uuid)).rejects.toMatchObject({ reason: 'model_not_configured' });
    }
    const { opener } = services.withRequesters([]);
    await expect(opener.openReranker(ranker)).rejects.toMatchObject({ reason: 'model_not_configured' });
  });
});
