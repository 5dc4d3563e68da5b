import { providerError } from '@parley/sdk';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { bearerHeaders, listModels, type ModelListing, openAiListing } from './model-list.ts';

const signal = new AbortController().signal;

/** A client that returns these in turn, and records requests. */
function answering(...answers: (string | object)[]) {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const fetch = (async (input: string, init: { headers: Record<string, string> }) => {
    const answer = answers[Math.min(asked.push({ url: input, headers: init.headers }), answers.length) - 1] ?? '';
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }) as unknown as typeof globalThis.fetch;
  return { asked, connection: { base_url: '', api_key: 'secret', fetch } };
}

const Page = Type.Object({ names: Type.Array(Type.String()), next: Type.Optional(Type.String()) });
const listing: ModelListing<typeof Page> = {
  url: 'https://a.example/models',
  headers: bearerHeaders,
  page: Page,
  modelsOf: ({ names }) => names.map((id) => ({ id })),
  nextPage: ({ next }) => next,
};

it('a list is read page by page, with the key, each model once', async () => {
  const { asked, connection } = answering(
    { names: ['a', 'b', ''], next: 'https://a.example/models?page=2' },
    { names: ['b', 'c'] },
  );
  expect(await listModels(connection, listing, signal)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect(asked.map(({ url }) => url)).toEqual(['https://a.example/models', 'https://a.example/models?page=2']);
  expect(asked.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
});

it('no key, no header', async () => {
  const { asked, connection } = answering({ names: [] });
  await listModels({ ...connection, api_key: null }, listing, signal);
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
});

it('a list without an end ends', async () => {
  const { asked, connection } = answering({ names: ['a'], next: 'https://a.example/again' });
  expect(await listModels(connection, listing, signal)).toEqual([{ id: 'a' }]);
  expect(asked).toHaveLength(20);
});

it.each(['', 'no', '[]', 'null', '{}', '{"names":"a"}', '{"names":[1]}'])('%j is no list', async (answer) => {
  const error = await listModels(answering(answer).connection, listing, signal).catch((reason: unknown) => reason);
  expect(providerError(error)).toMatchObject({ reason: 'provider_failed' });
  expect((error as Error).name).toBe('AI_InvalidResponseDataError');
});

it('a list that is longer than any is not read', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) });
  const fetch = async () => new Response(body);
  await expect(listModels({ base_url: '', api_key: null, fetch }, listing, signal)).rejects.toThrow('too long');
});

it('takes the kind of a model from the service if available', async () => {
  const { connection } = answering({
    data: [
      { id: 'plain' },
      { id: 'chat', type: 'chat' },
      { id: 'vectors', type: 'Embedding' },
      { id: 'ranks', type: 'rerank' },
      { id: 'paints', type: 'image' },
      { id: 'talks', capabilities: { completion_chat: true } },
      { id: 'odd', type: null, capabilities: null },
    ],
  });
  expect(await listModels(connection, openAiListing('https://a.example/v1'), signal)).toEqual([
    { id: 'plain' },
    { id: 'chat', kinds: ['llm'] },
    { id: 'vectors', kinds: ['text-embedding'] },
    { id: 'ranks', kinds: ['rerank'] },
    { id: 'paints' },
    { id: 'talks', kinds: ['llm'] },
    { id: 'odd' },
  ]);
});
