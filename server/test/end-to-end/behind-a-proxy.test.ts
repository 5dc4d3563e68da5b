import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { defaults, openChat, signedIn } from './api-client.ts';

describe('a service behind a proxy', () => {
  let place: StoragePlace;
  let service: ServiceProcess;
  beforeEach(async () => {
    place = await makeMigratedPlace('sqlite');
  });
  afterEach(async () => {
    await service.stop();
    await place.remove();
  });
  const start = async (environment: Record<string, string>) => {
    service = await startServiceProcess({ ...place, environment });
  };
  /** A request with headers that `fetch` would not send. */
  const raw = async (method: string, path: string, headers: Record<string, string>, json?: unknown) => {
    const sent = request(`${service.address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.end(json === undefined ? undefined : JSON.stringify(json));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response);
    return { status: response.statusCode, headers: response.headers, body: body === '' ? null : JSON.parse(body) };
  };
  const guess = (forwardedFor: string) =>
    raw('POST', '/api/v1/user/auth', { 'x-forwarded-for': forwardedFor }, { user: 'ada', password: 'a wrong guess' });

  it('is reached below its path', async () => {
    await start({ PARLEY_BASE_PATH: '/parley/chat' });
    expect(new URL(service.address).pathname).toBe('/parley/chat');
    const api = await signedIn(service.address);
    const { pipeline } = await defaults(api);
    const chat = await openChat(service.address, { pipeline, headers: { authorization: `Bearer ${api.token}` } });
    chat.say('Hello');
    await chat.answer('Hello');
    await chat.close();
    expect(await raw('GET', '/api/v1/nothing?a=b', {})).toMatchObject({ status: 404, body: { code: -1 } });
    const credentials = { user: 'admin@example.com', password: 'correct horse battery staple' };
    const { headers } = await raw('POST', '/api/v1/user/auth', {}, credentials);
    expect(headers['set-cookie']?.[0]).toContain('Path=/parley/chat');
  });

  it.runIf(looksClosely)('lets pages of other sites call when their origin is listed, and no others', async () => {
    await start({ PARLEY_CORS_ORIGINS: 'https://chat.example.com' });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const listed = await raw('OPTIONS', '/api/v1/pipelines', { ...asked, origin: 'https://chat.example.com' });
    expect(listed.status).toBe(204);
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': 'https://chat.example.com',
      'access-control-allow-headers': 'authorization',
      'access-control-allow-methods': expect.stringContaining('POST'),
    });
    const other = await raw('OPTIONS', '/api/v1/pipelines', { ...asked, origin: 'https://evil.example.com' });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    const read = await raw('GET', '/api/v1/system/info', { origin: 'https://chat.example.com' });
    expect(read.headers['access-control-allow-origin']).toBe('https://chat.example.com');
    expect(read.headers.vary).toContain('Origin');
    expect(read.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.runIf(looksClosely)('tells people apart by the address that a trusted proxy reports', async () => {
    await start({ PARLEY_TRUSTED_PROXIES: 'loopback' });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess('203.0.113.1')).status).toBe(400);
    expect(await guess('203.0.113.1')).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect((await guess('203.0.113.2')).status).toBe(400);
  });

  it.runIf(looksClosely)('ignores forwarding headers of other addresses', async () => {
    await start({});
    for (let attempt = 0; attempt < 5; attempt += 1) await guess(`203.0.113.${attempt}`);
    expect((await guess('203.0.113.9')).status).toBe(429);
  });

  it.runIf(looksClosely)('does not answer for names that others may point at this machine', async () => {
    await start({});
    const { port } = new URL(service.address);
    expect(await raw('GET', '/api/v1/system/info', { host: `evil.example.com:${port}` })).toMatchObject({
      status: 403,
      body: { reason: 'unknown_host' },
    });
    expect((await raw('GET', '/api/v1/system/info', { host: `localhost:${port}` })).status).toBe(200);
  });
});
