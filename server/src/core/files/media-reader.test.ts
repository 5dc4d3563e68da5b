import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { maximumFileBytes } from './file.ts';
import { MediaReader } from './media-reader.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = {
  readMedia: async (path: string) =>
    path === 'stored'
      ? {
          path,
          name: 'stored.png',
          size: png.length,
          media_type: 'image/png',
          content: (async function* () {
            yield png.subarray(0, 10);
            yield png.subarray(10);
          })(),
        }
      : null,
};
let server: ReturnType<typeof createServer>;
let origin: string;
beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/a.png') response.end(png);
    else if (request.url === '/huge') {
      const piece = Buffer.alloc(1024 * 1024);
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    } else response.writeHead(404).end('not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

// The loopback address is one that only an administrator may name.
const reader = new MediaReader(files, createGuardedFetch({ policy: 'saved' }));

it('reads stored files, inline content and remote files', async () => {
  const content = { media_type: 'image/png', bytes: png };
  expect(await reader.read({ type: 'Image', path: 'stored' })).toEqual({ ...content, name: 'stored.png' });
  const base64 = `data:image/jpeg;base64,${png.toString('base64')}`;
  expect(await reader.read({ type: 'Image', base64 })).toEqual({ ...content, name: 'image' });
  expect(await reader.read({ type: 'File', name: 'b.png', url: `${origin}/a.png` })).toEqual({
    ...content,
    name: 'b.png',
  });
});

it.each([
  [{ type: 'Plain', text: 'x' } as const],
  [{ type: 'Image', path: 'gone' } as const],
  [{ type: 'Image', image_id: 'elsewhere' } as const],
  [{ type: 'Image', url: 'file:///etc/passwd' } as const],
])('finds nothing for %j', async (element) => {
  await expect(reader.read(element)).rejects.toMatchObject({ reason: 'not_found' });
});

it('fails when the address responds with an error', async () => {
  await expect(reader.read({ type: 'Image', url: `${origin}/nothing` })).rejects.toMatchObject({ reason: 'not_found' });
});

it('enforces the size limit of files', async () => {
  await expect(reader.read({ type: 'File', url: `${origin}/huge` })).rejects.toMatchObject({ reason: 'too_large' });
  const base64 = 'A'.repeat(Math.ceil(maximumFileBytes * 1.5));
  await expect(reader.read({ type: 'File', base64 })).rejects.toMatchObject({ reason: 'too_large' });
});

it('refuses private addresses that a message names', async () => {
  const careful = new MediaReader(files, createGuardedFetch({ policy: 'content' }));
  await expect(careful.read({ type: 'Image', url: `${origin}/a.png` })).rejects.toMatchObject({
    reason: 'address_not_allowed',
  });
});
