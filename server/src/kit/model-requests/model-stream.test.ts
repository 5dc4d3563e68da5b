import { getEventListeners } from 'node:events';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModel } from '@parley/sdk';
import { fakeLanguageModel } from '@parley/sdk/testing';
import { expect, it } from 'vitest';
import { ModelStream } from './model-stream.ts';

const options = { prompt: [] };
const open = (model: LanguageModel, signal = new AbortController().signal) => new ModelStream(model, options, signal);

async function partsOf(stream: ModelStream) {
  const parts: LanguageModelV4StreamPart[] = [];
  for (let part = await stream.next(10_000); part !== null; part = await stream.next(10_000)) parts.push(part);
  return parts;
}

/** A model that heeds no signal: its stream begins when `begin` resolves, and then stays silent. */
function deafModel(begin: Promise<void>) {
  const cancelled = Promise.withResolvers<unknown>();
  const stream = new ReadableStream<LanguageModelV4StreamPart>({ cancel: (reason) => cancelled.resolve(reason) });
  const model: LanguageModel = { ...fakeLanguageModel(), doStream: () => begin.then(() => ({ stream })) };
  return { model, cancelled: cancelled.promise };
}

it('a request that came to its end is not aborted, and leaves nothing behind', async () => {
  const model = fakeLanguageModel();
  const { signal } = new AbortController();
  const stream = open(model, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  expect((await partsOf(stream)).at(-1)).toMatchObject({ type: 'finish' });
  stream.close();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(model.calls[0]?.abortSignal?.aborted).toBe(false);
});

it('a request whose reader stops early is aborted', async () => {
  const model = fakeLanguageModel();
  const stream = open(model);
  await stream.next(10_000);
  stream.close();
  expect(model.calls[0]?.abortSignal?.aborted).toBe(true);
});

it.each([
  ['before it answers', new Promise<void>(() => undefined)],
  ['in the middle', Promise.resolve()],
])('a model that heeds no signal is given up when it is silent %s', async (_, begin) => {
  const stream = open(deafModel(begin).model);
  await expect(stream.next(20)).rejects.toMatchObject({ reason: 'provider_timeout' });
});

it('a model that heeds no signal is given up when the answer is', async () => {
  const controller = new AbortController();
  const { model, cancelled } = deafModel(Promise.resolve());
  const part = open(model, controller.signal).next(10_000);
  const reason = new Error('stopped');
  setTimeout(() => controller.abort(reason));
  await expect(part).rejects.toBe(reason);
  expect(await cancelled).toBe(reason);
});

it('a stream that begins after it was given up is cancelled', async () => {
  const begin = Promise.withResolvers<void>();
  const { model, cancelled } = deafModel(begin.promise);
  await expect(open(model).next(20)).rejects.toMatchObject({ reason: 'provider_timeout' });
  begin.resolve();
  expect(await cancelled).toMatchObject({ reason: 'provider_timeout' });
});

it('a model is not called for an answer that was given up before', async () => {
  const model = fakeLanguageModel();
  const reason = new Error('stopped');
  await expect(open(model, AbortSignal.abort(reason)).next(10_000)).rejects.toBe(reason);
  expect(model.calls).toEqual([]);
});
