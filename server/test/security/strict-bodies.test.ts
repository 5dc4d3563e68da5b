import { afterAll, describe, expect, it } from 'vitest';
import { multipart, multipartType } from '../factories/multipart.ts';
import { startTestService } from '../factories/start-test-service.ts';

const service = await startTestService({ listen: false });
afterAll(() => service.stop());

const bearer = service.account.token;
const otherUuid = '00000000-0000-7000-8000-000000000001';

describe('a field that only the server sets', () => {
  it.each<[string, string, object]>([
    ['POST', '/api/v1/apikeys', { name: 'x', key: 'lbk_chosen' }],
    ['POST', '/api/v1/apikeys', { name: 'x', key_hash: 'chosen' }],
    ['POST', '/api/v1/apikeys', { name: 'x', account_uuid: otherUuid }],
    ['POST', '/api/v1/apikeys', { name: 'x', scopes: ['operator.admin'] }],
    ['POST', '/api/v1/pipelines', { name: 'x', owner: otherUuid }],
    ['POST', '/api/v1/pipelines', { name: 'x', author: 'admin' }],
    ['POST', '/api/v1/platform/bots', { name: 'x', adapter: 'websocket', adapter_config: {}, sealed_secrets: 'x' }],
    ['POST', '/api/v1/user/auth', { user: 'x', password: 'x', role: 'admin' }],
    ['POST', '/api/v1/user/auth', { user: 'x', password: 'x', scopes: ['admin'] }],
    ['POST', '/api/v1/user/init', { user: 'x', password: 'long enough', account_uuid: otherUuid }],
    ['POST', '/api/v1/pipelines', { name: 'x', constructor: { prototype: { admin: true } } }],
  ])('is refused: %s %s %j', async (method, url, json) => {
    const answer = await service.request({ method, url, bearer, json });
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
  });

  it('is refused under the name of the prototype', async () => {
    const answer = await service.request({
      method: 'POST',
      url: '/api/v1/pipelines',
      bearer,
      headers: { 'content-type': 'application/json' },
      payload: '{"name":"x","__proto__":{"admin":true}}',
    });
    expect(answer.status).toBe(400);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('an API key', () => {
  it('cannot give itself or another one scopes that it lacks', async () => {
    const weak = await service.createApiKey(['read', 'write', 'send']);
    const json = { name: 'wider', scopes: ['admin'] };
    for (const [method, url] of [
      ['POST', '/api/v1/apikeys'],
      ['PUT', `/api/v1/apikeys/${weak.id}`],
    ] as const) {
      const answer = await service.request({ method, url, apiKey: weak.key, json });
      expect([answer.status, answer.body.reason]).toEqual([403, 'scope_required']);
    }
    const claimed = await service.request({
      url: '/api/v1/apikeys',
      apiKey: weak.key,
      headers: { 'x-scopes': 'admin', 'x-openclaw-scopes': 'operator.admin', 'x-http-method-override': 'GET' },
    });
    expect(claimed.status).toBe(403);
  });

  it('is not widened by another header beside it', async () => {
    const weak = await service.createApiKey(['send']);
    for (const credential of [
      { apiKey: weak.key, bearer: 'unknown' },
      { bearer: weak.key },
      { headers: { authorization: weak.key } },
      { apiKey: '', bearer: weak.key },
      {
        bearer: weak.key,
        headers: {
          cookie: service.account.cookie,
          'x-parley-console': '1',
          origin: 'http://localhost',
          host: 'localhost',
        },
      },
    ]) {
      const answer = await service.request({ url: '/api/v1/apikeys', ...credential });
      expect([answer.status, answer.body.reason]).toEqual([403, 'scope_required']);
    }
    for (const header of ['x-auth-token', 'api-key', 'token', 'x-api-token', 'proxy-authorization']) {
      const answer = await service.request({ url: '/api/v1/pipelines', headers: { [header]: service.account.token } });
      expect([header, answer.status]).toEqual([header, 401]);
    }
    const inAddress = `/api/v1/pipelines?token=${bearer}&api_key=${weak.key}&access_token=${bearer}`;
    expect((await service.request({ url: inAddress })).status).toBe(401);
  });
});

describe('a body', () => {
  const uploads = ['/api/v1/files/images', '/api/v1/files/documents'];

  it('is taken for what the route takes, whatever its content type says', async () => {
    const file = multipart({ name: 'file', filename: '/etc/passwd', content: 'x' });
    for (const url of uploads) {
      const json = { files: { file: { filepath: '/etc/passwd', mimetype: 'image/png' } } };
      expect((await service.request({ method: 'POST', url, bearer, json })).status).toBe(415);
    }
    for (const url of ['/api/v1/pipelines', '/api/v1/user/auth']) {
      const headers = { 'content-type': multipartType };
      const answer = await service.request({ method: 'POST', url, bearer, headers, payload: file });
      expect([url, answer.status]).toEqual([url, 415]);
    }
  });

  it('is not read without a credential', async () => {
    for (const url of uploads) {
      const headers = { 'content-type': multipartType };
      const payload = multipart({ name: 'file', filename: 'a.png', content: 'x' });
      expect((await service.request({ method: 'POST', url, headers, payload })).status).toBe(401);
    }
    expect(await service.database.selectFrom('files').select('uuid').execute()).toEqual([]);
  });

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    '<html><script>1</script>',
    '#!/bin/sh',
  ])('that calls itself an image is none: %s', async (content) => {
    const payload = multipart({ name: 'file', filename: 'a.png', type: 'image/png', content });
    const headers = { 'content-type': multipartType };
    const answer = await service.request({ method: 'POST', url: uploads[0] as string, bearer, headers, payload });
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
  });
});
