import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, it, vi } from 'vitest';
import type {
  EmbeddingModel,
  LanguageModel,
  ModelConnection,
  ModelKind,
  ModelRequester,
  RerankingModel,
} from '../src/model-requester.ts';
import { identityTests } from './identity-tests.ts';

type Connect = () => ModelConnection | Promise<ModelConnection>;

export interface ModelRequesterContractOptions {
  requester: ModelRequester;
  /** A connection to a model that always answers. Called in each test that needs one. */
  connection: Connect;
  /** A connection to a language model that starts to answer and takes longer than a second. Default: `connection`. */
  slowConnection?: Connect;
}

const question: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: [{ type: 'text', text: 'What is the answer?' }] },
  ],
};
const texts = ['The first text.', 'The second text.', 'The third text.'];
const search = { query: 'Which is the second?', documents: { type: 'text' as const, values: texts } };

const languageModel = async (requester: ModelRequester, wanted: ModelConnection) =>
  opened(await requester.languageModel?.(wanted));
const embeddingModel = async (requester: ModelRequester, wanted: ModelConnection) =>
  opened(await requester.embeddingModel?.(wanted));
const rerankingModel = async (requester: ModelRequester, wanted: ModelConnection) =>
  opened(await requester.rerankingModel?.(wanted));

interface Kind {
  method: 'languageModel' | 'embeddingModel' | 'rerankingModel';
  open(requester: ModelRequester, wanted: ModelConnection): Promise<LanguageModel | EmbeddingModel | RerankingModel>;
  /** The smallest call of a model. */
  call(requester: ModelRequester, wanted: ModelConnection, signal?: { abortSignal: AbortSignal }): Promise<unknown>;
}

const kinds: Record<ModelKind, Kind> = {
  llm: {
    method: 'languageModel',
    open: languageModel,
    call: async (requester, wanted, signal) =>
      (await languageModel(requester, wanted)).doGenerate({ ...question, ...signal }),
  },
  'text-embedding': {
    method: 'embeddingModel',
    open: embeddingModel,
    call: async (requester, wanted, signal) =>
      (await embeddingModel(requester, wanted)).doEmbed({ values: texts.slice(0, 1), ...signal }),
  },
  rerank: {
    method: 'rerankingModel',
    open: rerankingModel,
    call: async (requester, wanted, signal) =>
      (await rerankingModel(requester, wanted)).doRerank({ ...search, ...signal }),
  },
};

/** Registers the tests that every {@link ModelRequester} must pass, for the kinds of models that it names. */
export function modelRequesterContract(options: ModelRequesterContractOptions): void {
  const { requester, connection, slowConnection = connection } = options;
  const supports = (kind: ModelKind) => requester.support_type.includes(kind);
  describe(`model requester ${requester.name}`, () => {
    identityTests(requester);

    it('declares what it supports and its default URL', () => {
      expect(requester.support_type.length).toBeGreaterThan(0);
      expect(new Set(requester.support_type).size).toBe(requester.support_type.length);
      if (requester.default_base_url !== '') {
        expect(new URL(requester.default_base_url).protocol).toMatch(/^https?:$/);
      }
    });

    it.each(Object.entries(kinds))('opens models of the kind %s exactly when declared', (kind, { method }) => {
      expect(typeof requester[method]).toBe(supports(kind as ModelKind) ? 'function' : 'undefined');
    });

    for (const kind of requester.support_type) everyKindTests(requester, connection, kinds[kind]);
    if (supports('llm')) languageModelTests(requester, connection, slowConnection);
    if (supports('text-embedding')) embeddingModelTests(requester, connection);
    if (supports('rerank')) rerankingModelTests(requester, connection);
    if (requester.listModels !== undefined) modelListTests(requester, connection);
  });
}

function everyKindTests(requester: ModelRequester, connection: Connect, { method, open, call }: Kind): void {
  describe(method, () => {
    it('opens the requested model', async () => {
      const wanted = await connection();
      const model = await open(requester, wanted);
      expect(model.specificationVersion).toBe('v4');
      expect(model.modelId).toBe(wanted.model_name);
      expect(model.provider).not.toBe('');
    });

    it('reaches the network through the given client only', async () => {
      const unguarded = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('the global fetch was called'));
      try {
        const wanted = await connection();
        const guarded = vi.fn(wanted.fetch);
        await call(requester, { ...wanted, fetch: guarded });
        expect(guarded.mock.calls.length > 0).toBe(requester.default_base_url !== '');
        expect(unguarded).not.toHaveBeenCalled();
      } finally {
        unguarded.mockRestore();
      }
    });

    it('does not start an aborted call', async () => {
      await expect(call(requester, await connection(), aborted())).rejects.toThrow('aborted');
    });
  });
}

function languageModelTests(requester: ModelRequester, connection: Connect, slowConnection: Connect): void {
  it('answers at once', async () => {
    const model = await languageModel(requester, await connection());
    const result = await model.doGenerate(question);
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text).not.toBe('');
    expect(result.finishReason.unified).toBe('stop');
    expectUsage(result.usage);
  });

  it('answers as a stream', async () => {
    const model = await languageModel(requester, await connection());
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

  it('does not start an aborted stream', async () => {
    const model = await languageModel(requester, await connection());
    await expect(model.doStream({ ...question, ...aborted() })).rejects.toThrow('aborted');
  });

  it('stops within a second when the call is aborted', async () => {
    const model = await languageModel(requester, await slowConnection());
    const controller = new AbortController();
    const { stream } = await model.doStream({ ...question, abortSignal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new DOMException('aborted', 'AbortError'));
    const ending = readToEnd(reader).catch(() => 'stopped' as const);
    await expect.poll(() => Promise.race([ending, 'going on']), { timeout: 1000 }).toBe('stopped');
  });
}

function embeddingModelTests(requester: ModelRequester, connection: Connect): void {
  it('returns for each text a vector of the same length', async () => {
    const model = await embeddingModel(requester, await connection());
    const atOnce = (await model.maxEmbeddingsPerCall) ?? texts.length;
    expect(atOnce).toBeGreaterThan(0);
    const embeddings: number[][] = [];
    for (let first = 0; first < texts.length; first += atOnce) {
      embeddings.push(...(await model.doEmbed({ values: texts.slice(first, first + atOnce) })).embeddings);
    }
    expect(embeddings).toHaveLength(texts.length);
    const [dimension] = embeddings.map((vector) => vector.length);
    expect(dimension).toBeGreaterThan(0);
    for (const vector of embeddings) {
      expect(vector).toHaveLength(dimension as number);
      expect(vector.every(Number.isFinite)).toBe(true);
    }
  });
}

function rerankingModelTests(requester: ModelRequester, connection: Connect): void {
  it('ranks every document once, the best first', async () => {
    const model = await rerankingModel(requester, await connection());
    const { ranking } = await model.doRerank(search);
    expect(ranking.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
    const scores = ranking.map(({ relevanceScore }) => relevanceScore);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  it('ranks no more documents than requested', async () => {
    const model = await rerankingModel(requester, await connection());
    expect((await model.doRerank({ ...search, topN: 2 })).ranking).toHaveLength(2);
  });
}

function modelListTests(requester: ModelRequester, connection: Connect): void {
  const list = async (wanted: ModelConnection, signal = new AbortController().signal) =>
    requester.listModels?.({ base_url: wanted.base_url, api_key: wanted.api_key, fetch: wanted.fetch }, signal) ?? [];

  it('lists models, each once and by the name that it is called by', async () => {
    const models = await list(await connection());
    expect(models.length).toBeGreaterThan(0);
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
    for (const { id, kinds: declared = [], label } of models) {
      expect(id).not.toBe('');
      expect(label).not.toBe('');
      for (const kind of declared) expect(Object.keys(kinds)).toContain(kind);
    }
  });

  it('lists models through the given client only', async () => {
    const unguarded = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('the global fetch was called'));
    try {
      const wanted = await connection();
      const guarded = vi.fn(wanted.fetch);
      await list({ ...wanted, fetch: guarded });
      expect(guarded.mock.calls.length > 0).toBe(requester.default_base_url !== '');
      expect(unguarded).not.toHaveBeenCalled();
    } finally {
      unguarded.mockRestore();
    }
  });

  it('does not start an aborted list request', async () => {
    const wanted = await connection();
    await expect(list(wanted, aborted().abortSignal)).rejects.toThrow('aborted');
  });
}

function opened<Model>(model: Model | undefined): Model {
  if (model === undefined) throw new Error('the requester does not open this kind of model');
  return model;
}

function aborted(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.abort(new DOMException('aborted', 'AbortError')) };
}

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/** Reads the rest. An error part counts as an error, because an aborted call may end with either. */
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
