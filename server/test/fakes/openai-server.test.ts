import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOpenAi, type FakeOpenAiBehaviour, fakeDimension, startFakeOpenAi } from './openai-server.ts';

let server: FakeOpenAi;
beforeEach(async () => {
  server = await startFakeOpenAi();
});
afterEach(() => server.close());

const ask = (stream: boolean, path = '/chat/completions') =>
  fetch(`${server.base_url}${path}`, { method: 'POST', body: JSON.stringify({ model: 'm', stream }) });

/** The data of every event, parsed where it is JSON. */
const eventsOf = (text: string) => text.split('\n\n').filter((event) => event !== '');

describe('startFakeOpenAi', () => {
  it('answers whole and records the request', async () => {
    expect(await (await ask(false)).json()).toMatchObject({
      model: 'm',
      choices: [{ message: { content: 'Hello from the fake model.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 6, total_tokens: 13 },
    });
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions', body: { model: 'm' } }]);
  });

  it('streams events up to [DONE]', async () => {
    server.behave({ kind: 'answer', chunks: ['a', 'b'], delayMs: 1 });
    const response = await ask(true);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsOf(await response.text());
    expect(events.at(-1)).toBe('data: [DONE]');
    expect(events.filter((event) => /"content":"[ab]"/.test(event))).toHaveLength(2);
  });

  it.each<[FakeOpenAiBehaviour, RegExp]>([
    [{ kind: 'unfinished', chunks: ['a'] }, /"content":"a"(?!.*(?:stop|DONE))/],
    [{ kind: 'malformed', chunks: ['a'] }, /\{"choices": \[\{\n\n$/],
    [{ kind: 'stream-error', chunks: ['a'], message: 'no more' }, /"error":\{"message":"no more"/],
  ])('ends a stream as told: %o', async (behaviour, expected) => {
    server.behave(behaviour);
    expect(await (await ask(true)).text()).toMatch(expected);
  });

  it('wants tools to be called, whole or piece by piece', async () => {
    const calls = [
      { name: 'look_up', arguments: { query: 'Ulm' } },
      { name: 'broken', arguments: '{"half', id: 'mine' },
    ];
    server.behave({ kind: 'tool_calls', calls, chunks: ['Let me see.'] });
    const [choice] = ((await (await ask(false)).json()) as { choices: unknown[] }).choices;
    const described = [
      { id: 'call-1', type: 'function', function: { name: 'look_up', arguments: '{"query":"Ulm"}' } },
      { id: 'mine', type: 'function', function: { name: 'broken', arguments: '{"half' } },
    ];
    expect(choice).toMatchObject({
      message: { content: 'Let me see.', tool_calls: described },
      finish_reason: 'tool_calls',
    });

    const events = eventsOf(await (await ask(true)).text());
    const deltas = events
      .filter((event) => event.includes('tool_calls":['))
      .map((event) => JSON.parse(event.slice('data: '.length)).choices[0].delta.tool_calls[0]);
    expect(deltas).toHaveLength(6);
    const argumentsOf = (index: number) =>
      deltas.map((delta) => (delta.index === index ? delta.function.arguments : '')).join('');
    expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{"query":"Ulm"}', '{"half']);
    expect(deltas[0]).toMatchObject({ id: 'call-1', function: { name: 'look_up' } });
    expect(events.some((event) => event.includes('"finish_reason":"tool_calls"'))).toBe(true);
  });

  it('may take its time before it answers at all', async () => {
    server.behave({ kind: 'answer', headersAfterMs: 50 });
    const started = performance.now();
    const response = await ask(true);
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
    expect(await response.text()).toContain('[DONE]');
  });

  it('breaks the connection on request', async () => {
    server.behave({ kind: 'cut', chunks: ['a'] });
    const response = await ask(true);
    await expect(response.text()).rejects.toThrow();
    await expect(ask(false)).rejects.toThrow();
  });

  it('refuses as told, request by request', async () => {
    server.behave((index) =>
      index === 0 ? { kind: 'error', status: 429, headers: { 'retry-after': '3' } } : { kind: 'answer' },
    );
    const refused = await ask(true);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    expect((await ask(true)).status).toBe(200);
  });

  const post = async (path: string, body: object) =>
    (await fetch(`${server.base_url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();

  it('gives each text its own vector', async () => {
    const { data } = (await post('/embeddings', { model: 'm', input: ['one', 'two', 'one'] })) as {
      data: { index: number; embedding: number[] }[];
    };
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(data[0]?.embedding).toHaveLength(fakeDimension);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
  });

  it('scores documents by the words they share with the query, as many as asked for', async () => {
    const body = { model: 'm', query: 'red fish', documents: ['a dog', 'a fish', 'a red fish'] };
    expect(await post('/rerank', body)).toMatchObject({
      results: [
        { index: 0, relevance_score: 0 },
        { index: 1, relevance_score: 0.5 },
        { index: 2, relevance_score: 1 },
      ],
    });
    expect(await post('/rerank', { ...body, top_n: 1 })).toMatchObject({ results: [{ index: 2 }] });
  });

  it('rejects those on request as well', async () => {
    server.behave({ kind: 'error', status: 401 });
    for (const path of ['/embeddings', '/rerank']) expect((await ask(false, path)).status).toBe(401);
  });

  it('knows no other path', async () => {
    expect((await ask(false, '/models')).status).toBe(404);
  });

  it('closes with a request still open', async () => {
    server.behave({ kind: 'stall', chunks: ['a'] });
    const response = await ask(true);
    const other = await startFakeOpenAi();
    await server.close();
    await expect(response.text()).rejects.toThrow();
    server = other;
  });
});
