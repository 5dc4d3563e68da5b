import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ApiClient, apiClient, apiKey, type Chat, defaults, openChat, signedIn } from './api-client.ts';

describe('a chat with a model that was connected over the API', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-model-'));
  const chats: Chat[] = [];
  let service: ServiceProcess;
  let model: FakeOpenAi;
  let api: ApiClient;
  let pipeline: string;

  beforeAll(async () => {
    model = await startFakeOpenAi();
    service = await startServiceProcess({ dataDir, environment: { PARLEY_MODEL_TIMEOUT_SECONDS: '1' } });
    api = await signedIn(service.address);
    ({ pipeline } = await defaults(api));
    const { uuid } = await api.data('POST', '/provider/providers', {
      name: 'Fake',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    });
    await api.data('POST', '/provider/models/llm', { name: 'large', provider_uuid: uuid });
  });
  afterAll(async () => {
    for (const chat of chats) await chat.close();
    await service.stop();
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A user with an empty conversation. */
  const open = async () => {
    const key = await apiKey(api);
    const chat = await openChat(service.address, { pipeline, headers: { authorization: `Bearer ${key}` } });
    chats.push(chat);
    return { chat, client: apiClient(service.address, key) };
  };
  const lastQuestion = () => model.requests.at(-1)?.body?.messages as { role: string; content: string }[];

  it('is taken up by the default pipeline instead of the demo', async () => {
    model.behave({ kind: 'answer', chunks: ['Forty', '-two', '.'], delayMs: 200 });
    const { chat } = await open();
    chat.say('What is the answer?');
    expect((await chat.answer()).data.content).toBe('Forty-two.');
    const request = model.requests.at(-1);
    expect(request?.body).toMatchObject({ model: 'large', stream: true });
    expect(request?.headers.authorization).toBe('Bearer sk-0123456789abcdefghij');
    const texts = chat.frames.filter(({ type }) => type === 'response').map(({ data }) => data.content);
    expect(texts).toEqual(['Forty', 'Forty-two', 'Forty-two.', 'Forty-two.']);
  });

  it('is shown what was said before, and nothing after a reset', async () => {
    model.behave((index) => ({ kind: 'answer', chunks: [`answer ${index}`] }));
    const { chat, client } = await open();
    for (const text of ['one', 'two', 'three']) {
      chat.say(text);
      await chat.frame(({ type, data }) => type === 'user_message' && data.content === text);
    }
    const third = await chat.frame(({ type, data }) => type === 'response' && data.is_final && data.id > 5);
    expect(third.data.content).toMatch(/^answer/);
    const question = lastQuestion();
    expect(question.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
    expect(question.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'one',
      'two',
      'three',
    ]);

    await client.data('POST', `/pipelines/${pipeline}/ws/reset/person`);
    chat.say('four');
    await expect
      .poll(() => lastQuestion().map(({ content }) => content))
      .toEqual(['You are a helpful assistant.', 'four']);
  });

  it.each<[string, FakeOpenAiBehaviour, string]>([
    ['refuses', { kind: 'error', status: 500 }, 'Request failed.'],
    ['falls silent', { kind: 'stall', chunks: ['Well, '] }, 'Well, \n\nRequest failed.'],
    ['breaks off', { kind: 'cut', chunks: ['Well, '] }, 'Well, \n\nRequest failed.'],
    ['never answers', { kind: 'stall' }, 'Request failed.'],
  ])('ends with the hint when it %s, and is not shown the failure afterwards', async (_, behaviour, shown) => {
    model.behave(behaviour);
    const { chat } = await open();
    chat.say('Are you there?');
    expect((await chat.answer()).data.content).toBe(shown);
    model.behave({ kind: 'answer', chunks: ['Yes.'] });
    chat.say('And now?');
    await chat.answer('Yes.');
    expect(lastQuestion().map(({ content }) => content)).toEqual(['You are a helpful assistant.', 'And now?']);
  });
});
