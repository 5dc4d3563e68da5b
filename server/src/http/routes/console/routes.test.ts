import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { ParleyError } from '@parley/sdk';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../http-server.ts';
import type { RouteServices } from '../route-services.ts';

const directory = mkdtempSync(join(tmpdir(), 'parley-console-'));
const consoleDirectory = join(directory, 'dist');
mkdirSync(join(consoleDirectory, 'assets'), { recursive: true });
writeFileSync(join(consoleDirectory, 'index.html'), '<!doctype html><base href="/"><div id="root"></div>');
writeFileSync(join(consoleDirectory, 'icon.svg'), '<svg/>');
writeFileSync(join(consoleDirectory, 'assets', 'index-abc123.js'), 'console.log(1)');
writeFileSync(join(consoleDirectory, 'assets', 'index-abc123.js.br'), brotliCompressSync('console.log(1)'));
writeFileSync(join(directory, 'secret.key'), 'outside');

const acceptOfBrowsers = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function noBot(): Promise<never> {
  throw new ParleyError('not_found', 'Bot not found');
}

/** A server whose routes are there and whose services are not, since the console asks for none. */
async function serve(options: { consoleDirectory: string | null; basePath?: string; publicUrl?: string }) {
  const { server } = await createHttpServer(
    {
      models: {},
      storageTrouble: () => null,
      botWebhooks: { find: noBot },
      extensionChanges: { hasOthers: false },
      leaving: new AbortController().signal,
      isDraining: () => false,
    } as unknown as RouteServices,
    {
      host: '127.0.0.1',
      publicUrl: null,
      basePath: '',
      setupWithoutToken: false,
      openApiFile: '',
      trustedProxies: [],
      corsOrigins: [],
      maxConnections: 100,
      maxOpenBodyMegabytes: 16,
      installationId: 'test',
      isStopping: () => false,
      isStarting: () => false,
      logger: pino({ level: 'silent' }),
      ...options,
    },
  );
  return server;
}

describe('the console', async () => {
  const server = await serve({ consoleDirectory });

  it.each(['/', '/index.html', '/login', '/home/bots?id=1', '/apiary', '/docs-of-mine'])(
    'shows its page under %s',
    async (url) => {
      const answer = await server.inject({ url });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.body).toContain('<base href="/">');
      expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
      expect(answer.headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it('lets browsers keep built files for ever, and the others not at all', async () => {
    const asset = await server.inject({ url: '/assets/index-abc123.js' });
    expect(asset.body).toBe('console.log(1)');
    expect(asset.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const small = await server.inject({
      url: '/assets/index-abc123.js',
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    });
    expect(small.headers).toMatchObject({ 'content-encoding': 'br', vary: expect.stringMatching(/accept-encoding/i) });
    expect(small.headers['content-type']).toBe(asset.headers['content-type']);
    expect(small.headers['cache-control']).toBe(asset.headers['cache-control']);
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe('console.log(1)');
    const icon = await server.inject({ url: '/icon.svg' });
    expect(icon.headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(icon.headers['cache-control']).toBe('no-store');
  });

  it.each([
    '/assets/gone.js',
    '/gone.png',
    '/../secret.key',
    '/%2e%2e/secret.key',
    '/assets/..%2f..%2fsecret.key',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.key',
    '/assets/..%5c..%5csecret.key',
    '/assets/',
    '/assets',
    '/%2fetc%2fpasswd.txt',
  ])('shows nothing that is not its own under %s', async (url) => {
    const answer = await server.inject({ url });
    expect(answer.body).not.toContain('outside');
    if (answer.statusCode === 200) expect(answer.body).toContain('<base href="/">');
    else expect(answer.json()).toMatchObject({ code: -1, reason: 'not_found' });
    expect([200, 404]).toContain(answer.statusCode);
  });

  it.each(['/bots', '/bots/', '/bots?state=error&q=x', '/bots/new', '/docs/nothing'])(
    'shows its page to browsers under %s, and JSON to programs',
    async (url) => {
      const page = await server.inject({ url, headers: { accept: acceptOfBrowsers } });
      expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('<base href="/">')]);
      expect(page.headers['content-security-policy']).toContain("default-src 'self'");
      for (const accept of ['*/*', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', '']) {
        const answer = await server.inject({ url, headers: { accept } });
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      }
    },
  );

  it.each(['/api/v1/nothing', '/v1/nothing'])('answers 404 as JSON to everybody under %s', async (url) => {
    expect((await server.inject({ url, headers: { accept: acceptOfBrowsers } })).statusCode).toBe(404);
  });

  it('answers 400 to a path that no file can have', async () => {
    const answer = await server.inject({ url: '/assets/%00.js' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: -1, reason: 'invalid_request' });
  });

  it('answers 404 to a built file that is gone, and does not let browsers keep that', async () => {
    const answer = await server.inject({ url: '/assets/gone.js' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers 404 as JSON to %s', async (method) => {
    const answer = await server.inject({ method: method as 'POST', url: '/login' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: -1, reason: 'not_found' });
  });
});

it('frames pages of plugins alone', async () => {
  const frames = async (options: { basePath?: string; publicUrl?: string }) => {
    const { headers } = await (await serve({ consoleDirectory, ...options })).inject({
      url: '/',
      headers: { host: 'localhost:5300' },
    });
    return /frame-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  };
  expect(await frames({})).toBe('localhost:5300/plugin-pages/');
  expect(await frames({ basePath: '/parley', publicUrl: 'https://bots.example.com/parley' })).toBe(
    'localhost:5300/parley/plugin-pages/ bots.example.com/parley/plugin-pages/',
  );
});

describe('the console below a path', async () => {
  const server = await serve({ consoleDirectory, basePath: '/parley' });

  it.each(['/parley', '/parley/', '/parley?x=1', '/parley/login', '/login'])('finds its files from %s', async (url) => {
    expect((await server.inject({ url })).body).toContain('<base href="/parley/">');
    expect((await server.inject({ url: '/parley/icon.svg' })).body).toBe('<svg/>');
  });

  it('does not take another path for its own', async () => {
    expect((await server.inject({ url: '/parley/api/v1/nothing' })).statusCode).toBe(404);
    expect((await server.inject({ url: '/parleys/icon.svg' })).statusCode).toBe(404);
  });
});

describe('the console when it was not built', async () => {
  const server = await serve({ consoleDirectory: null });

  it('says how to build it', async () => {
    const answer = await server.inject({ url: '/' });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('npm start');
  });

  it('still answers 404 under the API', async () => {
    expect((await server.inject({ url: '/api/v1/nothing' })).statusCode).toBe(404);
  });
});
