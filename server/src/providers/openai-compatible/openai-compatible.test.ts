import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { modelRequesterContract } from '@parley/sdk/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../../../test/fakes/openai-server.ts';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { openAiCompatible } from './index.ts';

let server: FakeOpenAi;
beforeAll(async () => {
  server = await startFakeOpenAi();
});
afterEach(() => {
  server.behave({ kind: 'answer' });
  server.requests.length = 0;
});
afterAll(() => server.close());

const fetch = createGuardedFetch({ policy: 'saved' });
const connection = (fields: Partial<ModelConnection> = {}): ModelConnection => ({
  model_name: 'some/model-1',
  base_url: server.base_url,
  api_key: 'sk-secret-1234',
  extra_args: {},
  fetch,
  ...fields,
});
const openAi = openAiCompatible.find(({ name }) => name === 'openai-chat-completions') as ModelRequester;

modelRequesterContract({
  requester: openAi,
  connection,
  slowConnection: () => {
    server.behave({ kind: 'stall', chunks: ['Well'] });
    return connection();
  },
});

const question = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] };

async function ask(fields: Partial<ModelConnection> = {}) {
  const model = await openAi.languageModel(connection(fields));
  await model.doGenerate(question);
  return server.requests.at(-1);
}

describe('openai-compatible', () => {
  it('has a row for every service, each with its own name', () => {
    expect(new Set(openAiCompatible.map(({ name }) => name)).size).toBe(openAiCompatible.length);
    expect(openAiCompatible.length).toBe(21);
  });

  it.each(openAiCompatible)('$name has an address to call and texts to show', (requester) => {
    expect(new URL(requester.default_base_url).protocol).toMatch(/^https?:$/);
    expect(requester.support_type).toContain('llm');
    expect(requester.label.en_US).not.toBe('');
    expect(requester.description.en_US).toContain(requester.label.en_US);
  });

  it('sends the model, the key and the messages', async () => {
    const request = await ask();
    expect(request?.headers.authorization).toBe('Bearer sk-secret-1234');
    expect(request?.body).toMatchObject({ model: 'some/model-1', messages: [{ role: 'user', content: 'Hi' }] });
  });

  it.each([null, ''])('sends no authorization for the key %j', async (api_key) => {
    expect((await ask({ api_key }))?.headers).not.toHaveProperty('authorization');
  });

  it('takes an address with a slash at its end', async () => {
    expect((await ask({ base_url: `${server.base_url}/` }))?.path).toBe('/v1/chat/completions');
  });

  it('sends extra arguments along, but not in place of the conversation', async () => {
    const extra_args = { temperature: 0.2, thinking: { type: 'disabled' }, messages: [], stream: true };
    const request = await ask({ extra_args });
    expect(request?.body).toMatchObject({ temperature: 0.2, thinking: { type: 'disabled' } });
    expect(request?.body?.messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(request?.body?.stream).toBeUndefined();
  });

  it('asks for the usage of a stream and reports it', async () => {
    server.behave({ kind: 'answer', usage: { prompt_tokens: 11, completion_tokens: 3 } });
    const model = await openAi.languageModel(connection());
    const { stream } = await model.doStream(question);
    for await (const part of stream) {
      if (part.type !== 'finish') continue;
      expect(part.usage.inputTokens.total).toBe(11);
      expect(part.usage.outputTokens.total).toBe(3);
    }
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect.assertions(3);
  });

  it('hides the key when an error message repeats it', async () => {
    server.behave({ kind: 'error', status: 400, message: 'Your key sk-secret-1234 may not use this model' });
    const model = await openAi.languageModel(connection());
    const error: unknown = await Promise.resolve(model.doGenerate(question)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ statusCode: 400, message: 'Your key [key] may not use this model' });
    expect(JSON.stringify(error)).not.toContain('sk-secret-1234');
  });

  it('reads no more of an error than a little', async () => {
    server.behave({ kind: 'error', status: 502, body: 'x'.repeat(5_000_000) });
    const model = await openAi.languageModel(connection());
    const error = await Promise.resolve(model.doGenerate(question)).catch((reason: unknown) => reason);
    expect((error as { responseBody: string }).responseBody.length).toBeLessThan(300_000);
  });
});
