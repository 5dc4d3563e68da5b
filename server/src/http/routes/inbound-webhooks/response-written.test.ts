import { connect } from 'node:net';
import type { WebhookResponse } from '@parley/sdk';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform({ webhook: true });
const uuid = newUuid();
const service = await startTestService({
  extensions: { platforms: [fake.platform] },
  bots: [{ adapter: 'fake', uuid }],
});
afterAll(() => service.stop());

const onWritten = vi.fn();
let response: WebhookResponse;
beforeEach(() => {
  onWritten.mockReset();
  response = { status: 200, body: 'the answer', onWritten };
  fake.answer = async () => response;
});

const called = () => onWritten.mock.calls.map(([wasWritten]) => wasWritten);
/** A connection of a platform that sent a request. */
const post = () => {
  const { port } = new URL(service.address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`POST /bots/${uuid} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\n\r\n`);
  return socket;
};

it('an adapter learns that its response was written, once', async () => {
  const answer = await fetch(`${service.address}/bots/${uuid}`, { method: 'POST' });
  expect(await answer.text()).toBe('the answer');
  await expect.poll(called).toEqual([true]);
  const refused = await fetch(`${service.address}/bots/${newUuid()}`, { method: 'POST' });
  expect([refused.status, called()]).toEqual([404, [true]]);
});

it('an adapter learns that the platform was gone before it answered', async () => {
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  fake.answer = async () => {
    asked.resolve();
    await gone.promise;
    return response;
  };
  const socket = post();
  await asked.promise;
  const server = service.service.server.server;
  const count = () => new Promise((resolve) => server.getConnections((_, connections) => resolve(connections)));
  const before = Number(await count());
  socket.destroy();
  await expect.poll(count).toBeLessThan(before);
  gone.resolve();
  await expect.poll(called).toEqual([false]);
});

it('an adapter learns that the platform did not read all of a response', async () => {
  response.body = 'x'.repeat(50_000_000);
  const socket = post();
  socket.once('data', () => socket.destroy());
  await expect.poll(called).toEqual([false]);
});

it.each<[string, Partial<WebhookResponse>]>([
  ['has no status', { status: 0 }],
  ['has a status that is none', { status: 999 }],
  ['has a body that is no text', { body: Object.create(null) }],
])('an adapter learns that a response which %s was not written', async (_, over) => {
  Object.assign(response, over);
  const answer = await fetch(`${service.address}/bots/${uuid}`, { method: 'POST' });
  expect([answer.status, called()]).toEqual([500, [false]]);
});

it.each([
  () => {
    throw new Error('planted');
  },
  async () => {
    throw new Error('planted');
  },
])('a failure of an adapter after its response changes nothing', async (fail) => {
  onWritten.mockImplementation(fail);
  expect((await service.request({ method: 'POST', url: `/bots/${uuid}` })).text).toBe('the answer');
  await expect.poll(called).toEqual([true]);
  expect((await service.request({ method: 'POST', url: `/bots/${uuid}` })).status).toBe(200);
});
