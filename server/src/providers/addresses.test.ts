import type { ModelRequester } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { modelRequesters } from './index.ts';

/** The URL, headers and body of a requester's call, which is not answered. */
async function calledBy(name: string, kind: 'chat' | 'embedding' | 'models', base_url: string, extra_args = {}) {
  const requester = modelRequesters.find((one) => one.name === name) as ModelRequester;
  const calls: { url: string; headers: Headers; body: Record<string, unknown> }[] = [];
  const fetch = (async (input: string | URL, init: RequestInit) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    calls.push({ url: String(input), headers: new Headers(init.headers), body });
    return new Response('{"error":{"message":"no"}}', { status: 400 });
  }) as unknown as typeof globalThis.fetch;
  const connection = { model_name: 'large', base_url, api_key: 'secret', extra_args, fetch };
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  const call = async () => {
    if (kind === 'models') return requester.listModels?.(connection, new AbortController().signal);
    if (kind === 'embedding') return (await requester.embeddingModel?.(connection))?.doEmbed({ values: ['Hi'] });
    return (await requester.languageModel?.(connection))?.doStream({ prompt });
  };
  await expect(call()).rejects.toThrow();
  expect(calls).toHaveLength(1);
  return calls[0] as (typeof calls)[number];
}

describe('an address', () => {
  const azure = 'https://res.openai.azure.com';
  const chat = '/chat/completions';
  it.each<[string, string, string]>([
    ['openai-chat-completions', 'https://a.example/v1//', `https://a.example/v1${chat}`],
    ['openai-responses', 'https://a.example/v1/', 'https://a.example/v1/responses'],
    ['anthropic-messages', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
    ['anthropic-messages', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1/messages'],
    ['anthropic-messages', 'https://a.example/anthropic', 'https://a.example/anthropic/v1/messages'],
    ['gemini', 'https://a.example', 'https://a.example/v1beta/models/large:streamGenerateContent?alt=sse'],
    ['gemini', 'https://a.example/v1/', 'https://a.example/v1/models/large:streamGenerateContent?alt=sse'],
    ['azure-openai', azure, `${azure}/openai/v1${chat}`],
    ['azure-openai', `${azure}/`, `${azure}/openai/v1${chat}`],
    ['azure-openai', `${azure}/openai/`, `${azure}/openai/v1${chat}`],
    ['azure-openai', `${azure}/openai/v1`, `${azure}/openai/v1${chat}`],
    ['azure-openai', `${azure}/openai/v1?api-version=v1`, `${azure}/openai/v1${chat}`],
    [
      'azure-openai',
      `${azure}/openai?api-version=2024-10-21`,
      `${azure}/openai/deployments/large${chat}?api-version=2024-10-21`,
    ],
    ['azure-openai', 'https://gateway.example/azure/openai/v1', `https://gateway.example/azure/openai/v1${chat}`],
    [
      'amazon-bedrock',
      'https://bedrock-runtime.eu-north-1.amazonaws.com/',
      'https://bedrock-runtime.eu-north-1.amazonaws.com/model/large/converse-stream',
    ],
    ['ollama-chat', 'http://a.example:11434', 'http://a.example:11434/api/chat'],
    ['ollama-chat', 'http://a.example:11434/v1/', 'http://a.example:11434/api/chat'],
    ['ollama-chat', 'http://a.example:11434/api', 'http://a.example:11434/api/chat'],
  ])('of %s may be %s', async (name, base_url, url) => {
    const called = await calledBy(name, 'chat', base_url);
    // Azure may repeat its default version.
    expect(called.url.replace(/\?api-version=v1$/, '')).toBe(url);
  });

  it.each<[string, string, string]>([
    ['anthropic-messages', 'https://a.example', 'https://a.example/v1/models?limit=1000'],
    ['gemini', 'https://a.example', 'https://a.example/v1beta/models?pageSize=1000'],
    ['ollama-chat', 'http://a.example/v1', 'http://a.example/api/tags'],
    ['groq-chat-completions', 'https://a.example/openai/v1/', 'https://a.example/openai/v1/models'],
  ])('of %s leads to its list: %s', async (name, base_url, url) => {
    expect((await calledBy(name, 'models', base_url)).url).toBe(url);
  });

  it.each<[string, string]>([
    ['openai-responses', 'https://a.example/v1/embeddings'],
    ['azure-openai', 'https://a.example/v1/embeddings'],
    ['gemini', 'https://a.example/v1/models/large:embedContent'],
    ['amazon-bedrock', 'https://a.example/v1/model/large/invoke'],
    ['ollama-chat', 'https://a.example/api/embed'],
  ])('of %s leads to its vectors', async (name, url) => {
    expect((await calledBy(name, 'embedding', 'https://a.example/v1')).url).toBe(url);
  });
});

describe('a request', () => {
  const body = async (name: string, extra_args = {}) =>
    (await calledBy(name, 'chat', 'https://a.example/v1', extra_args)).body;

  it('requests the usage of a stream if supported', async () => {
    expect(await body('openai-chat-completions')).toMatchObject({ stream_options: { include_usage: true } });
    expect(await body('mistral-chat-completions')).not.toHaveProperty('stream_options');
  });

  it('asks OpenAI not to store messages, unless the extra arguments do', async () => {
    expect(await body('openai-responses')).toMatchObject({ store: false });
    expect(await body('openai-responses', { store: true })).toMatchObject({ store: true });
  });

  it('merges the extra arguments with those of the call', async () => {
    const extra_args = { options: { num_ctx: 8192 }, keep_alive: '1h', think: false };
    expect(await body('ollama-chat', extra_args)).toMatchObject({ ...extra_args, stream: true });
    const gemini = { generationConfig: { temperature: 0.2 } };
    expect(await body('gemini', gemini)).toMatchObject(gemini);
  });

  it('never takes a key of the machine', async () => {
    const names = [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'AZURE_API_KEY',
      'AWS_BEARER_TOKEN_BEDROCK',
    ];
    const before = { ...process.env };
    for (const name of names) process.env[name] = 'of-the-machine';
    try {
      for (const requester of modelRequesters) {
        if (requester.default_base_url === '') continue;
        const sent: string[] = [];
        const fetch = (async (_input: string, init: RequestInit) => {
          sent.push(JSON.stringify([...new Headers(init.headers)]));
          return new Response('{}', { status: 400 });
        }) as unknown as typeof globalThis.fetch;
        const connection = { model_name: 'm', base_url: 'https://a.example', api_key: null, extra_args: {}, fetch };
        const model = (await requester.languageModel?.(connection)) ?? (await requester.embeddingModel?.(connection));
        const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
        const call = async () =>
          model !== undefined && 'doEmbed' in model ? model.doEmbed({ values: ['Hi'] }) : model?.doGenerate({ prompt });
        await expect(call(), requester.name).rejects.toThrow();
        expect(sent, requester.name).toHaveLength(1);
        expect(sent[0], requester.name).not.toMatch(/of-the-machine|bearer|none/i);
      }
    } finally {
      for (const name of names) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});
