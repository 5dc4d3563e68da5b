import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/provider/providers';
const keys = ['sk-0123456789abcdefwxyz', 'sk-abcdefghijklmnop0123'];
const example = {
  name: 'Example',
  requester: 'openai-chat-completions',
  base_url: 'http://127.0.0.1:11434/v1',
  api_keys: keys,
};

afterAll(() => service.stop());

const create = (json: object) => service.request({ method: 'POST', url: list, bearer, json });
const read = (uuid: string) => service.request({ url: `${list}/${uuid}`, bearer });

const { uuid } = (await create(example)).body.data;
for (const name of ['one', 'two']) {
  const json = { name, provider_uuid: uuid };
  await service.request({ method: 'POST', url: '/api/v1/provider/models/llm', bearer, json });
}

const credentials = await everyCredential(service, 'read');

describe('GET /api/v1/provider/providers/{provider_uuid}', () => {
  it.each(credentials)('answers as the contract says to %s', async (_name, part) => {
    const answer = await service.request({ url: `${list}/${uuid}`, ...part });
    expect(answer.status).toBe(200);
    expect(answer.body.code).toBe(0);
    expect(answer.body.data).toEqual({
      provider: {
        uuid,
        name: 'Example',
        requester: 'openai-chat-completions',
        base_url: 'http://127.0.0.1:11434/v1',
        api_keys: ['sk-…wxyz', 'sk-…0123'],
        llm_count: 2,
        embedding_count: 0,
        rerank_count: 0,
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      },
    });
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part, msg) => {
    const answer = await service.request({ url: `${list}/${uuid}`, ...part });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: -1, msg });
  });

  it('answers 404 to an unknown identifier and to what is none', async () => {
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'nothing', '_']) {
      const answer = await read(unknown);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
    }
    expect((await read('00000000-0000-4000-8000-000000000000')).body.msg).toBe('provider not found');
  });
});

describe('GET /api/v1/provider/providers', () => {
  it('lists counts and masked keys as well', async () => {
    const { providers } = (await service.request({ url: list, bearer })).body.data;
    expect(providers.map((provider: { requester: string }) => provider.requester)).toContain('demo');
    const listed = providers.find((provider: { uuid: string }) => provider.uuid === uuid);
    expect(listed).toEqual((await read(uuid)).body.data.provider);
  });
});

describe('POST /api/v1/provider/providers', () => {
  it('keeps the keys sealed', async () => {
    const rows = await service.database.selectFrom('providers').selectAll().where('uuid', '=', uuid).execute();
    expect(rows[0]?.sealed_secrets).toMatch(/^v1\./);
    for (const key of keys) expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('leaves out empty keys and ignores what only the server sets', async () => {
    const json = { ...example, api_keys: ['', '  '], uuid, llm_count: 7, embedding_count: 7, created_at: 'long ago' };
    const made = await create(json);
    expect(made.body.data.uuid).not.toBe(uuid);
    const { provider } = (await read(made.body.data.uuid)).body.data;
    expect(provider).toMatchObject({ api_keys: [], llm_count: 0, embedding_count: 0 });
  });

  it('hides a short key altogether', async () => {
    const made = await create({ ...example, api_keys: ['short'] });
    expect((await read(made.body.data.uuid)).body.data.provider.api_keys).toEqual(['…']);
  });

  it('refuses a masked key', async () => {
    const answer = await create({ ...example, api_keys: [keys[0], 'sk-…wxyz'] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ reason: 'secret_required', details: [{ path: 'api_keys[1]' }] });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: undefined }],
    ['requester', { requester: 'unknown' }],
    ['requester', { requester: 5 }],
    ['base_url', { base_url: '' }],
    ['base_url', { base_url: 'not an address' }],
    ['base_url', { base_url: 'file:///etc/passwd' }],
    ['base_url', { base_url: 'http://user:password@127.0.0.1/' }],
    ['base_url', { base_url: `http://127.0.0.1/${'x'.repeat(512)}` }],
    ['base_url', { base_url: null }],
    ['api_keys', { api_keys: 'sk-text' }],
    ['api_keys[0]', { api_keys: [1] }],
    ['api_keys', { api_keys: Array.from({ length: 101 }, () => 'k') }],
    ['description', { description: 'not a field' }],
  ])('answers 400 that names %s', async (path, changes) => {
    const answer = await create({ ...example, ...changes });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});

const unknownIdentifiers = ['00000000-0000-4000-8000-000000000000', 'nothing', '_'];

describe('PUT /api/v1/provider/providers/{provider_uuid}', () => {
  let own: string;
  beforeEach(async () => {
    own = (await create(example)).body.data.uuid;
  });
  const update = (json: object, of = own) => service.request({ method: 'PUT', url: `${list}/${of}`, bearer, json });
  const shown = async () => (await read(own)).body.data.provider;
  const sealed = async () =>
    (await service.database.selectFrom('providers').select('sealed_secrets').where('uuid', '=', own).execute())[0];

  it('takes back what a read returned', async () => {
    const before = await shown();
    const answer = await update(before);
    expect(answer.body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect(await shown()).toEqual({ ...before, updated_at: expect.any(String) });
  });

  it('changes what is named and keeps the rest', async () => {
    const before = await shown();
    await update({ name: 'Renamed', uuid, created_at: 'long ago', rerank_count: 9 });
    expect(await shown()).toEqual({ ...before, name: 'Renamed', updated_at: expect.any(String) });
    expect((await update({})).status).toBe(200);
    await update({ api_keys: ['sk-…0123'] });
    expect(await shown()).toMatchObject({ api_keys: ['sk-…0123'] });
    await update({ base_url: 'http://127.0.0.1:11434/v2' });
    await update({ api_keys: [] });
    expect(await shown()).toMatchObject({ base_url: 'http://127.0.0.1:11434/v2', api_keys: [] });
    expect(await sealed()).toEqual({ sealed_secrets: null });
  });

  it.each<[string, object]>([
    ['another host', { base_url: 'http://127.0.0.2:11434/v1' }],
    ['another port, with masks', { base_url: 'http://127.0.0.1:11435/v1', api_keys: ['sk-…wxyz'] }],
    ['another requester', { requester: 'deepseek-chat-completions' }],
  ])('gives stored keys to no %s', async (_name, json) => {
    const before = [await shown(), await sealed()];
    const answer = await update(json);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: -1,
      reason: 'secret_required',
      details: [{ path: expect.stringMatching(/^api_keys/) }],
    });
    expect([await shown(), await sealed()]).toEqual(before);
    expect((await update({ ...json, api_keys: ['sk-new-0123456789-new'] })).status).toBe(200);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['requester', { requester: 'unknown' }],
    ['base_url', { base_url: 'not an address' }],
    ['base_url', { base_url: 7 }],
    ['api_keys', { api_keys: 'sk-text' }],
    ['api_keys[0]', { api_keys: ['sk-\u00e9'] }],
    ['description', { description: 'not a field' }],
    ['', []],
  ])('answers 400 that names %s', async (path, json) => {
    const before = await shown();
    const answer = await update(json);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(await shown()).toEqual(before);
  });

  it('answers 400 to no body and 415 to another kind', async () => {
    const url = `${list}/${own}`;
    expect((await service.request({ method: 'PUT', url, bearer })).status).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    expect((await service.request({ method: 'PUT', url, bearer, headers, payload: 'name' })).status).toBe(415);
  });

  it.each(unknownIdentifiers)('answers 404 to %s', async (unknown) => {
    const answer = await update({ name: 'a' }, unknown);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
    const answer = await service.request({ method: 'PUT', url: `${list}/${own}`, json: { name: 'stolen' }, ...part });
    expect(answer.status).toBe(401);
  });

  it('answers 403 to a key that may only read', async () => {
    const { key: apiKey } = await service.createApiKey(['read']);
    for (const method of ['PUT', 'DELETE']) {
      const answer = await service.request({ method, url: `${list}/${own}`, apiKey, json: { name: 'stolen' } });
      expect(answer.status).toBe(403);
    }
    expect(await shown()).toMatchObject({ name: 'Example' });
  });
});

describe('DELETE /api/v1/provider/providers/{provider_uuid}', () => {
  const remove = (of: string) => service.request({ method: 'DELETE', url: `${list}/${of}`, bearer });

  it('deletes a provider that no model uses', async () => {
    const made = (await create(example)).body.data.uuid;
    const json = { name: 'embedder', provider_uuid: made };
    const url = '/api/v1/provider/models/embedding';
    const model = (await service.request({ method: 'POST', url, bearer, json })).body.data.uuid;
    const refused = await remove(made);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: -1,
      reason: 'in_use',
      msg: 'Cannot delete provider: embedding models still reference it',
      details: [{ path: `models/${model}`, message: 'embedder' }],
    });
    await service.request({ method: 'DELETE', url: `${url}/${model}`, bearer });
    expect((await remove(made)).body).toEqual({ code: 0, msg: 'ok', data: {} });
    expect((await read(made)).status).toBe(404);
    expect((await remove(made)).status).toBe(404);
  });

  it.each(unknownIdentifiers)('answers 404 to %s', async (unknown) => {
    expect((await remove(unknown)).body).toMatchObject({ code: -1, reason: 'not_found' });
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
    expect((await service.request({ method: 'DELETE', url: `${list}/${uuid}`, ...part })).status).toBe(401);
  });
});
