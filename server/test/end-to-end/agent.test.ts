import type { MessageChain } from '@parley/sdk';
import { type FakeTool, fakeTool } from '@parley/sdk/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const patience = { timeout: 15_000 };
const fake = createFakePlatform({ elements: ['Plain', 'Image'] });
const picture = {
  type: 'Image' as const,
  base64:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

describe('a bot whose model calls tools', () => {
  let service: TestService;
  let model: FakeOpenAi;
  const tools: FakeTool[] = [
    fakeTool({ name: 'weather', answer: { text: 'Sunny', attachments: [picture] } }),
    fakeTool({ name: 'hangs', answer: () => new Promise<never>(() => undefined) }),
    fakeTool({ name: 'forbidden', answer: 'never' }),
  ];

  const send = async (method: string, url: string, json?: object) => {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === undefined ? request : { ...request, json });
    expect(status, text).toBe(200);
    return body.data;
  };
  const say = async (chain: MessageChain) => {
    const event = messageEvent('', { message_chain: chain });
    return (await fake.adapters.at(-1)?.context.receive(event))?.uuid ?? '';
  };
  const explained = async (uuid: string) => {
    const finishedAt = async () => (await send('GET', `/messages/${uuid}`)).message.finished_at;
    await expect.poll(finishedAt, patience).not.toBeNull();
    return send('GET', `/messages/${uuid}/explain`);
  };
  const shown = () => (model.requests.at(-1)?.body?.messages ?? []) as { role: string; content: unknown }[];

  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startTestService({
      extensions: { platforms: [fake.platform], tools: [{ name: 'test', tools: async () => tools }] },
      config: { shutdownTimeoutSeconds: 1 },
    });
    const [{ uuid: pipeline }] = (await send('GET', '/pipelines')).pipelines;
    const provider = {
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-refused-0123456789', 'sk-0123456789abcdefghij'],
    };
    const { uuid } = await send('POST', '/provider/models/llm', {
      name: 'Large',
      provider,
      abilities: ['func_call', 'vision'],
    });
    const { config } = (await send('GET', `/pipelines/${pipeline}`)).pipeline;
    config.ai['local-agent'] = {
      ...config.ai['local-agent'],
      model: { primary: uuid, fallbacks: [] },
      tools: ['weather', 'hangs'],
    };
    await send('PUT', `/pipelines/${pipeline}`, { config });
    await send('PUT', '/provider/model-prices/large', { input_price: 1000, output_price: 2000 });
    await send('POST', '/platform/bots', {
      name: 'Bot',
      adapter: 'fake',
      adapter_config: {},
      enable: true,
      use_pipeline_uuid: pipeline,
    });
    await vi.waitFor(() => expect(fake.up()).toHaveLength(1), patience);
  });
  afterAll(async () => {
    await service.stop();
    await model.close();
  });

  it('answers with what a tool found and attached, and every call is on record with what it cost', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    model.behave((index) => {
      if (model.requests[index]?.headers.authorization?.includes('refused')) return { kind: 'error', status: 401 };
      const isAnswered = shown().some(({ role }) => role === 'tool');
      if (isAnswered) return { kind: 'answer', chunks: ['It is ', 'sunny.'], usage };
      const calls = ['weather', 'forbidden'].map((name) => ({ name, arguments: { query: 'Ulm' } }));
      return { kind: 'tool_calls', calls, usage };
    });
    const { model_calls, tool_calls } = await explained(await say([{ type: 'Plain', text: 'Look: ' }, picture]));
    expect(fake.sent.at(-1)?.message_chain).toMatchObject([{ type: 'Plain', text: 'It is sunny.' }, { type: 'Image' }]);
    expect(model_calls).toMatchObject([
      { model_name: 'Large', reason: 'provider_unauthorized', cost: 0 },
      { model_name: 'Large', reason: null, input_tokens: 10, output_tokens: 5, cost: 0.02 },
      { model_name: 'Large', reason: null, cost: 0.02 },
    ]);
    expect(tool_calls).toMatchObject([
      { tool_name: 'weather', state: 'succeeded', result: 'Sunny', reason: null },
      { tool_name: 'forbidden', state: 'failed', reason: 'tool_not_allowed' },
    ]);
    expect(tools[2]?.calls).toEqual([]);
    expect(model.requests.at(-1)?.body?.tools).toMatchObject([
      { function: { name: 'weather' } },
      { function: { name: 'hangs' } },
    ]);
    const question = shown().find(({ role }) => role === 'user');
    expect(JSON.stringify(question)).toContain('image/png;base64,iVBOR');
  });

  it('records that a tool was under way when the service stopped', async () => {
    model.behave({ kind: 'tool_calls', calls: [{ name: 'hangs', arguments: { query: 'x' } }] });
    const uuid = await say([{ type: 'Plain', text: 'And now?' }]);
    await vi.waitFor(() => expect(tools[1]?.calls).toHaveLength(1), patience);
    await service.service.stop();
    const calls = await service.database
      .selectFrom('tool_calls')
      .selectAll()
      .where('message_uuid', '=', uuid)
      .execute();
    expect(calls).toMatchObject([{ tool_name: 'hangs', state: 'interrupted', reason: 'interrupted' }]);
    const message = await service.database
      .selectFrom('messages')
      .select('state')
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    expect(message?.state).toBe('received');
  });
});
