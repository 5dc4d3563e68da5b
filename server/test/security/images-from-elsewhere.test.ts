import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let service: TestService;
/** A server in the network of the service, which writes down who calls it. */
let inside: Server;
const called: string[] = [];
/** A message with an uploaded image at 0, one in the private network at 1, and a file there at 2. */
let message: string;
beforeAll(async () => {
  service = await startTestService();
  inside = createServer((request, response) => {
    called.push(request.url ?? '');
    response.end(Buffer.from(png, 'base64'));
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  const origin = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
  const bearer = service.account.token;
  const [bot] = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data.bots;
  const json = {
    target_type: 'person',
    target_id: 'ada',
    message_chain: [
      { type: 'Image', base64: png },
      { type: 'Image', url: `${origin}/a.png` },
      { type: 'File', name: 'a.png', url: `${origin}/file` },
    ],
  };
  const url = `/api/v1/platform/bots/${bot.uuid}/send_message`;
  expect((await service.request({ method: 'POST', url, bearer, json })).status).toBe(200);
  message = (await service.request({ url: '/api/v1/messages', bearer })).body.data.messages[0].uuid;
});
afterAll(async () => {
  await service.stop();
  inside.closeAllConnections();
  inside.close();
});

const load = (element: number | string, query = '') =>
  service.request({
    url: `/api/v1/messages/${message}/images/${element}${query}`,
    bearer: service.account.token,
  });

it('an image of a message is given to those who may read messages, for a day', async () => {
  const { status, headers } = await load(0);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=86400',
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  const { key } = await service.createApiKey(['write', 'send']);
  const url = `/api/v1/messages/${message}/images/0`;
  expect((await service.request({ url, apiKey: key })).body.reason).toBe('scope_required');
  expect((await service.request({ url })).status).toBe(401);
});

it('an address in a private network is not called, whoever asks', async () => {
  const { status, body } = await load(1);
  expect([status, body.reason, called]).toEqual([422, 'address_not_allowed', []]);
});

it.each([2, 3, -1, 'a', 100_001])('there is no image at %j', async (element) => {
  const { status } = await load(element);
  expect([400, 404]).toContain(status);
  expect(called).toEqual([]);
});

it('an address cannot be named in its place', async () => {
  for (const query of ['?url=http://127.0.0.1/', '?address=http://127.0.0.1/']) {
    expect((await load(0, query)).status).not.toBe(500);
    expect((await load(1, query)).status).not.toBe(200);
  }
  expect(called).toEqual([]);
});
