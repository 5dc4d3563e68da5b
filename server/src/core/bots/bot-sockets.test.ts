import { once } from 'node:events';
import type { SocketConnection, SocketListener } from '@parley/sdk';
import { afterAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createFakePlatform } from '../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../test/factories/start-test-service.ts';
import { newUuid } from '../../lib/uuid.ts';

const fake = createFakePlatform();
const ports = new Map<string, number>();
const taken: SocketConnection[] = [];
const listeners: SocketListener[] = [];
fake.start = async ({ context }) => {
  const port = ports.get(context.bot_uuid) ?? 0;
  const listener = await context.listen({ host: '127.0.0.1', port }, ({ headers }) =>
    headers.authorization === 'Bearer t' ? (socket) => void taken.push(socket) : { status: 401 },
  );
  ports.set(context.bot_uuid, listener.port);
  listeners.push(listener);
};
const [one, two, three] = [newUuid(), newUuid(), newUuid()];
const service = await startTestService({
  extensions: { platforms: [fake.platform] },
  config: { maxSocketsPerCaller: 2 },
  bots: [
    { adapter: 'fake', uuid: one },
    { adapter: 'fake', uuid: two, enable: false },
    { adapter: 'fake', uuid: three },
  ],
});
afterAll(() => service.stop());

const enable = (bot: string, isEnabled: boolean) =>
  service.request({
    method: 'PUT',
    url: `/api/v1/platform/bots/${bot}`,
    bearer: service.account.token,
    json: { enable: isEnabled },
  });
const stateOf = async (bot: string) => {
  const answer = await service.request({ url: `/api/v1/platform/bots/${bot}`, bearer: service.account.token });
  return answer.body.data.bot.adapter_runtime_values;
};

async function connectTo(bot: string, headers = { authorization: 'Bearer t' }) {
  const client = new WebSocket(`ws://127.0.0.1:${ports.get(bot)}`, { headers });
  client.on('error', () => {});
  const refused = once(client, 'unexpected-response').then(([, response]) => {
    client.terminate();
    return response.statusCode as number;
  });
  return Promise.race([once(client, 'open').then(() => client), refused]);
}

it('a bot listens on its own port with the limits of its sockets, until it stops', async () => {
  expect(await connectTo(one, { authorization: 'Bearer x' })).toBe(401);
  const clients = [await connectTo(one), await connectTo(one)] as WebSocket[];
  expect(await connectTo(one)).toBe(429);
  const ended = clients.map(async (client) => (await once(client, 'close'))[0]);
  await enable(one, false);
  expect(await Promise.all(ended)).toEqual([1012, 1012]);
  const client = new WebSocket(`ws://127.0.0.1:${ports.get(one)}`);
  expect((await once(client, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
  await enable(one, true);
  await expect.poll(async () => (await connectTo(one)) instanceof WebSocket).toBe(true);
});

it('a second bot with the same port is not connected before it is free, and its error names the port', async () => {
  ports.set(two, ports.get(one) ?? 0);
  await enable(two, true);
  await expect
    .poll(() => stateOf(two))
    .toMatchObject({
      state: 'error',
      error_reason: 'conflict',
      error: `The address 127.0.0.1:${ports.get(one)} is in use by another bot or program. Choose another host or port`,
    });
  await enable(one, false);
  await expect.poll(async () => (await stateOf(two)).state).toBe('running');
  await enable(two, false);
  await enable(one, true);
  await expect.poll(async () => (await stateOf(one)).state).toBe('running');
});

it('sockets of one bot leave the others their places', async () => {
  for (let count = 0; count < 2; count += 1) expect(await connectTo(three)).toBeInstanceOf(WebSocket);
});

it('a listener that the adapter closes ends with its sockets', async () => {
  const listener = listeners.findLast(({ port }) => port === ports.get(three)) as SocketListener;
  const socket = taken.at(-1) as SocketConnection;
  await listener.close();
  expect(await socket.closed).toMatchObject({ code: 1012 });
});
