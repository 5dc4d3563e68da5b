import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ModelApiFixture, modelName, png, startModelApi } from '../factories/model-api.ts';
import type { TestService } from '../factories/start-test-service.ts';
import type { FakeOpenAi } from '../fakes/openai-server.ts';

const patience = { timeout: 15_000 };
const plain = { model: modelName, messages: [{ role: 'user' as const, content: 'Hello' }] };

let api: ModelApiFixture;
let service: TestService;
let model: FakeOpenAi;
let client: OpenAI;
beforeAll(async () => {
  api = await startModelApi();
  ({ service, model, client } = api);
});
beforeEach(() => model.behave({ kind: 'answer' }));
afterAll(() => api.stop());

describe('models', () => {
  it('are the pipelines, by name and by id', async () => {
    const listed = { id: modelName, object: 'model', created: expect.any(Number), owned_by: 'parley' };
    expect((await client.models.list()).data).toEqual([listed]);
    expect(await client.models.retrieve(modelName)).toEqual(listed);
    expect(await client.models.retrieve(api.pipeline.toUpperCase())).toEqual(listed);
  });

  it('have their id where several have the same name, and are not found by the name', async () => {
    const { uuid } = await api.send('POST', '/pipelines', { name: modelName });
    try {
      expect((await client.models.list()).data.map(({ id }) => id).sort()).toEqual([api.pipeline, uuid].sort());
      await expect(client.chat.completions.create(plain)).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
      });
      expect((await client.chat.completions.create({ ...plain, model: api.pipeline })).model).toBe(api.pipeline);
    } finally {
      await api.send('DELETE', `/pipelines/${uuid}`);
    }
  });
});

describe('chat completions', () => {
  it('answer, with what it took', async () => {
    model.behave({ kind: 'answer', chunks: ['Hi', ' there'], usage: { prompt_tokens: 12, completion_tokens: 3 } });
    const { data, response } = await client.chat.completions.create({ ...plain, temperature: 0.2 }).withResponse();
    expect(data).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: modelName,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    });
    expect(response.headers.get('parley-ignored-parameters')).toBe('temperature');
    service.check('POST', '/v1/chat/completions', 200, JSON.stringify(data));
    const { message, model_calls, summary } = await api.explained(data.id);
    expect(message).toMatchObject({
      text: 'Hello',
      state: 'answered',
      session_id: expect.stringMatching(/^api-key-\d+$/),
    });
    expect(model_calls).toMatchObject([{ input_tokens: 12, output_tokens: 3 }]);
    expect(summary).toBe('The message was answered.');
  });

  it('are counted for the API key, with all of its users', async () => {
    const { id, key } = await service.createApiKey(['send']);
    const other = api.clientWith(key);
    model.behave({ kind: 'answer', usage: { prompt_tokens: 12, completion_tokens: 3 } });
    await other.chat.completions.create(plain);
    await other.chat.completions.create({ ...plain, user: 'ada' });
    const usageSince = async (since: string) => {
      const { usage } = await api.send('GET', `/apikeys/usage?since=${since}`);
      return usage.find((one: { id: number }) => one.id === id);
    };
    expect(await usageSince('2026-01-01T00:00:00Z')).toEqual({
      id,
      requests: 2,
      llm_calls: 2,
      llm_failures: 0,
      input_tokens: 24,
      output_tokens: 6,
      total_tokens: 30,
      cost: 0,
    });
    expect(await usageSince('2999-01-01T00:00:00Z')).toBeUndefined();
  });

  it('are told while they grow', async () => {
    model.behave({ kind: 'answer', chunks: ['One', ' two', ' three'], delayMs: 60 });
    const stream = await client.chat.completions.create({
      ...plain,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: 'assistant', content: '' });
    const texts = chunks.flatMap(({ choices }) => choices[0]?.delta.content || []);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe('One two three');
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('work with the helper of the client that puts them together', async () => {
    const completion = await client.chat.completions.stream(plain).finalChatCompletion();
    expect(completion.choices[0]?.message.content).toBe('Hello from the fake model.');
  });

  it('know what was said before and what the system says, and nothing of each other', async () => {
    await client.chat.completions.create({
      model: modelName,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'My name is Ada.' },
        { role: 'assistant', content: 'Hello Ada.' },
        { role: 'developer', content: [{ type: 'text', text: 'Speak German.' }] },
        { role: 'user', content: 'Who am I?' },
      ],
    });
    expect(api.told()).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: 'Be brief.\n\nSpeak German.' },
      { role: 'user', content: 'My name is Ada.' },
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: 'Who am I?' },
    ]);
    await client.chat.completions.create(plain);
    expect(api.told()).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('see pictures of the question and of what was said before, and read files', async () => {
    const image_url = { url: `data:image/png;base64,${png}` };
    const image = { type: 'image_url' as const, image_url };
    const file_data = `data:text/plain;base64,${Buffer.from('It is a cat.').toString('base64')}`;
    const { id } = await client.chat.completions.create({
      model: modelName,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'First' }, image] },
        { role: 'assistant', content: 'Yes' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Second' },
            image,
            { type: 'file', file: { filename: 'notes.txt', file_data } },
          ],
        },
      ],
    });
    const [, first, , second] = api.told();
    for (const message of [first, second]) {
      expect(message?.content).toContainEqual({ type: 'image_url', image_url: expect.objectContaining(image_url) });
    }
    expect(JSON.stringify(second)).toContain('It is a cat.');
    const { message } = await api.explained(id);
    expect(message.message_chain).toMatchObject([
      { type: 'Plain', text: 'Second' },
      { type: 'Image', path: expect.stringMatching(/./), url: expect.stringMatching(/^\/api\/v1\/files\/image\//) },
      { type: 'File', name: 'notes.txt', size: 12 },
    ]);
    expect(JSON.stringify(message)).not.toContain(png);
  });

  it('take no commands from what programs say', async () => {
    const { choices } = await client.chat.completions.create({
      model: modelName,
      messages: [{ role: 'user', content: '!help' }],
    });
    expect(choices[0]?.message.content).toBe('Hello from the fake model.');
  });

  it.each<[string, object, string]>([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools'],
    ['a choice of tools', { tool_choice: 'required' }, 'tool_choice'],
    ['functions', { functions: [{ name: 'f' }] }, 'functions'],
    ['several answers', { n: 2 }, 'n'],
    ['probabilities', { logprobs: true }, 'logprobs'],
    ['speech', { modalities: ['text', 'audio'] }, 'modalities'],
    ['a form', { response_format: { type: 'json_object' } }, 'response_format'],
    ['an unknown parameter', { temprature: 1 }, 'temprature'],
    ['no messages', { messages: [] }, 'messages'],
    ['no model', { model: null }, 'model'],
    ['an end that is no question', { messages: [{ role: 'assistant', content: 'x' }] }, 'messages'],
    ['a call of a tool', { messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }] }, 'messages[0].role'],
    ['a question that says nothing', { messages: [{ role: 'user', content: ' ' }] }, 'messages[0].content'],
    [
      'an unknown part',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      'messages[0].content[0].type',
    ],
    [
      'a picture behind http',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1/a.png' } }] }] },
      'messages[0].content[0].image_url.url',
    ],
    [
      'a picture that is none',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
        ],
      },
      'messages[0].content[0].image_url.url',
    ],
  ])('refuse %s', async (_, over, param) => {
    const before = model.requests.length;
    await expect(client.chat.completions.create({ ...plain, ...over } as never)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_request',
      param,
    });
    expect(model.requests).toHaveLength(before);
  });

  it('take what asks for nothing', async () => {
    const nothing = {
      n: 1,
      tools: [],
      tool_choice: 'none',
      logprobs: false,
      response_format: { type: 'text' },
      stop: null,
    };
    expect((await client.chat.completions.create({ ...plain, ...nothing } as never)).object).toBe('chat.completion');
  });
});

describe('what goes wrong', () => {
  it('is a key that is not good, or may not send', async () => {
    const bad = api.clientWith('sk-nothing');
    await expect(bad.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const { key: reading } = await service.createApiKey(['read']);
    await expect(api.clientWith(reading).chat.completions.create(plain)).rejects.toMatchObject({
      status: 403,
      type: 'permission_error',
      code: 'scope_required',
    });
  });

  it('is a model that does not exist', async () => {
    const unknown = { ...plain, model: 'gpt-4o' };
    const refusal = { status: 404, type: 'invalid_request_error', param: 'model', code: 'model_not_found' };
    await expect(client.chat.completions.create(unknown)).rejects.toMatchObject(refusal);
    await expect(client.models.retrieve('gpt-4o')).rejects.toMatchObject(refusal);
  });

  it('always has the format that clients know', async () => {
    const headers = { authorization: `Bearer ${api.key}` };
    const json = { ...headers, 'content-type': 'application/json' };
    const url = '/v1/chat/completions';
    const large = JSON.stringify({ ...plain, messages: [{ role: 'user', content: 'x'.repeat(17 * 1024 * 1024) }] });
    const all = [
      [await service.request({ method: 'POST', url, headers: json, payload: '{"model' }), 400, 'invalid_request'],
      [
        await service.request({
          method: 'POST',
          url,
          headers: { ...headers, 'content-type': 'text/plain' },
          payload: 'x',
        }),
        415,
        'unsupported_media_type',
      ],
      [await service.request({ method: 'POST', url, headers: json, payload: large }), 413, 'too_large'],
      [await service.request({ method: 'GET', url, headers }), 405, 'method_not_allowed'],
      [await service.request({ method: 'POST', url: '/v1/embeddings', headers, json: {} }), 404, 'not_found'],
      [await service.request({ url: '/v1' }), 404, 'not_found'],
    ] as const;
    for (const [answer, status, code] of all) {
      expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, code]);
      expect(Object.keys(answer.body)).toEqual(['error']);
      expect(Object.keys(answer.body.error)).toEqual(['message', 'type', 'param', 'code']);
    }
  });

  it('is a provider that fails', async () => {
    model.behave({ kind: 'error', status: 400, message: 'No.' });
    const refusal = { status: 502, type: 'server_error', code: expect.stringMatching(/^provider_/) };
    await expect(client.chat.completions.create(plain)).rejects.toMatchObject(refusal);
    await expect(client.chat.completions.create({ ...plain, stream: true })).rejects.toMatchObject(refusal);
    await expect(client.responses.create({ model: modelName, input: 'Hello' })).rejects.toMatchObject(refusal);
  });

  it('is a provider that fails half-way, of which the stream tells', async () => {
    model.behave({ kind: 'stream-error', chunks: ['Well, ', 'you see'], message: 'Out of memory' });
    const stream = await client.chat.completions.create({ ...plain, stream: true });
    let text = '';
    const read = async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/^provider_/) });
    expect('Well, you see'.startsWith(text)).toBe(true);
  });

  it('is a limit of the pipeline, which counts for each user of a program', async () => {
    await api.configure((config) => {
      Object.assign(config.safety['rate-limit'], { 'window-length': 3600, limitation: 1, strategy: 'drop' });
    });
    try {
      const ask = (user: string) => client.chat.completions.create({ ...plain, user });
      await ask('ann');
      const refused = await ask('ann').catch((error) => error);
      expect(refused).toMatchObject({ status: 429, type: 'rate_limit_error', code: 'rate_limited' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await ask('bob');
    } finally {
      await api.configure((config) =>
        Object.assign(config.safety['rate-limit'], { 'window-length': 60, limitation: 60 }),
      );
    }
  });

  it('is a word that may not be said, and one in an answer is masked', async () => {
    await api.send('PUT', '/safety/sensitive-words', { words: ['grumpy'] });
    try {
      const asked = { ...plain, messages: [{ role: 'user' as const, content: 'You are grumpy' }] };
      await expect(client.chat.completions.create(asked)).rejects.toMatchObject({
        status: 400,
        code: 'content_filter',
      });
      model.behave({ kind: 'answer', chunks: ['I am gru', 'mpy now', '.'] });
      const { choices } = await client.chat.completions.create(plain);
      expect(choices[0]).toMatchObject({ message: { content: 'I am ****** now.' }, finish_reason: 'content_filter' });
      const streamed = await client.chat.completions
        .stream(plain)
        .finalChatCompletion()
        .catch((error) => error);
      expect(JSON.stringify(streamed)).not.toContain('grumpy');
    } finally {
      await api.send('PUT', '/safety/sensitive-words', { words: [] });
    }
  });
});

describe('a program that goes away', () => {
  it('half-way has the answer cancelled, at the model as well', async () => {
    model.behave({ kind: 'stall', chunks: ['Well'] });
    const stream = await client.chat.completions.create({ ...plain, stream: true });
    let id = '';
    for await (const chunk of stream) {
      id = chunk.id;
      if (chunk.choices[0]?.delta.content) stream.controller.abort();
    }
    await model.requests.at(-1)?.closed;
    await expect.poll(async () => (await api.explained(id)).reason, patience).toBe('client_closed_request');
  });

  it('before the first word has the answer cancelled, too', async () => {
    model.behave({ kind: 'stall' });
    const before = model.requests.length;
    const controller = new AbortController();
    const asked = client.chat.completions.create(plain, { signal: controller.signal }).catch((error) => error);
    await vi.waitFor(() => expect(model.requests).toHaveLength(before + 1), patience);
    controller.abort();
    expect(await asked).toBeInstanceOf(OpenAI.APIUserAbortError);
    await model.requests.at(-1)?.closed;
  });
});

describe('a request that is named', () => {
  it('is carried out once and answered again', async () => {
    const before = model.requests.length;
    const options = { idempotencyKey: 'x', headers: { 'Idempotency-Key': 'once' } };
    const first = await client.chat.completions.create(plain, options);
    expect(await client.chat.completions.create(plain, options)).toEqual(first);
    expect(model.requests).toHaveLength(before + 1);
    const refused = await client.chat.completions.create({ ...plain, user: 'x' }, options).catch((error) => error);
    expect(refused).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  });
});

it('keeps its bot to itself', async () => {
  const { bots } = await api.send('GET', '/platform/bots');
  expect(bots.map(({ adapter }: { adapter: string }) => adapter)).toEqual(['websocket']);
  const own = await service.database.selectFrom('bots').select('uuid').where('adapter', '=', 'model-api').execute();
  expect(own).toHaveLength(1);
  const url = `/api/v1/platform/bots/${own[0]?.uuid}`;
  for (const method of ['GET', 'DELETE']) {
    expect((await service.request({ method, url, bearer: service.account.token })).status).toBe(404);
  }
  const adapters = (await api.send('GET', '/platform/adapters')).adapters;
  expect(JSON.stringify(adapters)).not.toContain('model-api');
});
