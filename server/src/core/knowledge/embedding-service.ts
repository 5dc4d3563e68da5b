import { createHash } from 'node:crypto';
import { type EmbeddingModel, type KnowledgeEngineContext, type Logger, ParleyError } from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';
import type { ModelOpener, OpenedModelOfKind } from '../models/model-opener.ts';
import type { EmbeddingCall, EmbeddingCallStore } from '../monitoring/embedding-call.ts';
import type { ChunkStore } from './chunk-store.ts';
import { checkedRanking, checkedVectors, isRefusedForSize, storableTexts } from './embedding-values.ts';
import { ProviderPauses } from './provider-pauses.ts';
import { type Attempt, callRepeatedly, type Patience } from './repeated-call.ts';

export interface EmbeddingServiceParts {
  opener: Pick<ModelOpener, 'openEmbedding' | 'openReranker'>;
  vectors: Pick<ChunkStore, 'knownVectors' | 'keepVectors'>;
  calls: Pick<EmbeddingCallStore, 'record'>;
  logger: Logger;
  /** Non-default values. */
  patience?: { document?: Partial<Patience>; query?: Partial<Patience> };
}

/** The base is null for texts of plugins. */
type EmbedOptions = Omit<Parameters<KnowledgeEngineContext['embed']>[2], 'knowledge_base_uuid'> & {
  knowledge_base_uuid: string | null;
  /** The plugin whose texts they are. */
  plugin_id?: string;
};
type OpenedEmbedding = OpenedModelOfKind<EmbeddingModel>;

/** Learned limits of a model that was called. */
interface KnownModel {
  /** Length of its vectors; null before the first. */
  dimensions: number | null;
  /** Batch size that it accepts, as learned so far. */
  mostTexts: number;
}

/** A user waits, but not for long, since keyword search finds passages as well. */
const queryPatience: Patience = {
  timeoutMs: 15_000,
  retries: 1,
  retryPauseMs: 200,
  longestPauseMs: 2000,
  outlastsLimits: false,
  wholeMs: 20_000,
};
/** Documents are stored in the background. */
const documentPatience: Patience = {
  timeoutMs: 120_000,
  retries: 4,
  retryPauseMs: 500,
  longestPauseMs: 120_000,
  outlastsLimits: true,
  wholeMs: 1_800_000,
};

/** Calls with one purpose that go to one provider at the same time. */
const callsAtOnce = 4;
/** Batch size while the length of the vectors is unknown. */
const firstTexts = 32;
/** Limits of one call: characters sent, and bytes of JSON in the response, since both block the thread. */
const mostCharacters = 200_000;
const mostAnswerBytes = 1_000_000;
const bytesOfNumber = 20;
/** Hashes per lookup. */
const hashesAtOnce = 500;
/** Models that are remembered. */
const mostModels = 200;
/** Characters of a question that are recorded. */
const longestRecordedQuery = 10_000;

/** Embeds and ranks texts, for knowledge engines. */
export class EmbeddingService implements Pick<KnowledgeEngineContext, 'embed' | 'rerank'> {
  readonly #parts: EmbeddingServiceParts;
  readonly #patience: { document: Patience; query: Patience };
  readonly #pauses = new ProviderPauses();
  readonly #models = new Map<string, KnownModel>();

  constructor(parts: EmbeddingServiceParts) {
    this.#parts = parts;
    this.#patience = {
      document: { ...documentPatience, ...parts.patience?.document },
      query: { ...queryPatience, ...parts.patience?.query },
    };
  }

  /** As {@link KnowledgeEngineContext}; a text that is empty is refused, one that is too long is cut. */
  async embed(modelUuid: string, texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    options.signal.throwIfAborted();
    if (texts.length === 0) return [];
    const { valid, cut } = storableTexts(texts);
    if (cut > 0) this.#parts.logger.warn({ model_uuid: modelUuid, texts: cut }, 'texts are cut to be embedded');
    const hashed = valid.map((text): [hash: string, text: string] => [hashOf(text), text]);
    const unique = new Map(hashed);

    const opened = await this.#parts.opener.openEmbedding(modelUuid);
    const name = hashOf(opened.identity);
    const known = await this.#known(name, [...unique.keys()]);
    const missing = new Map([...unique].filter(([hash]) => !known.has(hash)));
    const fresh = await this.#embedAll(opened, name, missing, options);
    const vectors = new Map([...known, ...fresh]);
    if (new Set([...vectors.values()].map(({ length }) => length)).size > 1) {
      // The model behind this name was exchanged for another one.
      const again = await this.#embedAll(opened, name, unique, options);
      for (const [hash, vector] of again) vectors.set(hash, vector);
    }
    const lengths = new Set([...vectors.values()].map(({ length }) => length));
    if (lengths.size > 1) throw new ParleyError('provider_failed', 'The model gives vectors of different lengths.');
    options.signal.throwIfAborted();
    return hashed.map(([hash]) => vectors.get(hash) as Float32Array);
  }

  /** As {@link KnowledgeEngineContext}; texts that are too long are cut. */
  async rerank(
    modelUuid: string,
    query: string,
    texts: readonly string[],
    { limit, signal }: { limit: number; signal: AbortSignal },
  ): Promise<{ index: number; score: number }[]> {
    signal.throwIfAborted();
    if (texts.length === 0 || limit < 1) return [];
    const [question = '', ...values] = storableTexts([query, ...texts]).valid;
    const first = await this.#parts.opener.openReranker(modelUuid);
    const open = openedFirst(first, () => this.#parts.opener.openReranker(modelUuid));
    const call = () =>
      callRepeatedly({
        open,
        work: async (model, abortSignal) => {
          const documents = { type: 'text' as const, values };
          const { ranking } = await model.doRerank({ query: question, documents, topN: limit, abortSignal });
          return checkedRanking(ranking, values.length).slice(0, limit);
        },
        patience: this.#patience.query,
        pauses: this.#pauses,
        signal,
        attempted: async () => undefined,
      });
    return untilAborted(this.#pauses.turns(first, 'rerank', callsAtOnce).run(call), signal);
  }

  /** A failure of the cache costs calls that could have been saved, and nothing else. */
  async #known(name: string, hashes: readonly string[]): Promise<Map<string, Float32Array>> {
    const known = new Map<string, Float32Array>();
    try {
      for (let from = 0; from < hashes.length; from += hashesAtOnce) {
        const part = hashes.slice(from, from + hashesAtOnce);
        const vectors = await this.#parts.vectors.knownVectors(name, part);
        for (const [place, hash] of part.entries()) {
          const vector = vectors[place] ?? null;
          if (vector !== null) known.set(hash, vector);
        }
      }
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'vectors that were made before could not be read');
    }
    return known;
  }

  async #keep(name: string, texts: ReadonlyMap<string, Float32Array>): Promise<void> {
    const vectors = [...texts].map(([hash, vector]) => ({ hash, vector }));
    await this.#parts.vectors.keepVectors(name, vectors).catch((error: unknown) => {
      this.#parts.logger.warn({ err: error }, 'failed to cache vectors');
    });
  }

  /** @param texts by their hashes; so is the result */
  async #embedAll(
    opened: OpenedEmbedding,
    name: string,
    texts: ReadonlyMap<string, string>,
    options: EmbedOptions,
  ): Promise<Map<string, Float32Array>> {
    const known = this.#modelOf(name);
    const takenAtOnce = Math.max(1, (await opened.model.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY);
    const atOnce = (await opened.model.supportsParallelCalls) ? callsAtOnce : 1;
    const turns = this.#pauses.turns(opened, `${options.purpose} ${atOnce}`, atOnce);
    const open = openedFirst(opened, () => this.#parts.opener.openEmbedding(opened.uuid));
    const vectors = new Map<string, Float32Array>();
    const left = [...texts];
    const finished = Promise.withResolvers<void>();
    if (left.length === 0) return vectors;
    // When one call fails, the results of the others are useless.
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    const embedSome = async (): Promise<void> => {
      while (left.length > 0) {
        const made = await turns.run(async () => {
          signal.throwIfAborted();
          // Split when its turn has come: the limits learned by then count.
          const batch = left.splice(0, batchLength(left, Math.min(takenAtOnce, textsAtOnce(known))));
          const embedded = batch.length === 0 ? [] : await this.#embedBatch(open, known, batch, { ...options, signal });
          return new Map(batch.map(([hash], place) => [hash, embedded[place] as Float32Array]));
        });
        if (made.size > 0) await this.#keep(name, made);
        for (const [hash, vector] of made) vectors.set(hash, vector);
      }
      if (vectors.size === texts.size) finished.resolve();
    };
    const working = Array.from({ length: Math.min(atOnce, left.length) }, () =>
      untilAborted(embedSome(), signal).catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    );
    try {
      // Calls that still wait for a turn are cancelled.
      await Promise.race([finished.promise, Promise.all(working)]);
    } catch (error) {
      await Promise.allSettled(working);
      throw error;
    }
    return vectors;
  }

  /** A provider that accepts fewer texts per call is given halves, down to single ones. */
  async #embedBatch(
    open: () => Promise<OpenedEmbedding>,
    known: KnownModel,
    batch: readonly (readonly [string, string])[],
    options: EmbedOptions,
  ): Promise<Float32Array[]> {
    const texts = batch.map(([, text]) => text);
    let isTooMuch = false;
    try {
      const vectors = await callRepeatedly({
        open,
        work: async (model, abortSignal) => {
          const answer = await Promise.resolve(model.doEmbed({ values: texts, abortSignal })).catch(
            (error: unknown) => {
              isTooMuch = isRefusedForSize(error);
              throw error;
            },
          );
          return { vectors: checkedVectors(answer.embeddings, texts.length), tokens: answer.usage?.tokens ?? 0 };
        },
        patience: this.#patience[options.purpose],
        pauses: this.#pauses,
        signal: options.signal,
        attempted: (opened, attempt) => this.#record(opened, texts, attempt, options),
      });
      known.dimensions = vectors.vectors[0]?.length ?? known.dimensions;
      return vectors.vectors;
    } catch (error) {
      const isRefused = error instanceof ParleyError && error.reason === 'provider_failed';
      if (!isRefused || !isTooMuch || batch.length === 1) throw error;
      const middle = Math.ceil(batch.length / 2);
      const first = await this.#embedBatch(open, known, batch.slice(0, middle), options);
      const second = await this.#embedBatch(open, known, batch.slice(middle), options);
      known.mostTexts = Math.min(known.mostTexts, middle);
      return [...first, ...second];
    }
  }

  async #record(
    { uuid, name }: OpenedEmbedding,
    texts: readonly string[],
    { startedAt, milliseconds, result, failure }: Attempt<{ tokens: number }>,
    { purpose, knowledge_base_uuid, plugin_id, asked_by, signal }: EmbedOptions,
  ): Promise<void> {
    const isQuery = purpose === 'query';
    const tokens = Number.isFinite(result?.tokens) ? Math.max(0, Math.trunc(result?.tokens ?? 0)) : 0;
    const isGivenUp = failure !== null && signal.aborted;
    const call: EmbeddingCall = {
      model_uuid: uuid,
      model_name: name,
      started_at: startedAt.toISOString(),
      milliseconds,
      prompt_tokens: tokens,
      total_tokens: tokens,
      input_count: texts.length,
      reason: isGivenUp ? 'cancelled' : (failure?.reason ?? null),
      error: isGivenUp ? null : (failure?.message ?? null),
      knowledge_base_uuid,
      plugin_id: plugin_id ?? null,
      query_text: isQuery ? texts.join('\n').slice(0, longestRecordedQuery).toWellFormed() : null,
      session_id: asked_by?.session_id ?? null,
      message_uuid: asked_by?.message_uuid ?? null,
      call_type: isQuery ? 'retrieve' : 'embedding',
    };
    await this.#parts.calls.record(call).catch((error: unknown) => {
      this.#parts.logger.error({ err: error, model_uuid: uuid }, 'a call of an embedding model could not be recorded');
    });
  }

  #modelOf(name: string): KnownModel {
    const known = this.#models.get(name) ?? { dimensions: null, mostTexts: Number.POSITIVE_INFINITY };
    this.#models.delete(name);
    this.#models.set(name, known);
    const [oldest] = this.#models.keys();
    if (this.#models.size > mostModels && oldest !== undefined) this.#models.delete(oldest);
    return known;
  }
}

/** Returns the opened connection first, then opens a new one for each call, with the next key. */
function openedFirst<Opened>(first: Opened, open: () => Promise<Opened>): () => Promise<Opened> {
  let waiting: Opened | null = first;
  return async () => {
    const opened = waiting;
    waiting = null;
    return opened ?? open();
  };
}

function textsAtOnce({ dimensions, mostTexts }: KnownModel): number {
  const fitting = dimensions === null ? firstTexts : Math.floor(mostAnswerBytes / (dimensions * bytesOfNumber));
  return Math.max(1, Math.min(fitting, mostTexts));
}

/** How many of the texts go into one call. */
function batchLength(texts: readonly (readonly [string, string])[], most: number): number {
  let characters = 0;
  const tooMany = texts.findIndex(([, text], place) => {
    characters += text.length;
    return place > 0 && (place >= most || characters > mostCharacters);
  });
  return tooMany === -1 ? texts.length : tooMany;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
