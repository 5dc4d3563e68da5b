import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeliveryError, ParleyError } from '@parley/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuardedFetch } from '../guarded-fetch.ts';
import { CallLimits } from './call-limits.ts';
import { PlatformApi, type PlatformApiOptions } from './platform-api.ts';

const seen: { method?: string; url?: string; type?: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = '', url = '', headers } = request;
  seen.push({ method, url, type: headers['content-type'] ?? '', body });
  if (url.startsWith('/silent')) return;
  if (url.startsWith('/cut')) return void response.destroy();
  if (url.startsWith('/moved')) return void response.writeHead(302, { location: '/elsewhere' }).end();
  if (url.startsWith('/large')) return void response.end('x'.repeat(2000));
  if (url.startsWith('/page')) return void response.writeHead(502).end('<html>Bad gateway</html>');
  response.writeHead(url.startsWith('/refused') ? 400 : 200, { 'x-limit': '1' }).end('{"ok":true}');
});
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());
afterAll(() => new Promise((resolve) => server.close(resolve)));

const open = (over: Partial<PlatformApiOptions> = {}) =>
  new PlatformApi({
    name: 'Example',
    fetch: createGuardedFetch({ policy: 'saved' }),
    closed: new AbortController().signal,
    ...over,
  });
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ParleyError);
  return error as DeliveryError;
};

it('sends JSON and returns the response, whatever its status', async () => {
  const answer = await open().call({ method: 'POST', url: `${base}/refused?a=1`, json: { text: '你好' } });
  expect(answer).toMatchObject({ status: 400, body: { ok: true } });
  expect(answer.headers.get('x-limit')).toBe('1');
  expect(seen.at(-1)).toEqual({
    method: 'POST',
    url: '/refused?a=1',
    type: 'application/json; charset=utf-8',
    body: '{"text":"你好"}',
  });
});

it('sends other bodies as they are', async () => {
  await open().call({
    method: 'PUT',
    url: `${base}/x`,
    body: new Uint8Array([65]),
    headers: { 'content-type': 'a/b' },
  });
  expect(seen.at(-1)).toMatchObject({ method: 'PUT', type: 'a/b', body: 'A' });
});

it('sends forms with files', async () => {
  const form = new FormData();
  form.set('file', new Blob(['content'], { type: 'text/plain' }), 'a.txt');
  await open().call({ method: 'POST', url: `${base}/form`, body: form });
  const { type, body } = seen.at(-1) ?? {};
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  expect(body).toMatch(/name="file"; filename="a.txt"\r\nContent-Type: text\/plain\r\n\r\ncontent\r\n/);
});

it('returns a response that is no JSON without a body', async () => {
  expect(await open().call({ method: 'GET', url: `${base}/page` })).toMatchObject({ status: 502, body: undefined });
});

it.each([
  ['silent', 'POST', 'unknown', 'Example did not answer in time', false],
  ['silent', 'GET', 'unknown', 'Example did not answer in time', true],
  ['cut', 'POST', 'unknown', /^The connection to Example broke off/, false],
  ['moved', 'POST', 'unknown', /^The connection to Example broke off/, false],
  ['large', 'POST', 'unknown', /^The connection to Example broke off/, false],
] as const)('says how a call ended without a response: %s, %s', async (path, method, kind, message, isRepeatable) => {
  const api = open({ timeoutMs: 100, maximumBytes: 1000 });
  const failure = await failureOf(api.call({ method, url: `${base}/${path}?token=secret` }));
  expect(failure).toMatchObject({ kind, isRepeatable, message: expect.stringMatching(message) });
  expect(String(failure)).not.toContain('secret');
});

it('says that a call did not reach the platform', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  const failure = await failureOf(open().call({ method: 'POST', url: `http://127.0.0.1:${port}/` }));
  expect(failure).toMatchObject({ kind: 'not_sent', message: expect.stringMatching(/^Example cannot be reached/) });
});

it('keeps the reason of a refused address', async () => {
  const api = open({ fetch: createGuardedFetch({ policy: 'content' }) });
  expect(await failureOf(api.call({ method: 'GET', url: base }))).toMatchObject({ reason: 'address_not_allowed' });
});

it('ends its calls when the bot is stopped, in an unknown state', async () => {
  const ended = new AbortController();
  const call = failureOf(open({ closed: ended.signal }).call({ method: 'POST', url: `${base}/silent/stop` }));
  await expect.poll(() => seen.at(-1)?.url).toBe('/silent/stop');
  ended.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  expect(await call).toMatchObject({ kind: 'unknown', message: 'The bot was stopped before Example answered' });
});

it('pauses the calls of a limit, and no others', async () => {
  const api = open();
  api.limits.pause('a', 80);
  const began = performance.now();
  await api.call({ method: 'GET', url: base, limit: 'b' });
  const others = performance.now() - began;
  await api.call({ method: 'GET', url: base, limit: 'a' });
  expect(performance.now() - began).toBeGreaterThanOrEqual(79);
  expect(others).toBeLessThan(79);
});

it.each(['chat', 'bot'] as const)('does not wait for a long pause of a %s', async (scope) => {
  const limits = new CallLimits({ longestWaitMs: 10 });
  if (scope === 'bot') limits.pauseAll(30_000);
  else limits.pause('a', 30_000);
  const before = seen.length;
  const failure = await failureOf(open({ limits }).call({ method: 'POST', url: base, limit: 'a' }));
  expect(failure).toMatchObject({ kind: 'not_sent', reason: 'quota', rateLimit: { scope } });
  expect(failure.rateLimit?.pauseMs).toBeGreaterThan(29_000);
  expect(failure.retryAfterSeconds).toBe(30);
  expect(seen).toHaveLength(before);
});

it('ends waiting when the bot is stopped, and has sent nothing', async () => {
  const ended = new AbortController();
  const api = open({ closed: ended.signal });
  api.limits.pause('a', 4000);
  const before = seen.length;
  const call = failureOf(api.call({ method: 'POST', url: base, limit: 'a' }));
  ended.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  expect(await call).toMatchObject({ reason: 'bot_not_running' });
  expect(seen).toHaveLength(before);
});

it('forgets limits that are over once there are many', async () => {
  const limits = new CallLimits({ longestWaitMs: 0 });
  limits.pause('kept', 60_000);
  for (let index = 0; index < 3000; index += 1) limits.pause(`limit ${index}`, -1);
  await limits.wait('limit 1', new AbortController().signal);
  await expect(limits.wait('kept', new AbortController().signal)).rejects.toBeInstanceOf(DeliveryError);
});
