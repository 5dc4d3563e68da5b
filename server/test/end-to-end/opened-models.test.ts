import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const opened = vi.hoisted(() => ({ keys: [] as unknown[] }));
vi.mock(import('@ai-sdk/openai-compatible'), async (original) => {
  const library = await original();
  const createOpenAICompatible: typeof library.createOpenAICompatible = (settings) => {
    opened.keys.push(settings.apiKey);
    return library.createOpenAICompatible(settings);
  };
  return { ...library, createOpenAICompatible };
});

const fake = createFakePlatform();
let service: TestService;
let model: FakeOpenAi;

beforeAll(async () => {
  model = await startFakeOpenAi();
  service = await startTestService({ extensions: { platforms: [fake.platform] } });
});
afterAll(async () => {
  await service.stop();
  await model.close();
});

const data = async (method: string, url: string, json?: object) => {
  const { status, text, body } = await service.request({
    method,
    url: `/api/v1${url}`,
    bearer: service.account.token,
    ...(json !== undefined && { json }),
  });
  if (status !== 200) throw new Error(`${method} ${url}: ${text}`);
  return body.data;
};

/** The header with the key that the model received. */
const say = async (text: string) => {
  const requests = model.requests.length;
  await fake.up()[0]?.context.receive(messageEvent(text));
  await expect.poll(() => fake.sent.length).toBe(requests + 1);
  return model.requests[requests]?.headers.authorization;
};

it('a model is opened once for many messages, and again for another key', async () => {
  const [one, two, other] = ['sk-0123456789abcdefghij', 'sk-9876543210abcdefghij', 'sk-abcdefghij0123456789'];
  const { uuid } = await data('POST', '/provider/providers', {
    name: 'Fake',
    requester: 'openai-chat-completions',
    base_url: model.base_url,
    api_keys: [one, two],
  });
  await data('POST', '/provider/models/llm', { name: 'large', provider_uuid: uuid });
  const { pipelines } = await data('GET', '/pipelines');
  const bot = { name: 'Parrot', adapter: 'fake', adapter_config: {}, enable: true };
  await data('POST', '/platform/bots', { ...bot, use_pipeline_uuid: pipelines[0].uuid });
  await expect.poll(() => fake.up().length).toBe(1);
  opened.keys.length = 0;

  const used = [];
  for (const text of ['a', 'b', 'c', 'd']) used.push(await say(text));
  expect(used).toEqual([one, two, one, two].map((key) => `Bearer ${key}`));
  expect(opened.keys).toEqual([one, two]);

  await data('PUT', `/provider/providers/${uuid}`, { api_keys: [other] });
  for (const text of ['e', 'f']) expect(await say(text)).toBe(`Bearer ${other}`);
  expect(opened.keys).toEqual([one, two, other]);
});
