import { get } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';
import { messageEvent } from '../stores/ledger-records.ts';
import { apiClient, defaults, openChat } from './api-client.ts';

const botCount = 20;
let replicas: TestReplicas;
let first: TestService;
let second: TestService;
let platforms: [FakePlatform, FakePlatform];
beforeEach(async () => {
  replicas = await testReplicas();
  platforms = [createFakePlatform(), createFakePlatform()];
  const start = (at: 0 | 1, drainSeconds: number) =>
    replicas.start({ config: { drainSeconds }, extensions: { platforms: [platforms[at].platform] } });
  first = await start(0, 60);
  second = await start(1, 0);
  await replicas.met();
}, 60_000);
afterEach(async () => {
  void first.service.stop({ isUrgent: true });
  await replicas.stop();
});

const ask = (at: TestService, url: string) => at.request({ url, bearer: first.account.token });
const createBots = async (use_pipeline_uuid: string) => {
  // The replicas find them with one of their next beats.
  for (let index = 0; index < botCount; index += 1) {
    await first.createBot({ adapter: 'fake', use_pipeline_uuid });
  }
  const up = () => platforms.flatMap((fake) => fake.up()).length;
  await expect.poll(up, { timeout: 20_000 }).toBe(botCount);
};
const patience = { timeout: 10_000, interval: 20 };

it('one that stops hands its bots over within 2 s, and answers requests until it is to hurry', async () => {
  const api = apiClient(first.address, first.account.token);
  const { pipeline } = await defaults(api);
  await createBots(pipeline);
  expect(platforms[0].up().length).toBeGreaterThan(0);
  const chat = await openChat(first.address, { pipeline, headers: { authorization: `Bearer ${api.token}` } });
  const events = await eventStream(`${first.address}/api/v1/events`, api.token);
  // One that is being sent when the stop comes ends at the replica that answers it.
  const sending = Promise.withResolvers<void>();
  const [busy] = platforms[0].up();
  platforms[0].refuse = () => sending.resolve();
  await busy?.context.receive(messageEvent('!help', { session_id: 'busy', sender_id: 'busy' }));
  await sending.promise;

  const begun = performance.now();
  const stopped = first.service.stop();
  expect(await ask(first, '/readyz')).toMatchObject({ status: 503, body: { problem: { code: 'replica_draining' } } });
  expect((await ask(first, '/healthz')).status).toBe(200);
  await expect.poll(() => platforms[1].up().length, patience).toBe(botCount);
  expect(performance.now() - begun).toBeLessThan(2000);
  for (const [index, adapter] of platforms[1].up().entries()) {
    await adapter.context.receive(messageEvent('!help', { session_id: `at ${index}`, sender_id: `at ${index}` }));
  }
  await expect.poll(() => platforms[1].sent.length, patience).toBe(botCount);
  expect(platforms.map(({ sent }) => sent.length)).toEqual([1, botCount]);

  // What waits here is answered here.
  expect((await ask(first, '/api/v1/platform/bots')).status).toBe(200);
  const plain = await fetch(`${first.address}/healthz`);
  expect(plain.headers.get('connection')).toBe('close');
  chat.say('still here');
  await chat.answer('still here');
  expect(events.isEnded()).toBe(false);

  void first.service.stop({ isUrgent: true });
  expect(await chat.closed).toBe(1012);
  await expect.poll(events.isEnded).toBe(true);
  await stopped;
  await expect(fetch(first.address)).rejects.toThrow();
  // The other one is alone, and stops at once.
  expect((await ask(second, '/readyz')).status).toBe(200);
}, 60_000);

it('one that is alone does not wait', async () => {
  await second.service.stop();
  const begun = performance.now();
  // It learns so with its next beat.
  await expect
    .poll(async () => (await first.database.selectFrom('replicas').select('state').execute()).map(({ state }) => state))
    .toContain('ended');
  await replicas.met();
  await first.service.stop();
  expect(performance.now() - begun).toBeLessThan(20_000);
}, 60_000);

async function eventStream(url: string, token: string): Promise<{ isEnded: () => boolean }> {
  let isEnded = false;
  await new Promise<void>((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume().on('end', () => {
        isEnded = true;
      });
      resolve();
    });
    request.on('error', reject);
  });
  return { isEnded: () => isEnded };
}
