import { fakeTool } from '@parley/sdk/testing';
import OpenAI from 'openai';
import { afterEach, expect, it, vi } from 'vitest';
import { createService } from '../../src/service.ts';
import { type ModelApiFixture, modelName, png, startModelApi } from '../factories/model-api.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { startFakeOpenAi } from '../fakes/openai-server.ts';
import { makeMigratedPlace } from '../stores/open-test-storage.ts';
import { signedIn } from './api-client.ts';

const patience = { timeout: 15_000 };
const plain = { model: modelName, messages: [{ role: 'user' as const, content: 'Hello' }] };

let api: ModelApiFixture | undefined;
const processes: ServiceProcess[] = [];
afterEach(async () => {
  await api?.stop();
  api = undefined;
  for (const each of processes.splice(0)) await each.kill('SIGKILL');
});

const inboundOf = ({ service }: ModelApiFixture) =>
  service.database
    .selectFrom('messages')
    .select(['uuid', 'state', 'reason'])
    .where('direction', '=', 'inbound')
    .orderBy('position')
    .execute();

it('programs that wait are told of a stop, and what they asked is not taken up again', {
  timeout: 30_000,
}, async () => {
  api = await startModelApi({ config: { shutdownTimeoutSeconds: 1 } });
  const { client, model, service } = api;
  model.behave((index) => ({ kind: 'stall', ...(index === 0 ? { chunks: ['Well, '] } : {}) }));
  const stream = await client.chat.completions.create({ ...plain, stream: true });
  const reading = (async () => {
    for await (const _ of stream);
  })().catch((error) => error);
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), patience);
  const asking = client.responses.create({ model: modelName, input: 'Hello' }).catch((error) => error);
  await vi.waitFor(() => expect(model.requests).toHaveLength(2), patience);
  await service.service.stop();
  expect(await reading).toMatchObject({ code: 'not_ready', type: 'server_error' });
  expect(await asking).toMatchObject({ status: 503, code: 'not_ready', type: 'server_error' });
  expect((await inboundOf(api)).map(({ state }) => state)).toEqual(['received', 'received']);
  const next = await createService({ ...service.config, port: 0 });
  try {
    await next.start();
    const stopped = { state: 'stopped', reason: 'client_closed_request' };
    await expect.poll(() => inboundOf(api as ModelApiFixture), patience).toMatchObject([stopped, stopped]);
    expect(model.requests).toHaveLength(2);
  } finally {
    await next.stop();
  }
});

it('nothing is asked of a model for a program that went away while it waited for its turn', async () => {
  api = await startModelApi({ config: { pipelineConcurrency: 1 } });
  const { client, model } = api;
  model.behave({ kind: 'stall' });
  const [first, second] = [new AbortController(), new AbortController()];
  const ask = ({ signal }: AbortController) =>
    client.chat.completions.create(plain, { signal }).catch((error) => error);
  const asked = [ask(first)];
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), patience);
  asked.push(ask(second));
  await expect.poll(async () => (await inboundOf(api as ModelApiFixture)).length, patience).toBe(2);
  second.abort();
  await asked[1];
  first.abort();
  expect(await asked[0]).toBeInstanceOf(OpenAI.APIUserAbortError);
  const stopped = { state: 'stopped', reason: 'client_closed_request' };
  await expect.poll(() => inboundOf(api as ModelApiFixture), patience).toMatchObject([stopped, stopped]);
  expect(model.requests).toHaveLength(1);
});

it('limits the concurrent answers of a key, without blocking other keys', async () => {
  api = await startModelApi();
  const { client, model, service, clientWith } = api;
  model.behave({ kind: 'stall' });
  const controller = new AbortController();
  const waiting = Array.from({ length: 50 }, () =>
    client.chat.completions.create(plain, { signal: controller.signal }).catch((error) => error),
  );
  await vi.waitFor(() => expect(model.requests).toHaveLength(50), patience);
  const refused = await client.chat.completions.create(plain).catch((error) => error);
  expect(refused).toMatchObject({ status: 429, type: 'rate_limit_error', code: 'too_many_requests' });
  expect(refused.headers.get('retry-after')).toBe('1');
  model.behave({ kind: 'answer' });
  const { key } = await service.createApiKey(['send']);
  expect((await clientWith(key).chat.completions.create(plain)).object).toBe('chat.completion');
  controller.abort();
  await Promise.all(waiting);
  await vi.waitFor(
    async () => expect((await client.chat.completions.create(plain)).object).toBe('chat.completion'),
    patience,
  );
});

it('requests from before a crash are cancelled without model calls', { timeout: 60_000 }, async () => {
  const place = await makeMigratedPlace('sqlite');
  const model = await startFakeOpenAi({ kind: 'stall', chunks: ['Well, '] });
  try {
    const start = async () => {
      const service = await startServiceProcess({ ...place, environment: {} });
      processes.push(service);
      return { service, console: await signedIn(service.address) };
    };
    const { service, console } = await start();
    const provider = { requester: 'openai-chat-completions', base_url: model.base_url };
    await console.data('POST', '/provider/models/llm', { name: 'large', provider });
    const { key } = (await console.data('POST', '/apikeys', { name: 'k', scopes: ['send'] })).key;
    const client = new OpenAI({ apiKey: key, baseURL: `${service.address}/v1`, maxRetries: 0 });
    const stream = await client.chat.completions.create({ ...plain, stream: true });
    let id = '';
    const reading = (async () => {
      for await (const chunk of stream) {
        id = chunk.id.replace('chatcmpl-', '');
      }
    })().catch((error) => error);
    await vi.waitFor(() => expect(id).not.toBe(''), patience);
    await service.kill('SIGKILL');
    expect(await reading).toBeInstanceOf(Error);
    const next = await start();
    const explained = () => next.console.data('GET', `/messages/${id}/explain`);
    await expect.poll(async () => (await explained()).outcome, patience).toBe('stopped');
    expect(await explained()).toMatchObject({ reason: 'client_closed_request', attempts: 2 });
    expect(model.requests).toHaveLength(1);
  } finally {
    for (const each of processes.splice(0)) await each.kill('SIGKILL');
    await model.close();
    await place.remove();
  }
});

it('below a path of its own, answers and refuses in the same form', async () => {
  api = await startModelApi({ config: { basePath: '/parley' } });
  const { service, key } = api;
  const client = new OpenAI({ apiKey: key, baseURL: `${service.address}/parley/v1`, maxRetries: 0 });
  expect((await client.chat.completions.create(plain)).object).toBe('chat.completion');
  const refused: unknown = await client.get('/nothing').catch((error) => error);
  expect(refused).toMatchObject({
    status: 404,
    code: 'not_found',
    requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

it('what tools attach to an answer comes as a link that holds it', async () => {
  const picture = { type: 'Image' as const, base64: `data:image/png;base64,${png}` };
  const draw = fakeTool({ name: 'draw', answer: { text: 'Drawn', attachments: [picture] } });
  api = await startModelApi({ extensions: { tools: [{ name: 'test', tools: async () => [draw] }] } });
  await api.configure(({ ai }) => {
    ai['local-agent'].tools = ['draw'];
  });
  const { client, model } = api;
  model.behave((index) =>
    index % 2 === 0
      ? { kind: 'tool_calls', calls: [{ name: 'draw', arguments: { query: 'x' } }] }
      : { kind: 'answer', chunks: ['Here ', 'it is.'], usage: { prompt_tokens: 10, completion_tokens: 5 } },
  );
  const link = `![image](data:image/png;base64,${png})`;
  const whole = await client.chat.completions.create(plain);
  expect(whole.choices[0]?.message.content).toBe(`Here it is.\n\n${link}`);
  // Both requests to the model count.
  expect(whole.usage).toMatchObject({ prompt_tokens: 17, completion_tokens: 5 });
  const streamed = await client.chat.completions.stream(plain).finalChatCompletion();
  expect(streamed.choices[0]?.message.content).toBe(`Here it is.\n\n${link}`);
});
