import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, it, vi } from 'vitest';
import type { ModelConnection, ModelRequester } from '../src/model-requester.ts';
import { identityTests } from './identity-tests.ts';

export interface ModelRequesterContractOptions {
  requester: ModelRequester;
  /** A connection to a model that answers any question with some text. Asked for in each test that needs one. */
  connection: () => ModelConnection | Promise<ModelConnection>;
  /** A connection to a model that begins to answer and takes longer than a second. Default: `connection`. */
  slowConnection?: () => ModelConnection | Promise<ModelConnection>;
}

const question: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: [{ type: 'text', text: 'What is the answer?' }] },
  ],
};

/** Registers the tests that every {@link ModelRequester} for language models must pass. */
export function modelRequesterContract(options: ModelRequesterContractOptions): void {
  const { requester, connection, slowConnection = connection } = options;
  describe(`model requester ${requester.name}`, () => {
    identityTests(requester);

    it('declares what it supports and where', () => {
      expect(requester.support_type.length).toBeGreaterThan(0);
      expect(new Set(requester.support_type).size).toBe(requester.support_type.length);
      if (requester.default_base_url !== '') {
        expect(new URL(requester.default_base_url).protocol).toMatch(/^https?:$/);
      }
    });

    it('opens the model that was asked for', async () => {
      const wanted = await connection();
      const model = await requester.languageModel(wanted);
      expect(model.specificationVersion).toBe('v4');
      expect(model.modelId).toBe(wanted.model_name);
      expect(model.provider).not.toBe('');
    });

    it('answers at once', async () => {
      const model = await requester.languageModel(await connection());
      const result = await model.doGenerate(question);
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      expect(text).not.toBe('');
      expect(result.finishReason.unified).toBe('stop');
      expectUsage(result.usage);
    });

    it('answers as a stream', async () => {
      const model = await requester.languageModel(await connection());
      const parts = await readToEnd((await model.doStream(question)).stream.getReader());
      const types = parts.map((part) => part.type);
      expect(types.indexOf('text-start')).toBeLessThan(types.indexOf('text-delta'));
      expect(types.lastIndexOf('text-delta')).toBeLessThan(types.indexOf('text-end'));
      expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')).not.toBe('');
      const last = parts.at(-1);
      if (last?.type !== 'finish') throw new Error(`the stream must end with finish, not ${last?.type}`);
      expect(last.finishReason.unified).toBe('stop');
      expectUsage(last.usage);
    });

    it('reaches the network through the given client only', async () => {
      const unguarded = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('the global fetch was called'));
      try {
        const wanted = await connection();
        const guarded = vi.fn(wanted.fetch);
        const model = await requester.languageModel({ ...wanted, fetch: guarded });
        await model.doGenerate(question);
        expect(guarded.mock.calls.length > 0).toBe(requester.default_base_url !== '');
        expect(unguarded).not.toHaveBeenCalled();
      } finally {
        unguarded.mockRestore();
      }
    });

    it('does not begin a call that was given up', async () => {
      const model = await requester.languageModel(await connection());
      const abortSignal = AbortSignal.abort(new DOMException('given up', 'AbortError'));
      await expect(model.doGenerate({ ...question, abortSignal })).rejects.toThrow('given up');
      await expect(model.doStream({ ...question, abortSignal })).rejects.toThrow('given up');
    });

    it('stops within a second when the call is given up', async () => {
      const model = await requester.languageModel(await slowConnection());
      const controller = new AbortController();
      const { stream } = await model.doStream({ ...question, abortSignal: controller.signal });
      const reader = stream.getReader();
      await reader.read();
      controller.abort(new DOMException('given up', 'AbortError'));
      const ending = readToEnd(reader).catch(() => 'stopped' as const);
      await expect.poll(() => Promise.race([ending, 'going on']), { timeout: 1000 }).toBe('stopped');
    });
  });
}

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/** Reads what is left. An error part counts as an error, because a call that was given up may end with either. */
async function readToEnd(reader: Reader): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === 'error') throw next.value.error;
    parts.push(next.value);
  }
  return parts;
}

function expectUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): void {
  expect(inputTokens.total).toBeGreaterThan(0);
  expect(outputTokens.total).toBeGreaterThan(0);
}
