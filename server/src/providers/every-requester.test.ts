import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { LanguageModel, ModelConnection, ModelRequester } from '@parley/sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { capabilityTests, modelCapabilities, requestersWith } from '../../test/factories/model-capabilities.ts';
import {
  dialectNameOf,
  type dialects,
  listedModels,
  type ModelServer,
  startModelServer,
  vectorLength,
} from '../../test/fakes/model-server/index.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { modelRequesters } from './index.ts';

const servers = new Map<keyof typeof dialects, ModelServer>();
for (const name of new Set(modelRequesters.map((requester) => dialectNameOf(requester.name)))) {
  servers.set(name, await startModelServer(name));
}
beforeEach(() => {
  for (const server of servers.values()) {
    server.requests.length = 0;
    server.behave({ kind: 'answer' });
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

const serverOf = ({ name }: ModelRequester) => servers.get(dialectNameOf(name)) as ModelServer;
const fetch = createGuardedFetch({ policy: 'saved' });
const connectionOf = (requester: ModelRequester): ModelConnection => ({
  model_name: 'some-model',
  base_url: requester.default_base_url === '' ? '' : serverOf(requester).base_url,
  api_key: 'key-of-a-test',
  extra_args: {},
  fetch,
});
const open = async (requester: ModelRequester) =>
  (await requester.languageModel?.(connectionOf(requester))) as LanguageModel;
/** The body of the provider's last request, as text. */
const lastBody = (requester: ModelRequester) => JSON.stringify(serverOf(requester).requests.at(-1)?.body);
const expectKey = (requester: ModelRequester) => {
  if (requester.default_base_url !== '') expect(serverOf(requester).keys()).toEqual(['key-of-a-test']);
};

const prompt: LanguageModelV4Prompt = [
  { role: 'system', content: 'Speak like a sailor.' },
  { role: 'user', content: [{ type: 'text', text: 'How is the weather?' }] },
];

async function partsOf(model: LanguageModel, options: LanguageModelV4CallOptions) {
  const { stream } = await model.doStream(options);
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
  return parts;
}

const tool: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'look_outside',
  description: 'Tells the weather of a town.',
  inputSchema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
};
const call = { name: 'look_outside', arguments: { town: 'Söderköping' } };
const image = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');

describe('every requester', () => {
  it.each(requestersWith('chat'))('$name answers a chat and counts its tokens', async (requester) => {
    const { content, finishReason, usage } = await (await open(requester)).doGenerate({ prompt });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(finishReason.unified).toBe('stop');
    expectKey(requester);
    if (requester.default_base_url === '') return;
    expect(text).toBe('Hello there.');
    expect([usage.inputTokens.total, usage.outputTokens.total]).toEqual([11, 3]);
    expect(lastBody(requester)).toContain('Speak like a sailor.');
    expect(lastBody(requester)).toContain('How is the weather?');
  });

  it.each(requestersWith('streaming'))('$name streams its answer', async (requester) => {
    const parts = await partsOf(await open(requester), { prompt });
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' && part.delta !== '' ? [part.delta] : []));
    const last = parts.at(-1);
    if (last?.type !== 'finish') throw new Error('the stream does not finish');
    expect(last.finishReason.unified).toBe('stop');
    expectKey(requester);
    if (requester.default_base_url === '') return expect(deltas.length).toBeGreaterThan(3);
    expect(deltas).toEqual(['Hello', ' there', '.']);
    expect([last.usage.inputTokens.total, last.usage.outputTokens.total]).toEqual([11, 3]);
  });

  it.each(requestersWith('tools'))('$name offers tools, reads calls and sends results', async (requester) => {
    const model = await open(requester);
    serverOf(requester).behave({ kind: 'answer', tool: call });
    const { content, finishReason } = await model.doGenerate({ prompt, tools: [tool] });
    expect(finishReason.unified).toBe('tool-calls');
    const called = content.find((part) => part.type === 'tool-call');
    expect(called).toMatchObject({ toolName: call.name });
    expect(JSON.parse(called?.input ?? '')).toEqual(call.arguments);
    expect(lastBody(requester)).toContain('Tells the weather of a town.');

    const parts = await partsOf(model, { prompt, tools: [tool] });
    const streamed = parts.find((part) => part.type === 'tool-call');
    expect(streamed).toMatchObject({ toolName: call.name });
    expect(JSON.parse(streamed?.input ?? '')).toEqual(call.arguments);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } });

    serverOf(requester).behave({ kind: 'answer' });
    const { toolCallId = '', toolName = '' } = streamed ?? {};
    const output = { type: 'text' as const, value: 'It rains cats and dogs.' };
    await model.doGenerate({
      prompt: [
        ...prompt,
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: call.arguments }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
      ],
      tools: [tool],
    });
    expect(lastBody(requester)).toContain('It rains cats and dogs.');
    expect(lastBody(requester)).toContain('Söderköping');
  });

  it.each(requestersWith('images'))('$name sends images', async (requester) => {
    const content = [
      { type: 'text' as const, text: 'What is that?' },
      { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: image } },
    ];
    await (await open(requester)).doGenerate({ prompt: [{ role: 'user', content }] });
    expect(lastBody(requester)).toContain(image);
  });

  it.each(requestersWith('embedding'))('$name turns texts into vectors', async (requester) => {
    const model = await requester.embeddingModel?.(connectionOf(requester));
    const { embeddings } = (await model?.doEmbed({ values: ['a fish'] })) ?? {};
    expect(embeddings).toEqual([Array.from({ length: vectorLength }, (_, index) => 6 + index)]);
    expectKey(requester);
  });

  it.each(requestersWith('rerank'))('$name ranks documents', async (requester) => {
    const model = await requester.rerankingModel?.(connectionOf(requester));
    const documents = { type: 'text' as const, values: ['a', 'a fish', 'a dog'] };
    const { ranking } = (await model?.doRerank({ query: 'fish', documents, topN: 2 })) ?? {};
    expect(ranking?.map(({ index }) => index)).toEqual([1, 2]);
    expectKey(requester);
  });

  it.each(requestersWith('model list'))('$name lists its models', async (requester) => {
    const models = await requester.listModels?.(connectionOf(requester), new AbortController().signal);
    expect(models?.map(({ id }) => id)).toEqual(listedModels);
    expectKey(requester);
  });

  it.each(modelRequesters)('$name has an address to call and texts to show', (requester) => {
    const address = requester.default_base_url;
    if (requester.category === 'builtin') expect(address).toBe('');
    else expect(new URL(address).protocol).toMatch(/^https?:$/);
    expect(requester.support_type.length).toBeGreaterThan(0);
    expect(requester.description.en_US).not.toBe('');
  });

  it('is known by its own name', () => {
    expect(new Set(modelRequesters.map(({ name }) => name)).size).toBe(modelRequesters.length);
  });
});

it('every name of the reference system is there', () => {
  const names = modelRequesters.map(({ name }) => name);
  const reference =
    'openai anthropic-messages gemini deepseek moonshot xai zhipuai bailian modelscope volcark compshare 302-ai gitee-ai jiekouai ppio qhaigc shengsuanyun siliconflow openrouter new-api tokenpony space lmstudio ollama-chat seekdb-embedding';
  for (const name of reference.split(' ')) {
    expect(names).toContain(/-(messages|chat|embedding)$/.test(name) ? name : `${name}-chat-completions`);
  }
});

it('every test of a capability is in this file, for at least one requester', () => {
  expect(import.meta.filename.endsWith(capabilityTests)).toBe(true);
  for (const { name } of modelCapabilities) expect(requestersWith(name).length).toBeGreaterThan(0);
});
