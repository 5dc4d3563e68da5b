import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
afterAll(() => service.stop());

const post = (url: string, payload: string, method = 'POST') =>
  service.request({ method, url, bearer, payload, headers: { 'content-type': 'application/json' } });

describe('a key that no field may have', () => {
  it.each([
    ['{"name":"a","__proto__":{"a":1}}', '__proto__'],
    ['{"name":"a","config":{"ai":{"__proto__":1}}}', 'config.ai.__proto__'],
    [String.raw`{"name":"a","emoji":[1,{"\u005f_\u0070roto__" : 1}]}`, 'emoji[1].__proto__'],
    ['{"constructor":{"prototype":{}}}', 'constructor'],
  ])('is named: %s', async (body, path) => {
    const { status, body: answer } = await post('/api/v1/pipelines', body);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ code: -1, reason: 'invalid_request', details: [{ path }] });
  });

  it('is found however deep it is, without harm', async () => {
    const deep = `{"a":${'['.repeat(20_000)}{"__proto__":1}${']'.repeat(20_000)}}`;
    expect((await post('/api/v1/pipelines', deep)).body).toMatchObject({ reason: 'invalid_request' });
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('is a text like any other where it is none', async () => {
    const name = '"__proto__": constructor';
    const made = await post('/api/v1/pipelines', JSON.stringify({ name }));
    expect(made.status).toBe(200);
  });

  it.each(['', '{', '{"a":1}x'])('is not looked for in what is no JSON: %j', async (body) => {
    expect((await post('/api/v1/pipelines', body)).body).toMatchObject({ reason: 'invalid_request' });
  });
});

describe('names that no database stores as they are', () => {
  const provider = { requester: 'openai-chat-completions', base_url: 'https://example.com/v1', api_keys: [] };
  const url = 'https://example.com/hook';
  it.each<[string, object, string]>([
    ['/api/v1/pipelines', {}, 'name'],
    ['/api/v1/platform/bots', { description: '', adapter: 'telegram', adapter_config: {} }, 'name'],
    ['/api/v1/provider/providers', provider, 'name'],
    ['/api/v1/provider/models/llm', { provider: { ...provider, name: 'p' }, abilities: [] }, 'name'],
    ['/api/v1/apikeys', {}, 'name'],
    ['/api/v1/webhooks', { url }, 'name'],
    ['/api/v1/knowledge/bases', {}, 'name'],
    ['/api/v1/mcp/servers', { mode: 'sse', extra_args: { url } }, 'name'],
  ])('are refused by %s', async (path, body, field) => {
    for (const name of ['a\0b', 'a\ud800', '\udc00']) {
      const { status, body: answer } = await post(path, JSON.stringify({ ...body, name }));
      expect([path, status]).toEqual([path, 400]);
      expect(answer).toMatchObject({ reason: 'invalid_request', details: expect.any(Array) });
      expect(answer.details.map((detail: { path: string }) => detail.path)).toContain(field);
    }
    expect(
      (await post('/api/v1/provider/models/llm', JSON.stringify({ provider: { name: '\0' } }))).body.details,
    ).toEqual([{ path: 'provider.name', message: expect.stringContaining('NUL'), rule: 'characters' }]);
  });

  it('are refused when a record is changed, and whole pairs are taken', async () => {
    const made = await post('/api/v1/pipelines', JSON.stringify({ name: 'Zoo 🦜' }));
    const path = `/api/v1/pipelines/${made.body.data.uuid}`;
    expect((await post(path, JSON.stringify({ name: 'Zoo \ud83e' }), 'PUT')).status).toBe(400);
    expect((await service.request({ url: path, bearer })).body.data.pipeline.name).toBe('Zoo 🦜');
  });
});

it.each([
  ['PUT', '/bots/00000000-0000-7000-8000-000000000000', 405],
  ['GET', '/bots', 404],
  ['GET', '/bots/', 404],
  ['POST', '/bots/00000000-0000-7000-8000-000000000000/a', 404],
  ['GET', '/bots/%E0%A4%A', 400],
])('errors of %s %s tell platforms what is wrong in `error`', async (method, url, status) => {
  const { status: actual, body } = await service.request({ method, url });
  expect(actual).toBe(status);
  expect(body).toMatchObject({ code: -1, reason: expect.any(String), error: body.msg });
});
