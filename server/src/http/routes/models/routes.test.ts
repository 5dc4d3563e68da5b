import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { badCredentials } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { fakeDimension, startFakeOpenAi } from '../../../../test/fakes/openai-server.ts';

const service = await startTestService();
const fake = await startFakeOpenAi();
const bearer = service.account.token;
const key = 'sk-0123456789abcdefwxyz';
/** A requester that knows every kind of model. */
const inline = { requester: 'new-api-chat-completions', base_url: 'http://127.0.0.1:11434/v1', api_keys: [key] };
const live = { ...inline, base_url: fake.base_url };
const unknownIdentifiers = ['00000000-0000-4000-8000-000000000000', 'nothing', '%00'];

afterAll(async () => {
  await service.stop();
  await fake.close();
});
afterEach(() => {
  fake.behave({ kind: 'answer' });
  fake.requests.length = 0;
});

const send = (method: string, url: string, json?: object) =>
  service.request({ method, url, bearer, ...(json && { json }) });
const providers = async () => (await send('GET', '/api/v1/provider/providers')).body.data.providers;
const defaultModel = async () =>
  (await send('GET', '/api/v1/pipelines')).body.data.pipelines[0].config.ai['local-agent'].model;
const pathsOf = (body: { details: { path: string }[] }) => body.details.map(({ path }) => path);

describe('the first real language model', () => {
  it('becomes that of the default pipeline, and cannot be deleted then', async () => {
    const list = '/api/v1/provider/models/llm';
    const [demo] = (await send('GET', list)).body.data.models;
    expect(await defaultModel()).toEqual({ primary: demo.uuid, fallbacks: [] });
    const refused = await send('DELETE', `${list}/${demo.uuid}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: -1,
      reason: 'in_use',
      msg: 'Cannot delete model: pipelines still use it',
      details: [{ path: expect.stringMatching(/^pipelines\/[0-9a-f-]{36}$/), message: 'Default pipeline' }],
    });
    for (const kind of ['embedding', 'rerank'])
      await send('POST', `/api/v1/provider/models/${kind}`, { name: 'x', provider: inline });
    expect((await defaultModel()).primary).toBe(demo.uuid);
    const first = (await send('POST', list, { name: 'first', provider: inline })).body.data.uuid;
    await send('POST', list, { name: 'second', provider: inline });
    expect(await defaultModel()).toEqual({ primary: first, fallbacks: [] });
    expect((await send('DELETE', `${list}/${first}`)).status).toBe(409);
    expect((await send('DELETE', `${list}/${demo.uuid}`)).status).toBe(200);
  });
});

const kinds = [
  {
    path: 'llm',
    count: 'llm_count',
    answer: { usage: { input_tokens: 7, output_tokens: 6 } },
    asked: 'chat/completions',
  },
  { path: 'embedding', count: 'embedding_count', answer: { dimension: fakeDimension }, asked: 'embeddings' },
  { path: 'rerank', count: 'rerank_count', answer: {}, asked: 'rerank' },
];

describe.each(kinds)('/api/v1/provider/models/$path', ({ path, count, answer: expectedAnswer, asked }) => {
  const list = `/api/v1/provider/models/${path}`;
  const abilities = path === 'llm' ? { abilities: ['func_call'] } : {};
  const create = (json: object) => send('POST', list, json);
  const models = async (query = '') => (await send('GET', `${list}${query}`)).body.data.models;
  const read = async (uuid: string) => (await send('GET', `${list}/${uuid}`)).body.data.model;
  const named = async (name: string) => (await models()).filter((model: { name: string }) => model.name === name);

  describe('POST', () => {
    it('takes an inline provider and makes it once', async () => {
      const base_url = `http://127.0.0.1:11434/${path}`;
      const provider = { ...inline, base_url };
      const before = (await providers()).length;
      const made = await create({ name: 'one', provider, extra_args: { top_p: 1 }, prefered_ranking: 2, ...abilities });
      expect(made.body).toEqual({ code: 0, msg: 'ok', data: { uuid: expect.any(String) } });
      await create({ name: 'two', provider });
      await create({ name: 'three', provider: { ...provider, api_keys: ['sk-…wxyz'] } });
      expect(await providers()).toHaveLength(before + 1);
      const stored = (await named('one'))[0];
      expect(stored).toEqual({
        uuid: made.body.data.uuid,
        name: 'one',
        provider_uuid: expect.any(String),
        ...abilities,
        extra_args: { top_p: 1 },
        prefered_ranking: 2,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        provider: expect.objectContaining({ name: '127.0.0.1:11434', base_url, api_keys: ['sk-…wxyz'], [count]: 3 }),
      });
      expect(await read(stored.uuid)).toEqual(stored);
    });

    it('takes a provider by its uuid, in either place', async () => {
      const provider = (await providers()).find((one: { base_url: string }) => one.base_url === inline.base_url);
      for (const place of [{ provider_uuid: provider.uuid }, { provider: { uuid: provider.uuid } }, { provider }]) {
        const made = await create({ name: 'by uuid', ...place });
        expect(made.status).toBe(200);
        const filtered = await models(`?provider_uuid=${provider.uuid}`);
        const stored = filtered.find((model: { uuid: string }) => model.uuid === made.body.data.uuid);
        expect(stored.provider_uuid).toBe(provider.uuid);
        expect(stored).not.toHaveProperty('provider');
      }
    });

    it.each<[string, object]>([
      ['name', {}],
      ['name', { name: '', provider: inline }],
      ['name', { name: 'n'.repeat(256), provider: inline }],
      ['provider_uuid', { name: 'm' }],
      ['provider_uuid', { name: 'm', provider: {} }],
      ['provider_uuid', { name: 'm', provider_uuid: 'nothing' }],
      ['provider_uuid', { name: 'm', provider_uuid: null }],
      ['provider_uuid', { name: 'm', provider_uuid: '00000000-0000-4000-8000-000000000000' }],
      ['provider.uuid', { name: 'm', provider: { uuid: 'nothing' } }],
      ['provider', { name: 'm', provider: [] }],
      ['provider.key', { name: 'm', provider: { ...inline, key: 'value' } }],
      ['provider.requester', { name: 'm', provider: { ...inline, requester: 'unknown' } }],
      ['provider.base_url', { name: 'm', provider: { ...inline, base_url: 'ftp://127.0.0.1' } }],
      ['provider.api_keys[0]', { name: 'm', provider: { ...inline, api_keys: ['sk-\u0000'] } }],
      [path === 'llm' ? 'abilities[0]' : 'abilities', { name: 'm', provider: inline, abilities: ['flying'] }],
      ['extra_args', { name: 'm', provider: inline, extra_args: 'none' }],
      ['prefered_ranking', { name: 'm', provider: inline, prefered_ranking: 2 ** 31 }],
      ['prefered_ranking', { name: 'm', provider: inline, prefered_ranking: 0.5 }],
      ['description', { name: 'm', provider: inline, description: 'not a field' }],
      ['', []],
    ])('answers 400 that names %s, and keeps nothing', async (place, json) => {
      const before = [await models(), await providers()];
      const refused = await create(json);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ code: -1, reason: 'invalid_request' });
      expect(pathsOf(refused.body)).toContain(place);
      expect([await models(), await providers()]).toEqual(before);
    });

    it('understands a masked key as the stored one of the same requester and address, and of no other', async () => {
      const masked = { ...inline, api_keys: ['sk-…wxyz'] };
      const before = await providers();
      const changes = [
        { base_url: 'http://127.0.0.1:11435/v1' },
        { requester: 'openrouter-chat-completions' },
        { api_keys: ['sk-…0000'] },
      ];
      for (const over of changes) {
        const refused = await create({ name: 'masked', provider: { ...masked, ...over } });
        expect(refused.status).toBe(400);
        expect(refused.body).toMatchObject({ code: -1, reason: 'secret_required' });
      }
      expect(await providers()).toHaveLength(before.length);
      const { uuid } = (await create({ name: 'masked', provider: masked })).body.data;
      expect((await read(uuid)).provider.base_url).toBe(inline.base_url);
    });

    it('asks for a requester that knows the kind', async () => {
      const demo = (await providers()).find(({ requester }: { requester: string }) => requester === 'demo');
      const made = await create({ name: 'd', provider_uuid: demo.uuid });
      expect(made.status).toBe(path === 'llm' ? 200 : 400);
      if (path !== 'llm') expect(pathsOf(made.body)).toEqual(['provider_uuid']);
    });
  });

  describe('GET', () => {
    it('lists none for a provider that is not there', async () => {
      expect(await models('?provider_uuid=nothing')).toEqual([]);
      expect(await models('?provider_uuid=00000000-0000-4000-8000-000000000000')).toEqual([]);
    });

    it.each(unknownIdentifiers)('answers 404 to %s', async (unknown) => {
      const answer = await send('GET', `${list}/${unknown}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
    });

    it('says which is not there', async () => {
      const other = path === 'llm' ? 'rerank' : 'llm';
      const { uuid } = (await send('POST', `/api/v1/provider/models/${other}`, { name: 'o', provider: inline })).body
        .data;
      expect((await send('GET', `${list}/${uuid}`)).body).toMatchObject({ msg: 'model not found' });
    });
  });

  describe('PUT', () => {
    let uuid: string;
    beforeEach(async () => {
      uuid = (await create({ name: 'mine', provider: inline, extra_args: { a: 1, b: 2 }, ...abilities })).body.data
        .uuid;
    });
    const update = (json: object, of = uuid) => send('PUT', `${list}/${of}`, json);

    it('takes back what a read returned', async () => {
      const before = await read(uuid);
      expect((await update(before)).body).toEqual({ code: 0, msg: 'ok', data: {} });
      expect(await read(uuid)).toEqual({
        ...before,
        updated_at: expect.any(String),
        provider: { ...before.provider, updated_at: expect.any(String) },
      });
    });

    it('changes what is named and keeps the rest, the provider too', async () => {
      const before = await read(uuid);
      await update({ extra_args: { c: 3 }, uuid: 'ignored', created_at: 'long ago' });
      await update({});
      expect(await read(uuid)).toEqual({ ...before, extra_args: { c: 3 }, updated_at: expect.any(String) });
      const provider = { ...inline, base_url: 'http://127.0.0.1:9/elsewhere' };
      await update({ name: 'moved', provider });
      expect(await read(uuid)).toMatchObject({ name: 'moved', provider: { base_url: provider.base_url } });
      await update({ provider_uuid: before.provider_uuid, provider: (await read(uuid)).provider });
      expect(await read(uuid)).toMatchObject({ name: 'moved', provider_uuid: before.provider_uuid });
    });

    it.each<[string, object]>([
      ['name', { name: '' }],
      ['provider_uuid', { provider_uuid: 'nothing' }],
      ['provider_uuid', { provider: {} }],
      ['provider.uuid', { provider: { uuid: 'nothing' } }],
      ['provider.requester', { provider: { ...inline, requester: 'unknown' } }],
      ['extra_args', { extra_args: [] }],
      ['prefered_ranking', { prefered_ranking: '1' }],
      ['description', { description: 'not a field' }],
      ...(path === 'llm' ? [] : ([['abilities', { abilities: [] }]] as [string, object][])),
    ])('answers 400 that names %s', async (place, json) => {
      const before = await read(uuid);
      const refused = await update(json);
      expect(refused.status).toBe(400);
      expect(pathsOf(refused.body)).toContain(place);
      expect(await read(uuid)).toEqual(before);
    });

    it('gives a stored key to no other address', async () => {
      const provider = { ...inline, base_url: 'http://127.0.0.1:11435/v1', api_keys: ['sk-…wxyz'] };
      expect((await update({ provider })).body).toMatchObject({ reason: 'secret_required' });
    });

    it.each(unknownIdentifiers)('answers 404 to %s', async (unknown) => {
      expect((await update({ name: 'a' }, unknown)).body).toMatchObject({ code: -1, reason: 'not_found' });
      expect((await send('DELETE', `${list}/${unknown}`)).body).toMatchObject({ code: -1, reason: 'not_found' });
    });
  });

  describe('DELETE', () => {
    it('deletes a model that no pipeline uses, once', async () => {
      const { uuid } = (await create({ name: 'gone', provider: inline })).body.data;
      expect((await send('DELETE', `${list}/${uuid}`)).body).toEqual({ code: 0, msg: 'ok', data: {} });
      expect((await send('GET', `${list}/${uuid}`)).status).toBe(404);
      expect((await send('DELETE', `${list}/${uuid}`)).status).toBe(404);
    });
  });

  describe('POST test', () => {
    const test = (json?: object, of = '_') => send('POST', `${list}/${of}/test`, json);

    it('calls a model that is not stored', async () => {
      const before = [await models(), await providers()];
      const answer = await test({ name: 'new-model', provider: live, extra_args: { user: 'tester' }, ...abilities });
      expect(answer.body).toEqual({
        code: 0,
        msg: 'ok',
        data: { latency_ms: expect.any(Number), ...expectedAnswer },
      });
      expect(fake.requests).toMatchObject([
        {
          path: `/v1/${asked}`,
          headers: { authorization: `Bearer ${key}` },
          body: { model: 'new-model', user: 'tester' },
        },
      ]);
      expect([await models(), await providers()]).toEqual(before);
    });

    it('calls a stored model with or without a body, with its arguments or others', async () => {
      const { uuid } = (await create({ name: 'original', provider: live, extra_args: { user: 'stored' } })).body.data;
      expect((await test(undefined, uuid)).status).toBe(200);
      expect((await test({}, uuid)).status).toBe(200);
      // A client may send all it read.
      expect((await test({ ...(await read(uuid)), extra_args: { user: 'other' } }, uuid)).status).toBe(200);
      expect(fake.requests.map(({ body }) => [body?.model, body?.user])).toEqual([
        ['original', 'stored'],
        ['original', 'stored'],
        ['original', 'other'],
      ]);
      expect((await read(uuid)).extra_args).toEqual({ user: 'stored' });
    });

    it('takes the listed mask for the stored key, where requester and address are those of the stored', async () => {
      await create({ name: 'stored', provider: live });
      const { requester, base_url, api_keys } = (await providers()).find(
        (one: { base_url: string }) => one.base_url === live.base_url,
      );
      expect(api_keys).toEqual(['sk-…wxyz']);
      const provider = { requester, base_url, api_keys };
      expect((await test({ name: 'm', provider })).status).toBe(200);
      expect(fake.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
      const thief = await startFakeOpenAi();
      try {
        for (const over of [{ base_url: thief.base_url }, { requester: 'openrouter-chat-completions' }]) {
          const refused = await test({ name: 'm', provider: { ...provider, ...over } });
          expect(refused.status).toBe(400);
          expect(refused.body).toMatchObject({ code: -1, reason: 'secret_required' });
        }
        expect(thief.requests).toEqual([]);
      } finally {
        await thief.close();
      }
    });

    it.each<[object, number, object]>([
      [{ status: 401, message: `No such key ${key}` }, 502, { reason: 'provider_unauthorized' }],
      [
        { status: 404, message: `No model for ${key}` },
        502,
        { reason: 'provider_failed', msg: 'The model provider answered 404: No model for [key].' },
      ],
      [{ status: 429, headers: { 'retry-after': '9' } }, 422, { reason: 'quota' }],
      [{ status: 504 }, 504, { reason: 'provider_timeout' }],
      [{ status: 500, body: '<html>stack</html>' }, 502, { reason: 'provider_failed' }],
      [{ status: 200, body: 'not json' }, 502, { reason: 'provider_failed' }],
    ])('answers what went wrong at the provider: %j', async (behaviour, status, expected) => {
      fake.behave({ kind: 'error', status: 0, ...behaviour });
      const answer = await test({ name: 'm', provider: live });
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ code: -1, ...expected });
      expect(answer.text).not.toContain(key);
      expect(answer.headers['retry-after']).toBe(status === 422 ? '9' : undefined);
    });

    it('reports connection failures and blocked addresses', async () => {
      const closed = await startFakeOpenAi();
      await closed.close();
      const answer = await test({ name: 'm', provider: { ...live, base_url: closed.base_url } });
      expect(answer.status).toBe(502);
      expect(answer.body).toMatchObject({ msg: 'The model provider could not be reached (ECONNREFUSED).' });
      const metadata = await test({ name: 'm', provider: { ...live, base_url: 'http://169.254.169.254/v1' } });
      expect(metadata.status).toBe(422);
      expect(metadata.body).toMatchObject({ reason: 'address_not_allowed' });
    });

    it.each<[string, object]>([
      ['name', { provider: live }],
      ['provider_uuid', { name: 'm' }],
      ['provider_uuid', { name: 'm', provider: { base_url: live.base_url } }],
      ['provider.base_url', { name: 'm', provider: { ...live, base_url: '' } }],
      ['provider.token', { name: 'm', provider: { ...live, token: 'x' } }],
      ['extra_args', { name: 'm', provider: live, extra_args: [] }],
      ['model', { name: 'm', provider: live, model: 'x' }],
      ['', []],
    ])('answers 400 that names %s', async (place, json) => {
      const refused = await test(json);
      expect(refused.status).toBe(400);
      expect(pathsOf(refused.body)).toContain(place);
      expect(fake.requests).toEqual([]);
    });

    it('answers 400 to no body where there is nothing stored', async () => {
      const refused = await test();
      expect(refused.status).toBe(400);
      expect(pathsOf(refused.body)).toContain('name');
    });

    it.each([...unknownIdentifiers, '__'])('answers 404 to %s', async (unknown) => {
      const answer = await test({ name: 'm', provider: live }, unknown);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
    });

    // Sooner than it gives up by itself.
    it('gives up with the client', { timeout: 15_000 }, async () => {
      fake.behave({ kind: 'stall' });
      const controller = new AbortController();
      const answer = fetch(`${service.address}${list}/_/test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'm', provider: live }),
        signal: controller.signal,
      });
      answer.catch(() => {});
      await expect.poll(() => fake.requests.length).toBe(1);
      controller.abort();
      await expect(answer).rejects.toThrow();
      await fake.requests[0]?.closed;
    });
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
    const requests = [
      { url: list },
      { url: list, method: 'POST', json: {} },
      { url: `${list}/_` },
      { url: `${list}/_`, method: 'PUT', json: {} },
      { url: `${list}/_`, method: 'DELETE' },
      { url: `${list}/_/test`, method: 'POST', json: {} },
    ];
    for (const request of requests) expect((await service.request({ ...request, ...part })).status).toBe(401);
  });

  it('answers 403 to a key that may only read where something is changed or called', async () => {
    const { key: apiKey } = await service.createApiKey(['read']);
    const { uuid } = (await create({ name: 'safe', provider: inline })).body.data;
    expect((await service.request({ url: `${list}/${uuid}`, apiKey })).status).toBe(200);
    for (const [method, url] of [
      ['POST', list],
      ['PUT', `${list}/${uuid}`],
      ['DELETE', `${list}/${uuid}`],
      ['POST', `${list}/${uuid}/test`],
    ]) {
      const answer = await service.request({
        method: method as string,
        url: url as string,
        apiKey,
        json: { name: 'x' },
      });
      expect(answer.status).toBe(403);
    }
  });
});

it('a provider that is deleted while models of it are made leaves none behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const json = { name: 'race', ...inline, base_url: `http://127.0.0.1:1/${round}` };
    const { uuid } = (await send('POST', '/api/v1/provider/providers', json)).body.data;
    const [deleted, ...made] = await Promise.all([
      send('DELETE', `/api/v1/provider/providers/${uuid}`),
      ...kinds.map(({ path }) =>
        send('POST', `/api/v1/provider/models/${path}`, { name: 'race', provider_uuid: uuid }),
      ),
    ]);
    const isGone = (await send('GET', `/api/v1/provider/providers/${uuid}`)).status === 404;
    expect(deleted.status).toBe(isGone ? 200 : 409);
    expect(made.map(({ status }) => status)).toEqual(made.map(() => (isGone ? 400 : 200)));
  }
});
