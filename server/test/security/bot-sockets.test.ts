import { once } from 'node:events';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { isSameText } from '../../src/kit/webhooks/signed-request.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService } from '../factories/start-test-service.ts';

const token = 'a token of the bot';
const uuid = newUuid();
const received = vi.fn();
let port = 0;
const fake = createFakePlatform({ inbound_sockets: true });
fake.acceptSocket = ({ headers }) => {
  if (!isSameText(headers.authorization ?? '', `Bearer ${token}`)) return { status: 401 };
  return (socket) => socket.onMessage(received);
};
fake.start = async (adapter) => {
  const { context } = adapter;
  port = (await context.listen({ host: '127.0.0.1', port: 0 }, (request) => fake.acceptSocket(request, adapter))).port;
};
const service = await startTestService({
  extensions: { platforms: [fake.platform] },
  config: { maxSocketsPerCaller: 2 },
  bots: [{ adapter: 'fake', uuid }],
});
afterAll(() => service.stop());
beforeEach(() => received.mockClear());

/** Opens a socket and writes at once, without waiting for the handshake. @returns the status, 101 when it is open */
async function open(url: string, headers: Record<string, string>): Promise<number> {
  const client = new WebSocket(url, { headers });
  client.on('error', () => {});
  const opened = once(client, 'open').then(() => {
    client.send('forged');
    return 101;
  });
  const refused = once(client, 'unexpected-response').then(([, response]) => response.statusCode as number);
  const status = await Promise.race([opened, refused]);
  if (status === 101) await expect.poll(() => received.mock.calls.length).toBeGreaterThan(0);
  client.terminate();
  return status;
}

const places: [string, () => string][] = [
  ['the path of a bot', () => `${service.address.replace('http', 'ws')}/bots/${uuid}`],
  ['a path below it', () => `${service.address.replace('http', 'ws')}/bots/${uuid}/events`],
  ['a port of its own', () => `ws://127.0.0.1:${port}/`],
];

it.each(places)('a websocket to %s is read only with the credentials that the adapter verifies', async (_, url) => {
  const attempts: [string, Record<string, string>][] = [
    ['none', {}],
    ['an empty one', { authorization: '' }],
    ['a part of it', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['that of an account', { authorization: `Bearer ${service.account.token}` }],
    ['the cookie of an account', { cookie: service.account.cookie }],
  ];
  for (const [name, headers] of attempts) expect([name, await open(url(), headers)]).toEqual([name, 401]);
  expect(received).not.toHaveBeenCalled();
  expect(await open(url(), { authorization: `Bearer ${token}` })).toBe(101);
});

it.each(places)('pages of other sites cannot open a websocket to %s', async (_, url) => {
  const authorization = `Bearer ${token}`;
  const { host } = new URL(url());
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    // A name that leads to this machine.
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    { host: 'evil.example' },
  ]) {
    expect([headers, await open(url(), { authorization, ...headers })]).toEqual([headers, 403]);
  }
  expect(received).not.toHaveBeenCalled();
  expect(await open(url(), { authorization, origin: `http://${host}` })).toBe(101);
});
