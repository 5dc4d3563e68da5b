import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelApiFixture, modelName, png, startModelApi } from '../factories/model-api.ts';
import type { FakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';

const plain = { model: modelName, messages: [{ role: 'user' as const, content: 'Hello' }] };

describe.each(['SQLite', 'PostgreSQL'])('responses with %s', (engine) => {
  let fresh: FreshDatabase | undefined;
  let api: ModelApiFixture;
  let model: FakeOpenAi;
  let client: OpenAI;
  beforeAll(async () => {
    if (engine === 'PostgreSQL') fresh = await migratedDatabase();
    api = await startModelApi(fresh === undefined ? {} : { databaseUrl: fresh.url });
    ({ model, client } = api);
  });
  beforeEach(() => model.behave({ kind: 'answer' }));
  afterAll(async () => {
    await api.stop();
    await fresh?.drop();
  });

  it('answer, and go on from each other', async () => {
    const first = await client.responses.create({
      model: modelName,
      input: 'My name is Ada.',
      instructions: 'Be brief.',
    });
    expect(first).toMatchObject({
      object: 'response',
      status: 'completed',
      output_text: 'Hello from the fake model.',
      usage: { input_tokens: 7, output_tokens: 6, total_tokens: 13 },
    });
    api.service.check('POST', '/v1/responses', 200, JSON.stringify(first));
    const ask = (input: string, previous_response_id: string) =>
      client.responses.create({ model: modelName, input, previous_response_id });
    const second = await ask('Who am I?', first.id);
    const answer = { role: 'assistant', content: 'Hello from the fake model.' };
    const begun = [{ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'My name is Ada.' }, answer];
    expect(api.told()).toEqual([...begun, { role: 'user', content: 'Who am I?' }]);
    await ask('And now?', second.id);
    const gone = [...begun, { role: 'user', content: 'Who am I?' }, answer];
    expect(api.told()).toEqual([...gone, { role: 'user', content: 'And now?' }]);
    const branch = await ask('Something else', first.id);
    expect(api.told()).toEqual([...begun, { role: 'user', content: 'Something else' }]);
    await ask('More of it', branch.id);
    expect(api.told()).toEqual([
      ...begun,
      { role: 'user', content: 'Something else' },
      answer,
      { role: 'user', content: 'More of it' },
    ]);
    const conversations = await Promise.all(
      [first, second, branch].map(async ({ id }) => (await api.explained(id)).message),
    );
    expect(conversations[1].conversation_uuid).toBe(conversations[0].conversation_uuid);
    expect(conversations[2].conversation_uuid).not.toBe(conversations[0].conversation_uuid);
  });

  it('go on from each other at the same time', async () => {
    const { id } = await client.responses.create({ model: modelName, input: 'Begin' });
    model.behave({ kind: 'answer', headersAfterMs: 100 });
    const before = model.requests.length;
    await Promise.all(
      ['one', 'two'].map((input) => client.responses.create({ model: modelName, input, previous_response_id: id })),
    );
    const asked = model.requests
      .slice(before)
      .map(({ body = {} }) => (body.messages as { content: string }[]).map(({ content }) => content));
    const begun = ['Be kind.', 'Begin', 'Hello from the fake model.'];
    expect(asked.sort()).toEqual([
      [...begun, 'one'],
      [...begun, 'two'],
    ]);
  });

  it('are told while they grow', async () => {
    model.behave({ kind: 'answer', chunks: ['One', ' two'], delayMs: 60 });
    const stream = await client.responses.create({
      model: modelName,
      input: [{ role: 'user', content: 'Count' }],
      stream: true,
    });
    const events = [];
    for await (const event of stream) events.push(event);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type !== 'response.output_text.delta')).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : [])).join('')).toBe(
      'One two',
    );
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ response: { status: 'completed', usage: { output_tokens: 2 } } });
    const final = await client.responses.stream({ model: modelName, input: 'Count' }).finalResponse();
    expect(final.output_text).toBe('One two');
  });

  it('see pictures', async () => {
    const image_url = `data:image/png;base64,${png}`;
    await client.responses.create({
      model: modelName,
      input: [{ role: 'user', content: [{ type: 'input_image', image_url, detail: 'auto' }] }],
    });
    expect(JSON.stringify(api.told().at(-1))).toContain(png);
  });

  it('cannot be continued if they are unknown, of other callers, or not stored', async () => {
    const refusal = { status: 404, code: 'previous_response_not_found', param: 'previous_response_id' };
    const goOn = (previous_response_id: string, by = client) =>
      by.responses.create({ model: modelName, input: 'Go on', previous_response_id });
    const { id } = await client.responses.create({ model: modelName, input: 'Hello' });
    const unstored = await client.responses.create({ model: modelName, input: 'Hello', store: false });
    const chat = await client.chat.completions.create(plain);
    const { key: another } = await api.service.createApiKey(['send']);
    await expect(goOn('resp_00000000-0000-7000-8000-000000000000')).rejects.toMatchObject(refusal);
    await expect(goOn('nothing')).rejects.toMatchObject(refusal);
    await expect(goOn(id, api.clientWith(another))).rejects.toMatchObject(refusal);
    await expect(goOn(unstored.id)).rejects.toMatchObject(refusal);
    await expect(goOn(chat.id.replace('chatcmpl-', 'resp_'))).rejects.toMatchObject(refusal);
    await expect(goOn(id)).resolves.toMatchObject({ status: 'completed', previous_response_id: id });
  });

  it.each([
    ['tools', { tools: [{ type: 'web_search' }] }, 'tools'],
    ['the background', { background: true }, 'background'],
    ['a conversation', { conversation: 'conv_1' }, 'conversation'],
    ['a form', { text: { format: { type: 'json_object' } } }, 'text'],
    ['an item that is no message', { input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    ['nothing', { input: undefined }, 'input'],
    ['a number', { input: 7 }, 'input'],
  ])('refuse %s', async (_, over, param) => {
    await expect(client.responses.create({ model: modelName, input: 'Hello', ...over } as never)).rejects.toMatchObject(
      {
        status: 400,
        type: 'invalid_request_error',
        param,
      },
    );
  });
});
