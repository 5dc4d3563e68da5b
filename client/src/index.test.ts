import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createParleyClient, type ParleyApiError } from './index.ts';

let server: Server;
let baseUrl: string;
/** What the server answers next, and what it was last asked. */
let answer: { status: number; headers?: Record<string, string>; body: string };
let asked: { method: string | undefined; url: string | undefined; authorization: string | undefined; body: string };
let ifMatch: string | undefined;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked = { method: request.method, url: request.url, authorization: request.headers.authorization, body };
    ifMatch = request.headers['if-match'];
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
});

afterAll(async () => {
  server.close();
  await once(server, 'close');
});

function failure(promise: Promise<unknown>): Promise<ParleyApiError> {
  return promise.then(
    () => expect.fail('the call was expected to be refused'),
    (error) => error as ParleyApiError,
  );
}

test('resolves with what is in the envelope', async () => {
  answer = { status: 200, body: '{"code":0,"msg":"ok","data":{"token":"abc"}}' };
  const client = createParleyClient({ baseUrl });
  expect(await client.post('/api/v1/user/auth', { body: { user: 'ada', password: 'secret' } })).toEqual({
    token: 'abc',
  });
  expect(asked).toEqual({
    method: 'POST',
    url: '/below/api/v1/user/auth',
    authorization: undefined,
    body: '{"user":"ada","password":"secret"}',
  });
});

test('sends the token as it is at the time of the call', async () => {
  answer = { status: 200, body: '{"code":0,"msg":"ok","data":{}}' };
  let token: string | null = null;
  const client = createParleyClient({ baseUrl, token: () => token });
  await client.get('/api/v1/user/info');
  expect(asked.authorization).toBeUndefined();
  token = 'abc';
  await client.get('/api/v1/user/info');
  expect(asked.authorization).toBe('Bearer abc');
  await createParleyClient({ baseUrl, token: 'lbk_key' }).get('/api/v1/user/info');
  expect(asked.authorization).toBe('Bearer lbk_key');
});

test('reads a record with its tag, and sends the tag with a change', async () => {
  answer = { status: 200, headers: { etag: '"a1"' }, body: '{"code":0,"msg":"ok","data":{"key":{"name":"k"}}}' };
  const client = createParleyClient({ baseUrl });
  const path = { id: 1 };
  const { data, etag } = await client.getTagged('/api/v1/apikeys/{id}', { params: { path } });
  expect([data.key.name, etag]).toEqual(['k', '"a1"']);
  expect(ifMatch).toBeUndefined();
  const header = etag === null ? {} : { 'if-match': etag };
  await client.put('/api/v1/apikeys/{id}', { params: { path, header }, body: { name: 'other' } });
  expect([asked.method, ifMatch, asked.body]).toEqual(['PUT', '"a1"', '{"name":"other"}']);

  answer = { status: 412, body: '{"code":-1,"msg":"It was changed","reason":"record_changed"}' };
  expect(await failure(client.getTagged('/api/v1/apikeys'))).toMatchObject({ status: 412, reason: 'record_changed' });
  answer = { status: 200, body: '{"code":0,"msg":"ok","data":{"keys":[]}}' };
  expect(await client.getTagged('/api/v1/apikeys')).toEqual({ data: { keys: [] }, etag: null });
});

test('throws what the server said about a refusal', async () => {
  answer = {
    status: 429,
    headers: { 'retry-after': '17' },
    body: '{"code":-1,"msg":"Too many","reason":"too_many_requests","details":[{"path":"user","message":"is tired"}]}',
  };
  const error = await failure(createParleyClient({ baseUrl }).get('/api/v1/user/info'));
  expect(error.name).toBe('ParleyApiError');
  expect(error).toMatchObject({
    message: 'Too many',
    status: 429,
    reason: 'too_many_requests',
    details: [{ path: 'user', message: 'is tired' }],
    retryAfterSeconds: 17,
  });
});

test('throws something readable when a proxy answered', async () => {
  answer = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' };
  const error = await failure(createParleyClient({ baseUrl }).get('/api/v1/user/info'));
  expect(error).toMatchObject({ message: 'The server answered 502.', status: 502, reason: 'unknown', details: [] });
  expect(error.retryAfterSeconds).toBeUndefined();
});

test('throws with status 0 without a response', async () => {
  const unused = createServer();
  unused.listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const { port } = unused.address() as AddressInfo;
  unused.close();
  await once(unused, 'close');
  const error = await failure(createParleyClient({ baseUrl: `http://127.0.0.1:${port}` }).get('/api/v1/user/info'));
  expect(error).toMatchObject({ status: 0, reason: 'unreachable' });
});

test('an aborted call is an abort, not a server out of reach', async () => {
  answer = { status: 200, body: '{"code":0,"msg":"ok","data":{}}' };
  const call = createParleyClient({ baseUrl }).get('/api/v1/user/info', { signal: AbortSignal.abort() });
  expect((await failure(call)).name).toBe('AbortError');
});
