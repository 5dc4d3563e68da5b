import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeliveryError, ParleyError } from '@parley/sdk';
import { fakePlatformContext } from '@parley/sdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuardedFetch } from '../guarded-fetch.ts';
import { type OutgoingFile, outgoingFile } from './outgoing-file.ts';

const server = createServer(({ url }, response) => {
  const status = Number(/\d{3}/.exec(url ?? '')?.[0] ?? 200);
  if (url === '/empty') return void response.end();
  if (url === '/moved') return void response.writeHead(302, { location: 'http://127.0.0.1/' }).end();
  if (url === '/cut')
    return void response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
  response.writeHead(status, { 'content-type': 'Image/PNG; charset=x' }).end('content');
});
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const context = fakePlatformContext({ fetchContent: createGuardedFetch({ policy: 'saved' }) });
const textOf = async (file: OutgoingFile | null) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await file?.content()) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const failureOf = (url: string, options = {}) =>
  outgoingFile({ url }, 'photo', context, options).then(
    () => undefined,
    (error: unknown) => error,
  );

it('is fetched from an address, again for each attempt', async () => {
  const file = await outgoingFile({ url: `${base}/a%20cat.png?x=1` }, 'photo', context);
  expect(file).toMatchObject({ name: 'a cat.png', size: 7, mediaType: 'image/png' });
  for (let attempt = 0; attempt < 2; attempt += 1) expect(await textOf(file)).toBe('content');
});

it.each([
  ['/', {}, 'photo.png'],
  ['/%zz', {}, '%zz'],
  ['/a.png', { name: 'b.png' }, 'b.png'],
])('at %s with %j is named %s', async (path, source, name) => {
  expect(await outgoingFile({ ...source, url: base + path }, 'photo', context)).toMatchObject({ name });
});

it('is not fetched when the service has it', async () => {
  const base64 = Buffer.from('here').toString('base64');
  const file = await outgoingFile({ url: `${base}/404`, base64 }, 'photo', context);
  expect(await textOf(file)).toBe('here');
});

it('is absent for an adapter that leaves addresses to its platform', async () => {
  const { readMedia } = context;
  expect(await outgoingFile({ url: base }, 'photo', { readMedia })).toBeNull();
});

it.each([
  ['/404', {}, 'The address of a file answers with status 404'],
  ['/empty', {}, 'The address of a file gives no content'],
  ['/x', { maximumBytes: 6 }, 'A file is too large for the platform'],
])('at %s, with %j, cannot be sent at all', async (path, options, message) => {
  expect(await failureOf(base + path, options)).toMatchObject({ reason: 'unsupported_element', message });
});

it.each(['/500', '/429', '/cut'])('at %s can be sent later', async (path) => {
  const error = await failureOf(base + path);
  expect(error).toBeInstanceOf(DeliveryError);
  expect(error).toMatchObject({ kind: 'not_sent' });
});

it('is not fetched from a private address', async () => {
  const fetchContent = createGuardedFetch({ policy: 'content' });
  const error = await outgoingFile({ url: base }, 'photo', { ...context, fetchContent }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject({ reason: 'address_not_allowed' });
});

it('ends with its attempt', async () => {
  const ended = new AbortController();
  ended.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  expect(await failureOf(base, { signal: ended.signal })).toMatchObject({ reason: 'bot_not_running' });
});
