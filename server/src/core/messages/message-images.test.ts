import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MessageElement } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { maximumFileBytes } from '../files/file.ts';
import { MediaReader } from '../files/media-reader.ts';
import { type ImageCache, MessageImages } from './message-images.ts';
import type { FoundMessage } from './message-reader.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const uuid = '01a20000-0000-7000-8000-000000000001';

let server: Server;
let origin: string;
let requested: string[];
let cached: Map<string, Uint8Array>;
let isDiskFull: boolean;
beforeEach(async () => {
  requested = [];
  cached = new Map();
  isDiskFull = false;
  server = createServer((request, response) => {
    requested.push(request.url ?? '');
    if (request.url === '/a.png') response.end(png);
    else if (request.url === '/page') response.setHeader('content-type', 'image/png').end('<!doctype html><p>Hello');
    else if (request.url === '/vector')
      response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    else if (request.url === '/large') response.end(Buffer.concat([png, Buffer.alloc(maximumFileBytes)]));
    else if (request.url === '/broken') response.destroy();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const cache: ImageCache = {
  read: async (key) => cached.get(key) ?? null,
  write: async (key, bytes) => {
    if (isDiskFull) throw new Error('the disk is full');
    cached.set(key, bytes);
  },
};

/** Images of one message. The loopback address acts as a public one unless the policy says otherwise. */
function images(chain: MessageElement[], policy: 'saved' | 'content' = 'saved') {
  const files = { readMedia: async () => null };
  const messages = {
    find: async (requestedUuid: string) =>
      requestedUuid === uuid ? ({ message: { message_chain: chain } } as FoundMessage) : null,
  };
  const media = new MediaReader(files, createGuardedFetch({ policy }));
  const loader = new MessageImages({ messages, media, cache });
  return (index: number, message = uuid, signal = new AbortController().signal) => loader.load(message, index, signal);
}
const image = (path: string): MessageElement => ({ type: 'Image', url: `${origin}${path}` });

describe('an image of a message', () => {
  it('is fetched once, and served with its type', async () => {
    const load = images([{ type: 'Plain', text: 'Look' }, image('/a.png')]);
    for (let time = 0; time < 2; time += 1) {
      const { media_type, bytes } = await load(1);
      expect([media_type, Buffer.from(bytes)]).toEqual(['image/png', png]);
    }
    expect(requested).toEqual(['/a.png']);
  });

  it('is served though it cannot be cached', async () => {
    isDiskFull = true;
    const load = images([image('/a.png')]);
    expect((await load(0)).media_type).toBe('image/png');
  });

  it('that is in the message itself needs no request', async () => {
    const load = images([{ type: 'Image', base64: png.toString('base64') }]);
    expect((await load(0)).media_type).toBe('image/png');
    expect([requested, cached.size]).toEqual([[], 0]);
  });

  it.each([
    ['a page that says it is an image', '/page', 'image_unavailable'],
    ['a vector image, which can hold scripts', '/vector', 'image_unavailable'],
    ['more than 10 MB', '/large', 'too_large'],
    ['a connection that breaks', '/broken', 'image_unavailable'],
    ['no image', '/gone', 'image_unavailable'],
  ])('is refused when its address has %s', async (_name, path, reason) => {
    await expect(images([image(path)])(0)).rejects.toMatchObject({ reason });
    expect(cached.size).toBe(0);
  });

  it('is not fetched from a private network', async () => {
    await expect(images([image('/a.png')], 'content')(0)).rejects.toMatchObject({ reason: 'address_not_allowed' });
    expect(requested).toEqual([]);
  });

  it('is named by a message and an element that are there', async () => {
    const load = images([{ type: 'Plain', text: 'Look' }, { type: 'File', url: `${origin}/a.png` }, image('/a.png')]);
    for (const [index, message] of [[0], [1], [3], [2, '01a20000-0000-7000-8000-000000000002']] as const) {
      await expect(load(index, message)).rejects.toMatchObject({ reason: 'not_found' });
    }
    expect(requested).toEqual([]);
  });

  it('is not awaited by a disconnected caller', async () => {
    const leaving = new AbortController();
    leaving.abort(new Error('gone'));
    await expect(images([image('/a.png')])(0, uuid, leaving.signal)).rejects.toThrow('gone');
  });
});
