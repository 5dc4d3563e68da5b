import { type ModelConnection, type ModelRequester, providerError } from '@parley/sdk';
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
const named = (wanted: string) => openAiCompatible.find(({ name }) => name === wanted) as Required<ModelRequester>;
const openAi = named('openai-chat-completions');
const siliconFlow = named('siliconflow-chat-completions');

const question = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] };

async function ask(fields: Partial<ModelConnection> = {}) {
  const model = await openAi.languageModel(connection(fields));
  await model.doGenerate(question);
  return server.requests.at(-1);
}

describe('openai-compatible', () => {
  it('has a row for every service, each with its own name', () => {
    expect(new Set(openAiCompatible.map(({ name }) => name)).size).toBe(openAiCompatible.length);
    expect(openAiCompatible.length).toBe(26);
  });

  it.each(openAiCompatible)('$name has an address to call and texts to show', (requester) => {
    expect(new URL(requester.default_base_url).protocol).toMatch(/^https?:$/);
    expect(requester.support_type.length).toBeGreaterThan(0);
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

  it('requests the usage of a stream and reports it', async () => {
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

describe('embedding models', () => {
  const embed = async (fields: Partial<ModelConnection> = {}) =>
    (await openAi.embeddingModel(connection(fields))).doEmbed({ values: ['Hello', 'Goodbye'] });

  it('send the texts, the key and extra arguments, which replace no text', async () => {
    const { usage } = await embed({ extra_args: { dimensions: 256, input: ['else'] } });
    expect(usage).toEqual({ tokens: 2 });
    expect(server.requests[0]?.path).toBe('/v1/embeddings');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-1234');
    expect(server.requests[0]?.body).toMatchObject({
      model: 'some/model-1',
      input: ['Hello', 'Goodbye'],
      dimensions: 256,
    });
  });

  it('keep the key out of errors', async () => {
    server.behave({ kind: 'error', status: 401, message: 'Wrong key sk-secret-1234' });
    const error: unknown = await embed().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ statusCode: 401, message: 'Wrong key [key]' });
    expect(JSON.stringify(error)).not.toContain('sk-secret-1234');
  });
});

describe('reranking models', () => {
  const documents = { type: 'text' as const, values: ['a dog', 'a fish', 'a red fish'] };
  const rerank = async (fields: Partial<ModelConnection> = {}) =>
    (await siliconFlow.rerankingModel(connection(fields))).doRerank({ query: 'red fish', documents, topN: 2 });

  it('send the query, the documents, the key and extra arguments, and sort the results', async () => {
    const extra_args = { return_documents: false, query: 'else', documents: [], top_n: 9 };
    const { ranking } = await rerank({ extra_args, base_url: `${server.base_url}/` });
    expect(ranking).toEqual([
      { index: 2, relevanceScore: 1 },
      { index: 1, relevanceScore: 0.5 },
    ]);
    expect(server.requests[0]?.path).toBe('/v1/rerank');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-1234');
    expect(server.requests[0]?.body).toEqual({
      model: 'some/model-1',
      query: 'red fish',
      documents: documents.values,
      top_n: 2,
      return_documents: false,
    });
  });

  it('send objects as JSON and custom headers, and no authorization without a key', async () => {
    const model = await siliconFlow.rerankingModel(connection({ api_key: null }));
    const values = [{ title: 'red' }, { title: 'blue' }];
    const headers = { 'x-trace': 'abc' };
    await model.doRerank({ query: 'red', documents: { type: 'object', values }, headers });
    expect(server.requests[0]?.body?.documents).toEqual(['{"title":"red"}', '{"title":"blue"}']);
    expect(server.requests[0]?.headers).toMatchObject({ 'x-trace': 'abc' });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.body).not.toHaveProperty('top_n');
  });

  const failure = () =>
    rerank().then(
      () => Promise.reject(new Error('the service was believed')),
      (reason: Error) => reason,
    );

  it.each([
    [{ message: 'Wrong key sk-secret-1234' }, 'Wrong key [key]'],
    [{ body: '{"message":"No such model"}' }, 'No such model'],
    [{ body: '<html>no</html>' }, 'Unauthorized'],
    [{ body: '' }, 'Unauthorized'],
  ])('report the message of the service, without the key: %j', async (behaviour, message) => {
    server.behave({ kind: 'error', status: 401, headers: { 'retry-after': '7' }, ...behaviour });
    const error = await failure();
    expect(error).toMatchObject({ statusCode: 401, message, responseHeaders: { 'retry-after': '7' } });
    expect(JSON.stringify(error)).not.toContain('sk-secret-1234');
  });

  it.each([
    '{"results":[{"index":0}]}',
    '{"data":[]}',
    '[]',
    'null',
    '{"results":[{"index":-1,"relevance_score":1}]}',
    '{"results":[{"index":3,"relevance_score":1}]}',
    '{"results":[{"index":1,"relevance_score":1},{"index":1,"relevance_score":1}]}',
  ])('do not believe %s', async (body) => {
    server.behave({ kind: 'error', status: 200, body });
    const error = await failure();
    expect(error.name).toBe('AI_InvalidResponseDataError');
    expect(providerError(error)).toMatchObject({ reason: 'provider_failed' });
  });

  it('fail when the connection breaks', async () => {
    server.behave({ kind: 'cut' });
    expect(providerError(await failure())).toMatchObject({ reason: 'provider_failed' });
  });
});
