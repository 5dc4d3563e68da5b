import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/provider/models/llm';
const key = 'sk-0123456789abcdefwxyz';
const inline = { requester: 'openai-chat-completions', base_url: 'http://127.0.0.1:11434/v1', api_keys: [key] };

afterAll(() => service.stop());

const create = (json: object) => service.request({ method: 'POST', url: list, bearer, json });
const models = async (query = '') => (await service.request({ url: `${list}${query}`, bearer })).body.data.models;
const providers = async () =>
  (await service.request({ url: '/api/v1/provider/providers', bearer })).body.data.providers;
const primaryModel = async () =>
  (await service.request({ url: '/api/v1/pipelines', bearer })).body.data.pipelines[0].config.ai['local-agent'].model;

describe('POST /api/v1/provider/models/llm', () => {
  it('takes an inline provider, makes it once, and gives the default pipeline its model', async () => {
    const [demo] = await models();
    expect(await primaryModel()).toEqual({ primary: demo.uuid, fallbacks: [] });
    const before = (await providers()).length;
    const made = await create({ name: 'llama3', provider: inline, abilities: ['func_call'], extra_args: { top_p: 1 } });
    expect(made.body).toEqual({ code: 0, msg: 'ok', data: { uuid: expect.any(String) } });
    await create({ name: 'qwen3', provider: inline });
    expect(await providers()).toHaveLength(before + 1);
    expect(await primaryModel()).toEqual({ primary: made.body.data.uuid, fallbacks: [] });
    const stored = (await models()).find((model: { name: string }) => model.name === 'llama3');
    expect(stored).toMatchObject({ abilities: ['func_call'], extra_args: { top_p: 1 }, prefered_ranking: 0 });
    expect(stored.provider).toMatchObject({ name: '127.0.0.1:11434', api_keys: ['sk-…wxyz'], llm_count: 2 });
  });

  it('takes a provider by its uuid, in either place', async () => {
    const [provider] = await providers();
    for (const place of [{ provider_uuid: provider.uuid }, { provider: { uuid: provider.uuid } }]) {
      const made = await create({ name: 'by uuid', ...place });
      expect(made.status).toBe(200);
      const filtered = await models(`?provider_uuid=${provider.uuid}`);
      const stored = filtered.find((model: { uuid: string }) => model.uuid === made.body.data.uuid);
      expect(stored.provider_uuid).toBe(provider.uuid);
      expect(stored).not.toHaveProperty('provider');
    }
  });

  it.each([
    ['name', {}],
    ['name', { name: '', provider: inline }],
    ['provider_uuid', { name: 'm' }],
    ['provider_uuid', { name: 'm', provider: {} }],
    ['provider_uuid', { name: 'm', provider_uuid: 'nothing' }],
    ['provider_uuid', { name: 'm', provider_uuid: '00000000-0000-4000-8000-000000000000' }],
    ['provider', { name: 'm', provider: [] }],
    ['provider.key', { name: 'm', provider: { ...inline, key: 'value' } }],
    ['requester', { name: 'm', provider: { ...inline, requester: 'nobody-knows' } }],
    ['base_url', { name: 'm', provider: { ...inline, base_url: 'ftp://127.0.0.1' } }],
    ['abilities[0]', { name: 'm', provider: inline, abilities: ['flying'] }],
    ['extra_args', { name: 'm', provider: inline, extra_args: 'none' }],
    ['prefered_ranking', { name: 'm', provider: inline, prefered_ranking: 2 ** 31 }],
    ['prefered_ranking', { name: 'm', provider: inline, prefered_ranking: 0.5 }],
  ])('answers 400 that names %s, and keeps nothing', async (path, json) => {
    const before = [await models(), await providers()];
    const answer = await create(json);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect([await models(), await providers()]).toEqual(before);
  });

  it('understands a masked key as the stored one of the same requester and address, and of no other', async () => {
    const masked = { ...inline, api_keys: ['sk-…wxyz'] };
    const before = await providers();
    const made = await create({ name: 'masked', provider: masked });
    const stored = (await models()).find((model: { uuid: string }) => model.uuid === made.body.data.uuid);
    expect(stored.provider).toMatchObject({ base_url: inline.base_url, api_keys: ['sk-…wxyz'] });
    for (const changes of [{ base_url: 'http://127.0.0.1:11435/v1' }, { api_keys: ['sk-…0000'] }]) {
      const answer = await create({ name: 'masked', provider: { ...masked, ...changes } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: -1, reason: 'secret_required' });
    }
    expect(await providers()).toHaveLength(before.length);
  });
});

describe('GET /api/v1/provider/models/llm', () => {
  it('lists none for a provider that is not there', async () => {
    expect(await models('?provider_uuid=nothing')).toEqual([]);
    expect(await models('?provider_uuid=00000000-0000-4000-8000-000000000000')).toEqual([]);
  });
});
