import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

let service: TestService;
/** A server in the network of the service, which writes down who calls it. */
let inside: Server;
let port: number;
const called: string[] = [];
beforeAll(async () => {
  service = await startTestService();
  inside = createServer((request, response) => {
    called.push(request.url ?? '');
    response.end('INTERNAL');
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  port = (inside.address() as AddressInfo).port;
});
afterAll(async () => {
  await service.stop();
  inside.closeAllConnections();
  inside.close();
});

// Spellings of one address that parsers have read in different ways.
it.each<[string, (port: number) => string]>([
  ['as it is', (to) => `http://127.0.0.1:${to}/x.png`],
  ['a name', (to) => `http://localhost:${to}/x.png`],
  ['decimal', (to) => `http://2130706433:${to}/x.png`],
  ['octal', (to) => `http://0177.0.0.1:${to}/x.png`],
  ['hexadecimal', (to) => `http://0x7f.1:${to}/x.png`],
  ['short', (to) => `http://127.1:${to}/x.png`],
  ['IPv6 that maps it', (to) => `http://[::ffff:127.0.0.1]:${to}/x.png`],
  ['nothing in particular', (to) => `http://0.0.0.0:${to}/x.png`],
  ['full-width digits', (to) => `http://１２７.０.０.１:${to}/x.png`],
  ['a final dot', (to) => `http://localhost.:${to}/x.png`],
  ['a backslash', (to) => `http://127.0.0.1:${to}\\@example.com/x.png`],
  ['an account of another host', (to) => `http://example.com@127.0.0.1:${to}/x.png`],
  ['another scheme', (to) => `gopher://127.0.0.1:${to}/x.png`],
  ['metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
])('a URL in a message reaches no private address: %s', async (_name, address) => {
  const bearer = service.account.token;
  const [bot] = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data.bots;
  const element = { type: 'Image', url: address(port) };
  const sent = await service.request({
    method: 'POST',
    url: `/api/v1/platform/bots/${bot.uuid}/send_message`,
    bearer,
    json: { target_type: 'person', target_id: 'ada', message_chain: [element] },
  });
  if (sent.status === 200) {
    const [message] = (await service.request({ url: '/api/v1/messages', bearer })).body.data.messages;
    const image = await service.request({ url: `/api/v1/messages/${message.uuid}/images/0`, bearer });
    expect(image.status).toBeGreaterThanOrEqual(400);
    expect(image.text).not.toContain('INTERNAL');
  }
  expect(called).toEqual([]);
});
