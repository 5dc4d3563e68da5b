import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ParleyError } from '@parley/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server on a free loopback port; every connection serves one request, so that each request reconnects. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

const resolvingTo = (...answers: string[]) =>
  vi.fn(async (_hostname: string) => [{ address: answers.shift() ?? '203.0.113.1', family: 4 }]);

async function refusedBy(attempt: Promise<unknown>): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ParleyError);
  expect((error as ParleyError).reason).toBe('address_not_allowed');
}

describe('createGuardedFetch', () => {
  it('reaches loopback by address and by name when an administrator saved it', async () => {
    const port = await serve((_request, response) => response.end('hello'));
    const fetch = createGuardedFetch({ policy: 'saved' });
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
    expect(await (await fetch(new URL(`http://localhost:${port}/`))).text()).toBe('hello');
    expect(await (await fetch(`http://[::ffff:127.0.0.1]:${port}/`)).text()).toBe('hello');
  });

  it('takes a Request, its method, headers and body', async () => {
    const port = await serve(async (request, response) => {
      response.end(`${request.method} ${request.headers['x-mark']} ${Buffer.concat(await request.toArray())}`);
    });
    const fetch = createGuardedFetch({ policy: 'saved' });
    const request = new Request(`http://127.0.0.1:${port}/`, { method: 'PUT', headers: { 'x-mark': 'm' }, body: 'b' });
    expect(await (await fetch(request)).text()).toBe('PUT m b');
  });

  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    'localhost',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
  ])('refuses content at %s without asking the server', async (host) => {
    const requested = vi.fn();
    const port = await serve((_request, response) => {
      requested();
      response.end();
    });
    await refusedBy(createGuardedFetch({ policy: 'content' })(`http://${host}:${port}/`));
    expect(requested).not.toHaveBeenCalled();
  });

  it.each([
    '169.254.169.254',
    '[fe80::1]',
    '0.0.0.0',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '255.255.255.255',
  ])('refuses %s even when an administrator saved it', async (host) => {
    await refusedBy(createGuardedFetch({ policy: 'saved' })(`http://${host}/latest/meta-data/`));
  });

  it('refuses a name that resolves to a private address', async () => {
    const resolve = resolvingTo('192.168.0.10');
    await refusedBy(createGuardedFetch({ policy: 'content', resolve })('http://images.example.org/a.png'));
    expect(resolve).toHaveBeenCalledExactlyOnceWith('images.example.org');
  });

  it('connects to the allowed addresses of a name that also has a refused one', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const resolve = async () => [
      { address: '169.254.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const response = await createGuardedFetch({ policy: 'saved', resolve })(`http://model.example.org:${port}/`);
    expect(await response.text()).toBe('reached');
  });

  it('checks each connection, so a name that answers differently the second time is refused', async () => {
    const port = await serve((_request, response) => response.end('first'));
    const resolve = resolvingTo('127.0.0.1', '169.254.169.254');
    const fetch = createGuardedFetch({ policy: 'saved', resolve });
    expect(await (await fetch(`http://rebind.example.org:${port}/`)).text()).toBe('first');
    await refusedBy(fetch(`http://rebind.example.org:${port}/`));
    expect(resolve).toHaveBeenCalledTimes(2);
  });

  it('resolves once per connection, so the checked address is the one connected to', async () => {
    const port = await serve((_request, response) => response.end('same'));
    const resolve = resolvingTo('127.0.0.1', '169.254.169.254');
    const response = await createGuardedFetch({ policy: 'saved', resolve })(`http://rebind.example.org:${port}/`);
    expect(await response.text()).toBe('same');
    expect(resolve).toHaveBeenCalledOnce();
  });

  it.each([
    'http://169.254.169.254/',
    'http://metadata.example.org/',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/',
  ])('refuses a redirect to %s', async (location) => {
    const port = await serve((_request, response) => response.writeHead(302, { location }).end());
    const resolve = resolvingTo('169.254.169.254');
    await refusedBy(createGuardedFetch({ policy: 'saved', resolve })(`http://127.0.0.1:${port}/`));
  });

  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user:secret@example.org/',
    'not a url',
  ])('refuses %s', async (address) => {
    await refusedBy(createGuardedFetch({ policy: 'saved' })(address));
  });

  it('keeps headers on a redirect within the origin and drops credentials across origins', async () => {
    const seen: Record<string, IncomingHttpHeaders> = {};
    const otherPort = await serve((request, response) => {
      seen.other = request.headers;
      response.end('other');
    });
    const port = await serve((request, response) => {
      seen[request.url ?? ''] = request.headers;
      const location = request.url === '/first' ? '/second' : `http://127.0.0.1:${otherPort}/`;
      response.writeHead(307, { location }).end();
    });
    const response = await createGuardedFetch({ policy: 'saved' })(`http://127.0.0.1:${port}/first`, {
      headers: { authorization: 'Bearer k', 'x-api-key': 'k', cookie: 'c=k', accept: 'text/plain' },
    });
    expect(await response.text()).toBe('other');
    expect(seen['/second']).toMatchObject({ authorization: 'Bearer k', 'x-api-key': 'k', accept: 'text/plain' });
    expect(seen.other).toMatchObject({ accept: 'text/plain' });
    expect(seen.other).not.toHaveProperty('authorization');
    expect(seen.other).not.toHaveProperty('x-api-key');
    expect(seen.other).not.toHaveProperty('cookie');
  });

  it.each([
    [303, 'GET ', undefined],
    [302, 'GET ', undefined],
    [307, 'POST payload', 'text/plain'],
  ])('after a %i to a POST requests with %j', async (status, expected, contentType) => {
    const port = await serve(async (request, response) => {
      if (request.url === '/') return response.writeHead(status, { location: '/next' }).end();
      expect(request.headers['content-type']).toBe(contentType);
      return response.end(`${request.method} ${Buffer.concat(await request.toArray())}`);
    });
    const response = await createGuardedFetch({ policy: 'saved' })(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'payload',
    });
    expect(await response.text()).toBe(expected);
  });

  it('follows at most the given number of redirects', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: '/again' }).end();
    });
    const fetch = createGuardedFetch({ policy: 'saved', maximumRedirects: 3 });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('More than 3 redirects');
    expect(requests).toBe(4);
  });

  it('leaves redirects to the caller on request', async () => {
    const port = await serve((_request, response) => response.writeHead(302, { location: '/next' }).end());
    const fetch = createGuardedFetch({ policy: 'saved' });
    expect((await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })).status).toBe(302);
    await expect(fetch(`http://127.0.0.1:${port}/`, { redirect: 'error' })).rejects.toThrow('redirect');
  });

  it('fails as fetch does for a refused connection, an unknown name and an abort', async () => {
    const port = await serve((_request, response) => response.end());
    await closers.pop()?.();
    const fetch = createGuardedFetch({ policy: 'saved' });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });

    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    const lost = createGuardedFetch({ policy: 'saved', resolve: () => Promise.reject(unknown) });
    await expect(lost('http://nowhere.example.org/')).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } });

    const reason = new Error('aborted');
    await expect(fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
