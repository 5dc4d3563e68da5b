import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../factories/start-test-service.ts';
import { startFakeOpenAi } from '../fakes/openai-server.ts';
import { ReferenceClient, unknownUuid } from './reference-client.ts';

const model = await startFakeOpenAi();
const service = await startTestService();
const client = new ReferenceClient(service);
const key = 'sk-0123456789abcdefwxyz';
const masked = 'sk-…wxyz';
const form = { name: 'Fake', requester: 'openai-chat-completions', base_url: model.base_url, api_keys: [key] };
const requesters = '/api/v1/provider/requesters';
const providers = '/api/v1/provider/providers';

afterAll(async () => {
  await service.stop();
  await model.close();
});

const lastKey = () => model.requests.at(-1)?.headers.authorization;

describe('the requesters that the provider form offers', () => {
  it('GET /api/v1/provider/requesters: each with what its form needs, by what it supports', async () => {
    const { requesters: all } = await client.get(requesters);
    const openAi = all.find(({ name }: { name: string }) => name === 'openai-chat-completions');
    expect(openAi).toMatchObject({ label: { en_US: expect.any(String) }, description: { en_US: expect.any(String) } });
    expect(openAi.spec).toMatchObject({
      support_type: expect.arrayContaining(['llm']),
      provider_category: 'manufacturer',
    });
    const address = openAi.spec.config.find(({ name }: { name: string }) => name === 'base_url');
    expect(address.default).toMatch(/^https:/);
    const embedding = (await client.get(`${requesters}?type=text-embedding`)).requesters;
    expect(embedding.length).toBeLessThan(all.length);
    expect(await client.get(`${requesters}?type=`)).toEqual({ requesters: all });
    expect(await client.get(`${requesters}?type=nothing`)).toEqual({ requesters: [] });
  });

  it('GET /api/v1/provider/requesters/{requester_name}: one of them', async () => {
    const { requester } = await client.get(`${requesters}/lmstudio-chat-completions`);
    expect(requester).toMatchObject({ spec: { provider_category: 'self-hosted' } });
    expect(await client.refused('GET', `${requesters}/nothing`)).toMatchObject({
      status: 404,
      code: -1,
      msg: 'requester not found',
    });
  });

  it('GET /api/v1/provider/requesters/{requester_name}/icon: a picture for an <img>, without a credential', async () => {
    const answer = await fetch(`${service.address}${requesters}/openai-chat-completions/icon`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^image\//);
    expect((await fetch(`${service.address}${requesters}/nothing/icon`)).status).toBe(404);
  });
});

describe('the provider form', () => {
  it('POST /api/v1/provider/providers: makes one, and leaves nothing of one that it refuses', async () => {
    expect(await client.post(providers, form)).toEqual({ uuid: expect.any(String) });
    const before = await client.get(providers);
    for (const [wrong, field] of [
      [{ ...form, requester: 'nothing' }, 'requester'],
      [{ ...form, name: undefined }, 'name'],
      [{ ...form, unknown: 1 }, 'unknown'],
    ] as const) {
      const refusal = await client.refused('POST', providers, wrong);
      expect(refusal).toMatchObject({ status: 400, code: -1, msg: expect.stringContaining(field) });
    }
    expect(await client.get(providers)).toEqual(before);
  });

  it('GET /api/v1/provider/providers: with counts, and keys that show only a mask', async () => {
    const { providers: all } = await client.get(providers);
    expect(all.find(({ name }: { name: string }) => name === 'Fake')).toEqual({
      ...form,
      uuid: expect.any(String),
      api_keys: [masked],
      llm_count: 0,
      embedding_count: 0,
      rerank_count: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  const uuidOfFake = async () =>
    (await client.get(providers)).providers.find(({ name }: { name: string }) => name === 'Fake').uuid;

  it('GET /api/v1/provider/providers/{provider_uuid}: one of them', async () => {
    const uuid = await uuidOfFake();
    const { provider } = await client.get(`${providers}/${uuid}`);
    expect(provider).toMatchObject({ uuid, llm_count: 0, embedding_count: 0 });
    expect(await client.refused('GET', `${providers}/${unknownUuid}`)).toMatchObject({
      status: 404,
      msg: 'provider not found',
    });
  });

  it('PUT /api/v1/provider/providers/{provider_uuid}: the form sends back the masked key, which keeps the real one', async () => {
    const uuid = await uuidOfFake();
    const { provider } = await client.get(`${providers}/${uuid}`);
    const { name, requester, base_url, api_keys } = provider;
    expect(await client.put(`${providers}/${uuid}`, { name, requester, base_url, api_keys: [api_keys[0]] })).toEqual(
      {},
    );
    expect(await client.put(`${providers}/${uuid}`, provider)).toEqual({});
    const test = { name: 'm', provider_uuid: uuid };
    await client.post('/api/v1/provider/models/llm/_/test', test);
    expect(lastKey()).toBe(`Bearer ${key}`);
    expect(await client.refused('PUT', `${providers}/${uuid}`, { base_url: 'http://127.0.0.1:1/v1' })).toMatchObject({
      status: 400,
      reason: 'secret_required',
    });
    expect((await client.refused('PUT', `${providers}/${unknownUuid}`, { name })).status).toBe(404);
  });

  it('DELETE /api/v1/provider/providers/{provider_uuid}: only while no model refers to it', async () => {
    const { uuid } = await client.post(providers, { ...form, name: 'In use' });
    const made = await client.post('/api/v1/provider/models/embedding', { name: 'm', provider_uuid: uuid });
    const refusal = await client.refused('DELETE', `${providers}/${uuid}`);
    expect(refusal).toMatchObject({ status: 409, code: -1, reason: 'in_use' });
    await client.delete(`/api/v1/provider/models/embedding/${made.uuid}`);
    expect(await client.delete(`${providers}/${uuid}`)).toEqual({});
    expect((await client.refused('DELETE', `${providers}/${uuid}`)).status).toBe(404);
  });
});

/** The two kinds differ in nothing that this flow does, but a test name must stand in the file as it is. */
function modelFlow(kind: 'llm' | 'embedding', abilities: object) {
  const models = `/api/v1/provider/models/${kind}`;
  const inline = { requester: form.requester, base_url: form.base_url, api_keys: [masked] };
  const named = async (name: string) =>
    (await client.get(models)).models.find((found: { name: string }) => found.name === name);

  return {
    async creates() {
      const made = await client.post(models, { name: `new ${kind}`, provider: inline, ...abilities, extra_args: {} });
      expect(made).toEqual({ uuid: expect.any(String) });
      const before = await client.get(models);
      const refusal = await client.refused('POST', models, { name: 'ghost', provider_uuid: unknownUuid });
      expect(refusal).toMatchObject({ status: 400, code: -1 });
      expect(await client.get(models)).toEqual(before);
    },
    async lists() {
      const listed = await named(`new ${kind}`);
      expect(listed).toMatchObject({ ...abilities, extra_args: {}, prefered_ranking: 0 });
      expect(listed.provider).toMatchObject({ name: 'Fake', api_keys: [masked] });
      const { models: filtered } = await client.get(`${models}?provider_uuid=${listed.provider_uuid}`);
      expect(filtered.map(({ uuid }: { uuid: string }) => uuid)).toContain(listed.uuid);
      for (const found of filtered) expect(found).not.toHaveProperty('provider');
      // A dialog that gets a bare list crashes.
      expect(await client.get(`${models}?provider_uuid=${unknownUuid}`)).toEqual({ models: [] });
    },
    async reads() {
      const { uuid } = await named(`new ${kind}`);
      expect((await client.get(`${models}/${uuid}`)).model).toMatchObject({ uuid, provider: { name: 'Fake' } });
      expect(await client.refused('GET', `${models}/${unknownUuid}`)).toMatchObject({
        status: 404,
        msg: 'model not found',
      });
    },
    async changes() {
      const { uuid, provider_uuid } = await named(`new ${kind}`);
      const dialog = { name: `renamed ${kind}`, provider_uuid, ...abilities, extra_args: { user: 'u' } };
      expect(await client.put(`${models}/${uuid}`, dialog)).toEqual({});
      expect(await client.put(`${models}/${uuid}`, { prefered_ranking: 3 })).toEqual({});
      const { model: changed } = await client.get(`${models}/${uuid}`);
      expect(changed).toMatchObject({ uuid, ...dialog, prefered_ranking: 3 });
      expect(await client.put(`${models}/${uuid}`, changed)).toEqual({});
      expect((await client.get(`${models}/${uuid}`)).model).toMatchObject({ uuid, ...dialog, prefered_ranking: 3 });
      await client.post(`${models}/${uuid}/test`, {});
      expect(model.requests.at(-1)?.body).toMatchObject({ model: dialog.name, user: 'u' });
      expect((await client.refused('PUT', `${models}/${unknownUuid}`, { name: 'x' })).status).toBe(404);
    },
    async tests() {
      const { uuid } = await named(`renamed ${kind}`);
      for (const target of ['_', uuid]) {
        // As the dialog sends it: the provider as it was listed, so with masked keys.
        const body = {
          uuid: '',
          name: 'tested',
          provider_uuid: '',
          provider: inline,
          ...abilities,
          extra_args: { user: 'u' },
        };
        const { latency_ms } = await client.post(`${models}/${target}/test`, body);
        expect(latency_ms).toBeGreaterThanOrEqual(0);
        expect(lastKey()).toBe(`Bearer ${key}`);
        expect(model.requests.at(-1)?.body?.user).toBe('u');
      }
      const elsewhere = { name: 'tested', provider: { ...inline, base_url: 'http://127.0.0.1:1/v1' } };
      expect(await client.refused('POST', `${models}/_/test`, elsewhere)).toMatchObject({
        status: 400,
        reason: 'secret_required',
      });
      expect((await client.refused('POST', `${models}/${unknownUuid}/test`, {})).status).toBe(404);
      model.behave({ kind: 'error', status: 401, message: 'a bad key' });
      const refusal = await client.refused('POST', `${models}/${uuid}/test`, {});
      expect(refusal).toMatchObject({ status: 502, code: -1, reason: 'provider_unauthorized' });
      model.behave({ kind: 'answer' });
    },
  };
}

describe('the dialog of LLM models', () => {
  const flow = modelFlow('llm', { abilities: ['vision', 'func_call'] });
  it('POST /api/v1/provider/models/llm: makes one with its provider in the body, or nothing at all', flow.creates);
  it('GET /api/v1/provider/models/llm: with or without their provider', flow.lists);
  it('GET /api/v1/provider/models/llm/{model_uuid}: one of them', flow.reads);
  it('PUT /api/v1/provider/models/llm/{model_uuid}: any part of it, and what was read', flow.changes);
  it('POST /api/v1/provider/models/llm/{model_uuid}/test: stored or not, with keys as they are listed', flow.tests);
  it('DELETE /api/v1/provider/models/llm/{model_uuid}: once, and not while a pipeline uses it', async () => {
    const url = '/api/v1/provider/models/llm';
    const { pipelines } = await client.get('/api/v1/pipelines');
    const { primary } = pipelines[0].config.ai['local-agent'].model;
    // The first model that was created became that of the default pipeline.
    expect((await client.get(`${url}/${primary}`)).model.name).toBe('renamed llm');
    expect(await client.refused('DELETE', `${url}/${primary}`)).toMatchObject({ status: 409, reason: 'in_use' });
    const { provider_uuid } = (await client.get(`${url}/${primary}`)).model;
    const { uuid } = await client.post(url, { name: 'unused', provider_uuid });
    expect(await client.delete(`${url}/${uuid}`)).toEqual({});
    expect((await client.refused('DELETE', `${url}/${uuid}`)).status).toBe(404);
  });
});

describe('the dialog of embedding models', () => {
  const flow = modelFlow('embedding', {});
  it(
    'POST /api/v1/provider/models/embedding: makes one with its provider in the body, or nothing at all',
    flow.creates,
  );
  it('GET /api/v1/provider/models/embedding: with or without their provider', flow.lists);
  it('GET /api/v1/provider/models/embedding/{model_uuid}: one of them', flow.reads);
  it('PUT /api/v1/provider/models/embedding/{model_uuid}: any part of it, and what was read', flow.changes);
  it(
    'POST /api/v1/provider/models/embedding/{model_uuid}/test: stored or not, with keys as they are listed',
    flow.tests,
  );
  it('DELETE /api/v1/provider/models/embedding/{model_uuid}: once, and not while a knowledge base uses it', async () => {
    const url = '/api/v1/provider/models/embedding';
    const { uuid } = (await client.get(url)).models[0];
    const bases = '/api/v1/knowledge/bases';
    const base = await client.post(bases, {
      name: 'Handbook',
      knowledge_engine_plugin_id: 'parley/built-in',
      creation_settings: { embedding_model_uuid: uuid },
    });
    expect(await client.refused('DELETE', `${url}/${uuid}`)).toMatchObject({
      status: 409,
      reason: 'in_use',
    });
    await client.delete(`${bases}/${base.uuid}`);
    expect(await client.delete(`${url}/${uuid}`)).toEqual({});
    expect((await client.refused('DELETE', `${url}/${uuid}`)).status).toBe(404);
  });
});

it('never sends the client back to the sign-in page', () => {
  expect([client.reloads, client.token]).toEqual([0, service.account.token]);
});
