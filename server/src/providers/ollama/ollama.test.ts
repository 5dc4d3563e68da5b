import { Readable } from 'node:stream';
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type LanguageModel, providerError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { ollama } from './index.ts';

/** A model whose server responds with these lines, and its requests. */
async function answering(...lines: (string | object)[]) {
  const asked: Record<string, unknown>[] = [];
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  const bytes = Buffer.from(text);
  const fetch = (async (_input: string, init: { body: string }) => {
    asked.push(JSON.parse(init.body));
    // Byte by byte, so that neither lines nor characters come whole.
    const body = Readable.toWeb(Readable.from(Array.from(bytes, (byte) => Uint8Array.of(byte))));
    return new Response(body as unknown as ReadableStream);
  }) as unknown as typeof globalThis.fetch;
  const connection = { model_name: 'm', base_url: 'http://127.0.0.1', api_key: null, extra_args: {}, fetch };
  const model = (await ollama.languageModel?.(connection)) as LanguageModel;
  return { model, connection, asked };
}

const said = (text: string): LanguageModelV4CallOptions['prompt'] => [
  { role: 'user', content: [{ type: 'text', text }] },
];

async function partsOf(model: LanguageModel): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({ prompt: said('Hi') });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => providerError(error),
  );

describe('responses of Ollama', () => {
  it('is read as thoughts, text and calls, in blocks of their own', async () => {
    const { model } = await answering(
      { message: { role: 'assistant', content: '', thinking: 'Hm' } },
      { message: { content: '', thinking: '…' } },
      { message: { content: 'Grüß' } },
      { message: { content: ' dich 😀' } },
      {
        message: {
          content: '',
          tool_calls: [{ function: { name: 'look', arguments: { at: 'it' } } }, { function: { name: 'wait' } }],
        },
      },
      { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 6 },
    );
    expect(await partsOf(model)).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: 'Hm' },
      { type: 'reasoning-delta', id: '1', delta: '…' },
      { type: 'reasoning-end', id: '1' },
      { type: 'text-start', id: '2' },
      { type: 'text-delta', id: '2', delta: 'Grüß' },
      { type: 'text-delta', id: '2', delta: ' dich 😀' },
      { type: 'tool-call', toolCallId: expect.any(String), toolName: 'look', input: '{"at":"it"}' },
      { type: 'tool-call', toolCallId: expect.any(String), toolName: 'wait', input: '{}' },
      { type: 'text-end', id: '2' },
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'stop' },
        usage: expect.objectContaining({ inputTokens: expect.objectContaining({ total: 5 }) }),
      },
    ]);
  });

  it('may be a whole answer', async () => {
    const { model } = await answering({
      message: { content: 'Yes', thinking: 'Hm' },
      done: true,
      done_reason: 'length',
      eval_count: 9,
    });
    expect(await model.doGenerate({ prompt: said('Hi') })).toMatchObject({
      content: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'Yes' },
      ],
      finishReason: { unified: 'length' },
      usage: { outputTokens: { total: 9 } },
    });
  });

  it('is unfinished when it just ends', async () => {
    const { model } = await answering({ message: { content: 'Well' }, done: false });
    expect((await partsOf(model)).at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'other', raw: undefined },
    });
  });

  it.each<[string, (string | object)[], string]>([
    [
      'a fault in the middle',
      [{ message: { content: 'Well' } }, { error: 'out of memory' }],
      'The model provider answered 500: out of memory.',
    ],
    [
      'half a line',
      [{ message: { content: 'Well' } }, '{"message":{"con'],
      'The answer of the model provider broke off or is malformed.',
    ],
    ['a line of something else', ['[]\n'], 'The answer of the model provider broke off or is malformed.'],
    ['null', ['null\n'], 'The answer of the model provider broke off or is malformed.'],
    [
      'a text of a wrong kind',
      [{ message: { content: 7 } }],
      'The answer of the model provider broke off or is malformed.',
    ],
  ])('is a failure when it is %s', async (_, lines, message) => {
    const { model } = await answering(...lines);
    expect(await failureOf(partsOf(model))).toMatchObject({ reason: 'provider_failed', message });
  });

  it.each(['', 'no', '{}', '{"embeddings":[]}', '{"embeddings":[["a"]]}', '{"embeddings":[[1],[2]]}'])(
    'is no vector when it is %j',
    async (text) => {
      const { connection } = await answering(text);
      const model = await ollama.embeddingModel?.(connection);
      expect(await failureOf(Promise.resolve(model?.doEmbed({ values: ['a'] })))).toMatchObject({
        reason: 'provider_failed',
      });
    },
  );
});

describe('requests to Ollama', () => {
  const done = { message: { content: 'Yes' }, done: true };

  it('contain the conversation in its format', async () => {
    const { model, asked } = await answering(done);
    const image = {
      type: 'file' as const,
      mediaType: 'image/png',
      data: { type: 'data' as const, data: Uint8Array.of(1, 2, 3) },
    };
    const result = { type: 'tool-result' as const, toolCallId: '1', toolName: 'look' };
    await model.doGenerate({
      prompt: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'What' }, image, { type: 'text', text: 'is it?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm' },
            { type: 'text', text: 'Let me see.' },
            { type: 'tool-call', toolCallId: '1', toolName: 'look', input: { at: 'it' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { ...result, output: { type: 'json', value: { colour: 'red' } } },
            { ...result, output: { type: 'error-text', value: 'Too dark' } },
            { ...result, output: { type: 'execution-denied' } },
            {
              ...result,
              output: {
                type: 'content',
                value: [
                  { type: 'text', text: 'A' },
                  { type: 'text', text: 'B' },
                ],
              },
            },
          ],
        },
      ],
    });
    expect(asked[0]?.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'What\nis it?', images: ['AQID'] },
      {
        role: 'assistant',
        content: 'Let me see.',
        thinking: 'Hm',
        tool_calls: [{ function: { name: 'look', arguments: { at: 'it' } } }],
      },
      { role: 'tool', tool_name: 'look', content: '{"colour":"red"}' },
      { role: 'tool', tool_name: 'look', content: 'Too dark' },
      { role: 'tool', tool_name: 'look', content: 'The tool was not allowed to run.' },
      { role: 'tool', tool_name: 'look', content: 'A\nB' },
    ]);
  });

  it('contain the settings of the call, with warnings for unsupported ones', async () => {
    const { model, asked } = await answering(done);
    const tool = { type: 'function' as const, name: 'look', inputSchema: { type: 'object' as const } };
    const schema = { type: 'object' as const };
    const { warnings } = await model.doGenerate({
      prompt: said('Hi'),
      maxOutputTokens: 10,
      temperature: 0,
      topP: 0.5,
      topK: 4,
      seed: 7,
      stopSequences: ['.'],
      presencePenalty: 1,
      frequencyPenalty: 2,
      responseFormat: { type: 'json', schema },
      tools: [tool, { type: 'provider', id: 'a.b', name: 'b', args: {} }],
      toolChoice: { type: 'required' },
    });
    expect(asked[0]).toMatchObject({
      stream: false,
      format: schema,
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
      options: {
        num_predict: 10,
        temperature: 0,
        top_p: 0.5,
        top_k: 4,
        seed: 7,
        stop: ['.'],
        presence_penalty: 1,
        frequency_penalty: 2,
      },
    });
    expect(warnings).toHaveLength(2);
  });

  it('contain no tools if none may be called', async () => {
    const { model, asked } = await answering(done);
    const tools = [{ type: 'function' as const, name: 'look', inputSchema: { type: 'object' as const } }];
    const { warnings } = await model.doGenerate({ prompt: said('Hi'), tools, toolChoice: { type: 'none' } });
    expect(asked[0]).not.toHaveProperty('tools');
    expect(asked[0]).not.toHaveProperty('options');
    expect(warnings).toEqual([]);
  });

  it.each([
    { mediaType: 'application/pdf', data: { type: 'data' as const, data: 'AAAA' } },
    { mediaType: 'image/png', data: { type: 'url' as const, url: new URL('https://a.example/a.png') } },
  ])('contain no unsupported files: %j', async (file) => {
    const { model, asked } = await answering(done);
    const prompt = [{ role: 'user' as const, content: [{ type: 'file' as const, ...file }] }];
    await expect(model.doStream({ prompt })).rejects.toThrow(/not supported|functionality/);
    expect(asked).toEqual([]);
  });
});
