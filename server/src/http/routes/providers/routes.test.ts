import { afterAll, describe, expect, it } from 'vitest';
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
    ['requester', { requester: 'nobody-knows' }],
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
