import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { collected } from '../../../test/factories/channel-pair.ts';
import { type ScriptedPlugin, scriptedPlugins } from '../../../test/factories/scripted-plugins.ts';
import type { HostRequest } from '../../core/plugins/host/plugin-host-api.ts';
import type { HostMethods } from '../../core/plugins/plugin-protocol.ts';
import { createFetchForRecord } from '../../kit/fetch-for-record.ts';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { type HostFetchOptions, hostFetch } from './host-fetch.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server on a free loopback port. @returns its origin */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Given = Partial<HostMethods['fetch']['parameters']> & { url: string };

interface Asking {
  /** Hosts that are granted. */
  hosts?: string[];
  /** The setting `server`, an address. */
  server?: string;
  /** Addresses that an admin saved. */
  saved?: string[] | null;
  fetchFor?: HostFetchOptions['fetchFor'];
  timeoutMs?: number;
  signal?: AbortSignal;
}

async function ask(given: Given, asking: Asking = {}) {
  const { hosts = [], server = '', saved = [], signal = new AbortController().signal } = asking;
  const script: ScriptedPlugin = { permissions: hosts.length === 0 ? {} : { fetch: hosts }, settings: { server } };
  const { plugins } = scriptedPlugins([script]);
  const [active] = plugins.list();
  if (active === undefined) throw new Error('there is one');
  const { fetch } = hostFetch({
    settings: (id) => plugins.settings(id),
    fetchFor: asking.fetchFor ?? createFetchForRecord(),
    ...(asking.timeoutMs === undefined ? {} : { timeoutMs: asking.timeoutMs }),
  });
  const request: HostRequest = {
    plugin: { ...active, admin_addresses: saved },
    scope: null,
    signal,
    nextKey: () => null,
  };
  const { result, bytes } = await fetch(
    { method: 'GET', headers: {}, body: null, redirect: 'follow', ...given },
    request,
  );
  if (bytes === undefined) throw new Error('there are always bytes');
  return { ...result, bytes };
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await collected(bytes)).toString();
}

/** Hosts on the internet: a response, or where they redirect to; others are resolved to a private address. */
function internet(hosts: Record<string, string | Response>) {
  const requests: { url: string; headers: Headers }[] = [];
  const guarded = createGuardedFetch({
    policy: 'content',
    resolve: async () => [{ address: '10.0.0.1', family: 4 }],
  });
  const client: typeof fetch = async (input, init) => {
    const url = String(input);
    requests.push({ url, headers: new Headers(init?.headers) });
    const found = hosts[new URL(url).hostname];
    if (found === undefined) return guarded(url, init);
    return typeof found === 'string' ? new Response(null, { status: 302, headers: { location: found } }) : found;
  };
  return { requests, fetchFor: vi.fn(() => client) };
}

const denied = { reason: 'plugin_permission_denied' };

it('sends requests to hosts that are granted, over HTTPS only', async () => {
  const { requests, fetchFor } = internet({ 'api.example.com': new Response('hello') });
  const asking = { hosts: ['api.example.com'], fetchFor };
  expect(await textOf((await ask({ url: 'https://api.example.com/a' }, asking)).bytes)).toBe('hello');
  for (const url of ['http://api.example.com/', 'https://api.example.com:8443/', 'https://example.com/']) {
    await expect(ask({ url }, asking)).rejects.toMatchObject(denied);
  }
  await expect(ask({ url: 'https://api.example.com/' }, { fetchFor })).rejects.toMatchObject(denied);
  expect(requests.map(({ url }) => url)).toEqual(['https://api.example.com/a']);
});

it.each([
  'file:///etc/passwd',
  'data:text/plain,a',
  'ftp://api.example.com/',
  'no address',
  'https://a:b@api.example.com/',
])('does not fetch %s', async (url) => {
  const { requests, fetchFor } = internet({});
  await expect(ask({ url }, { hosts: ['api.example.com', '*'], fetchFor })).rejects.toMatchObject({
    reason: 'address_not_allowed',
  });
  expect(requests).toEqual([]);
});

it.each([
  ['a host that is not granted', 'https://evil.example/', 'plugin_permission_denied'],
  ['another port', 'https://b.example.com:8443/', 'plugin_permission_denied'],
  ['HTTP', 'http://b.example.com/', 'plugin_permission_denied'],
  ['an address of the local network', 'https://10.0.0.1/', 'plugin_permission_denied'],
  ['another scheme', 'file:///etc/passwd', 'address_not_allowed'],
  ['a name with a private address', 'https://b.example.com/', 'address_not_allowed'],
])('does not follow a redirect to %s', async (_, location, reason) => {
  const { fetchFor } = internet({ 'a.example.com': location });
  await expect(ask({ url: 'https://a.example.com/' }, { hosts: ['*.example.com'], fetchFor })).rejects.toMatchObject({
    reason,
  });
});

it('does not connect to a granted name with a private address, whatever an admin saved', async () => {
  const requested = vi.fn();
  const server = await serve((_, response) => response.end(requested()));
  const { port } = new URL(server);
  const fetchFor: HostFetchOptions['fetchFor'] = (addresses) =>
    createGuardedFetch({
      policy: addresses === null ? 'saved' : 'content',
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
  for (const saved of [null, [], [`https://rebound.example.com:${port}`]]) {
    await expect(
      ask({ url: `https://rebound.example.com:${port}/` }, { hosts: [`rebound.example.com:${port}`], saved, fetchFor }),
    ).rejects.toMatchObject({ reason: 'address_not_allowed' });
  }
  expect(requested).not.toHaveBeenCalled();
});

it('sends requests to an address in the settings, to a private one if an admin saved it', async () => {
  const server = await serve((request, response) => response.end(request.url));
  const asking = { server: `${server}/api` };
  for (const saved of [[`${server}/api`], null]) {
    const { bytes } = await ask({ url: `${server}/other` }, { ...asking, saved });
    expect(await textOf(bytes)).toBe('/other');
  }
  await expect(ask({ url: `${server}/` }, { ...asking, saved: [] })).rejects.toMatchObject({
    reason: 'address_not_allowed',
  });
  // An address that is set no more.
  await expect(ask({ url: `${server}/` }, { saved: [`${server}/api`] })).rejects.toMatchObject(denied);
  await expect(ask({ url: 'http://127.0.0.1:1/' }, { ...asking, saved: null })).rejects.toMatchObject(denied);
});

it('sends method, headers and body, without the headers of the connection', async () => {
  const server = await serve(async (request, response) => {
    const { host, 'x-example': example, authorization, upgrade } = request.headers;
    const body = Buffer.concat(await request.toArray()).toString('hex');
    response.writeHead(201, 'Made', { 'x-reply': 'yes', 'set-cookie': ['a=1', 'b=2'] });
    response.end(JSON.stringify({ method: request.method, host, example, authorization, upgrade, body }));
  });
  const headers = { Host: 'evil.example', Upgrade: 'h2c', 'X-Example': 'é', Authorization: 'Bearer a' };
  const answer = await ask(
    { url: `${server}/`, method: 'patch', headers, body: Buffer.from([0, 255]).toString('base64') },
    { server, saved: [server] },
  );
  expect(answer).toMatchObject({ status: 201, status_text: 'Made', url: `${server}/` });
  expect(answer.headers).toEqual(
    expect.arrayContaining([
      ['x-reply', 'yes'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]),
  );
  expect(JSON.parse(await textOf(answer.bytes))).toMatchObject({
    method: 'PATCH',
    host: new URL(server).host,
    authorization: 'Bearer a',
    body: '00ff',
  });
});

it('keeps credentials from other hosts that it is redirected to', async () => {
  const { requests, fetchFor } = internet({
    'a.example.com': 'https://b.example.com/',
    'b.example.com': new Response('there'),
  });
  const headers = { Authorization: 'Bearer a', 'X-Key': 'k', Accept: 'text/plain' };
  await ask({ url: 'https://a.example.com/', headers }, { hosts: ['*.example.com'], fetchFor });
  expect(requests.map((request) => [...request.headers.keys()])).toEqual([
    ['accept', 'authorization', 'x-key'],
    ['accept'],
  ]);
});

it('gives a redirect as it is, or fails, as the plugin wants', async () => {
  const { requests, fetchFor } = internet({ 'a.example.com': 'https://evil.example/' });
  const asking = { hosts: ['a.example.com'], fetchFor };
  const { status, headers } = await ask({ url: 'https://a.example.com/', redirect: 'manual' }, asking);
  expect([status, headers]).toEqual([302, [['location', 'https://evil.example/']]]);
  await expect(ask({ url: 'https://a.example.com/', redirect: 'error' }, asking)).rejects.toMatchObject({
    reason: 'platform_failed',
  });
  expect(requests).toHaveLength(2);
});

it('ends a chain of redirects', async () => {
  const { requests, fetchFor } = internet({ 'a.example.com': 'https://a.example.com/again' });
  await expect(ask({ url: 'https://a.example.com/' }, { hosts: ['*'], fetchFor })).rejects.toMatchObject({
    reason: 'platform_failed',
  });
  expect(requests).toHaveLength(6);
});

it.each([
  ['a method that none may use', { method: 'CONNECT' }],
  ['a header with a line break', { headers: { 'x-a': 'a\r\nb: c' } }],
  ['a body where there is none', { body: '' }],
])('fails for %s', async (_, given) => {
  const server = await serve((_request, response) => response.end());
  await expect(ask({ url: `${server}/`, ...given }, { server, saved: [server] })).rejects.toMatchObject({
    reason: 'platform_failed',
  });
});

/** Sends without end, as fast as it is read. */
function flood(response: ServerResponse, sent: { bytes: number }): void {
  const chunk = Buffer.alloc(1 << 20);
  const write = () => {
    while (!response.destroyed) {
      sent.bytes += chunk.length;
      if (!response.write(chunk)) return void response.once('drain', write);
    }
  };
  write();
}

it('is slowed down by a slow reader, and ends the connection when the reader leaves', async () => {
  const sent = { bytes: 0 };
  const closed = Promise.withResolvers<void>();
  const server = await serve((_, response) => {
    response.once('close', () => closed.resolve());
    flood(response, sent);
  });
  const { bytes } = await ask({ url: `${server}/` }, { server, saved: [server] });
  for await (const chunk of bytes) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await closed.promise;
  expect(sent.bytes).toBeLessThan(50 << 20);
});

it('ends a response of more than 100 MB', async () => {
  const closed = Promise.withResolvers<void>();
  const server = await serve((_, response) => {
    response.once('close', () => closed.resolve());
    flood(response, { bytes: 0 });
  });
  const { bytes } = await ask({ url: `${server}/` }, { server, saved: [server] });
  let size = 0;
  const reading = (async () => {
    for await (const chunk of bytes) size += chunk.length;
  })();
  await expect(reading).rejects.toMatchObject({ reason: 'too_large' });
  expect(size).toBeLessThanOrEqual(100 << 20);
  await closed.promise;
});

it('gives what was compressed as it was before', async () => {
  const server = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync('hello'));
  });
  const { bytes, headers } = await ask({ url: `${server}/` }, { server, saved: [server] });
  const names = headers.map(([name]) => name);
  expect(names).not.toContain('content-encoding');
  expect(names).not.toContain('content-length');
  expect(await textOf(bytes)).toBe('hello');
});

it('fails when the server does not respond in time, or breaks off', async () => {
  const silent = await serve(() => undefined);
  await expect(ask({ url: `${silent}/` }, { server: silent, saved: [silent], timeoutMs: 50 })).rejects.toMatchObject({
    reason: 'plugin_timeout',
  });
  const broken = await serve((_, response) => {
    response.write('half', () => response.destroy());
  });
  const { bytes } = await ask({ url: `${broken}/` }, { server: broken, saved: [broken], timeoutMs: 5000 });
  await expect(textOf(bytes)).rejects.toMatchObject({ reason: 'platform_failed' });
});

it('names the failure of a connection', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const server = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  closed.close();
  await once(closed, 'close');
  await expect(ask({ url: `${server}/` }, { server, saved: [server] })).rejects.toMatchObject({
    reason: 'platform_failed',
    message: 'The request failed: ECONNREFUSED',
  });
});

it('ends with the call, before and during the response', async () => {
  const closed = Promise.withResolvers<void>();
  const server = await serve((request, response) => {
    response.once('close', () => closed.resolve());
    if (request.url === '/flood') flood(response, { bytes: 0 });
  });
  const reason = new Error('the call was cancelled');
  const early = new AbortController();
  const asked = ask({ url: `${server}/silent` }, { server, saved: [server], signal: early.signal });
  early.abort(reason);
  await expect(asked).rejects.toBe(reason);

  const late = new AbortController();
  const { bytes } = await ask({ url: `${server}/flood` }, { server, saved: [server], signal: late.signal });
  const reading = (async () => {
    for await (const _ of bytes) late.abort(reason);
  })();
  await expect(reading).rejects.toBe(reason);
  await closed.promise;
});
