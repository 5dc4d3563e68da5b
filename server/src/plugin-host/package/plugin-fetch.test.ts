import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { PluginFetch, type PluginFetchOptions } from './plugin-fetch.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const paths: string[] = [];
const server = createServer((request, response) => {
  paths.push(request.url ?? '');
  answer(request, response);
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const { signal } = new AbortController();
const fetchOf = (over: Partial<PluginFetchOptions> = {}) =>
  new PluginFetch({
    fetch: createGuardedFetch({ policy: 'saved' }),
    hosts: [origin],
    catalogue: null,
    gitHubApi: origin,
    ...over,
  });
const json = (value: unknown) => {
  answer = (_, response) => response.end(JSON.stringify(value));
};

describe('lists of GitHub', () => {
  const release = { id: 1, tag_name: 'v1', name: null, published_at: null, prerelease: false, draft: false, url: 'x' };
  const asset = {
    id: 2,
    name: 'a.zip',
    size: 3,
    browser_download_url: 'https://github.com/a.zip',
    content_type: 'b',
    x: 1,
  };

  it('have the fields that clients know, and no others', async () => {
    json([release]);
    const { url: _, ...known } = release;
    expect(await fetchOf().releases('o', '../r', signal)).toEqual([{ ...known, name: 'v1' }]);
    expect(paths.at(-1)).toBe('/repos/o/..%2Fr/releases');
    json({ id: 1, assets: [asset] });
    const download_url = asset.browser_download_url;
    expect(await fetchOf().releaseAssets('o', 'r', '1', signal)).toEqual([
      { id: 2, name: 'a.zip', size: 3, content_type: 'b', download_url },
    ]);
  });

  it.each([
    ['a text', (response: ServerResponse) => response.end('no')],
    ['other fields', (response: ServerResponse) => response.end('[{"id":"1"}]')],
    ['an error', (response: ServerResponse) => response.writeHead(403).end()],
    ['too much', (response: ServerResponse) => response.end(Buffer.alloc(6 * 1024 * 1024, ' '))],
    ['redirects without end', (response: ServerResponse) => response.writeHead(302, { location: '/again' }).end()],
  ])('that are %s fail with the host', async (_, respond) => {
    answer = (_request, response) => respond(response);
    await expect(fetchOf().releases('o', 'r', signal)).rejects.toMatchObject({
      reason: 'platform_failed',
      message: expect.stringContaining('127.0.0.1'),
    });
  });
});

describe('a download', () => {
  const download = (url: string, over: Partial<PluginFetchOptions> = {}) =>
    buffer(fetchOf(over).download(url, { signal, progress: () => undefined }));

  it.each([
    'https://example.com/a.zip',
    'http://example.com/a.zip',
    'file:///etc/passwd',
    'a.zip',
    'http://u:p@127.0.0.1/a',
  ])('of %s is refused', async (url) => {
    await expect(download(url)).rejects.toMatchObject({ reason: 'address_not_allowed' });
  });

  it('is not plain where only the host is allowed', async () => {
    const { host } = new URL(origin);
    await expect(download(`${origin}/a.zip`, { hosts: [host] })).rejects.toMatchObject({
      reason: 'address_not_allowed',
    });
  });

  it('reports its progress, and where it leads', async () => {
    answer = (request, response) => {
      if (request.url === '/a.zip') response.writeHead(301, { location: '/b.zip' }).end();
      else response.writeHead(200, { 'content-length': 3 }).end('zip');
    };
    const reports: (number | null)[][] = [];
    const content = fetchOf().download(`${origin}/a.zip`, { signal, progress: (...report) => reports.push(report) });
    expect((await buffer(content)).toString()).toBe('zip');
    expect(reports.at(-1)).toEqual([3, 3]);
  });
});

describe('a catalogue', () => {
  it('names its packages from where it is', async () => {
    const entry = { id: 'a/b', version: '1.0.0', sha256: '0'.repeat(64) };
    json({ plugins: [{ ...entry, url: 'b.zip' }], more: 1 });
    const catalogue = `${origin}/lists/plugins.json`;
    expect(await fetchOf({ catalogue }).catalogue(signal)).toEqual([{ ...entry, url: `${origin}/lists/b.zip` }]);
    await expect(fetchOf().catalogue(signal)).rejects.toMatchObject({ reason: 'conflict' });
  });
});
