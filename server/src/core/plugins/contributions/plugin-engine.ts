import { type Collection, type KnowledgeEngine, ParleyError, type RetrievedPassage } from '@parley/sdk';
import Type, { type TObject } from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { ActivePlugin } from '../active-plugin.ts';
import type { PluginMethods } from '../plugin-protocol.ts';
import { hostFor, longestCall, type PluginCalls } from './plugin-calls.ts';
import { reportProgress } from './plugin-parser.ts';

const closed = { additionalProperties: false } as const;
const Leg = Type.Object({ rank: Type.Integer({ minimum: 1 }), score: Type.Number() }, closed);
const Count = Type.Integer({ minimum: 0 });
const Page = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);
const name = Type.String({ maxLength: 1000 });
const Source = Type.Object(
  {
    document_id: name,
    file_id: name,
    file_name: name,
    page: Page,
    page_end: Page,
    heading_path: Type.Array(name, { maxItems: 100 }),
    start: Count,
    end: Count,
  },
  closed,
);
const Passages = Type.Array(
  Type.Object(
    {
      id: Type.String({ minLength: 1, maxLength: 512 }),
      text: Type.String({ maxLength: 1_000_000 }),
      distance: Type.Number({ minimum: 0 }),
      score: Type.Union([Type.Number(), Type.Null()]),
      source: Type.Union([Source, Type.Null()]),
      legs: Type.Object(
        { keyword: Type.Optional(Leg), vector: Type.Optional(Leg), rerank: Type.Optional(Leg) },
        closed,
      ),
      metadata: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 }),
    },
    closed,
  ),
  { maxItems: 1000 },
);
const Chunks = Type.Object({ chunks: Type.Integer({ minimum: 0 }) }, closed);

/** How long preparing or removing a collection, and a query, may take, milliseconds. */
const shortCall = 60_000;

/** The knowledge engine of a plugin; none when it has none. */
export function enginesOf(plugin: ActivePlugin, calls: PluginCalls): KnowledgeEngine[] {
  return (plugin.manifest.contributes.engines ?? []).map((declared) => {
    const engine = new PluginEngine(plugin, calls);
    const { label, description, capabilities, creation_schema, retrieval_schema } = declared;
    const ingests = capabilities.includes('doc_ingestion');
    return {
      plugin_id: plugin.id,
      name: label,
      description,
      capabilities,
      // JSON Schema is what TypeBox builds.
      creationSchema: creation_schema as unknown as TObject,
      retrievalSchema: retrieval_schema as unknown as TObject,
      open: (collection) => engine.open(collection),
      drop: (collection) => engine.drop(collection),
      retrieve: (request) => engine.retrieve(request),
      ...(ingests
        ? {
            ingest: (request) => engine.ingest(request),
            remove: (collection, documentId) => engine.remove(collection, documentId),
          }
        : {}),
    } satisfies KnowledgeEngine;
  });
}

type EngineMethod = Extract<keyof PluginMethods, `engine_${string}`>;

class PluginEngine {
  readonly #plugin: ActivePlugin;
  readonly #calls: PluginCalls;

  constructor(plugin: ActivePlugin, calls: PluginCalls) {
    this.#plugin = plugin;
    this.#calls = calls;
  }

  async open(collection: Collection): Promise<void> {
    await this.#call('engine_open', { collection });
  }

  async drop(collection: Collection): Promise<void> {
    await this.#call('engine_drop', { collection });
  }

  async remove(collection: Collection, document_id: string): Promise<void> {
    await this.#call('engine_remove', { collection, document_id });
  }

  async ingest({
    collection,
    document,
    parsed,
    content,
    progress,
    signal,
  }: Parameters<NonNullable<KnowledgeEngine['ingest']>>[0]): Promise<{ chunks: number }> {
    const result = await this.#call(
      'engine_ingest',
      { collection, document, parsed },
      {
        signal,
        timeoutMs: longestCall,
        ...(parsed === null ? { bytes: content() } : {}),
        notify: (parameters) => {
          const stage = (parameters as { stage?: unknown } | null)?.stage;
          if (stage !== 'chunking' && stage !== 'embedding') return;
          reportProgress(parameters, (done, total) => progress(stage, done, total));
        },
      },
    );
    if (!Check(Chunks, result)) throw new ParleyError('plugin_response_invalid', 'The engine named no chunks');
    return result;
  }

  async retrieve({
    collection,
    query,
    settings,
    filters,
    signal,
  }: Parameters<KnowledgeEngine['retrieve']>[0]): Promise<RetrievedPassage[]> {
    const result = await this.#call('engine_retrieve', { collection, query, settings, filters }, { signal });
    if (Check(Passages, result)) return (result as RetrievedPassage[]).slice(0, settings.top_k);
    const [fault] = Errors(Passages, result);
    throw new ParleyError(
      'plugin_response_invalid',
      `Passages of the engine: ${fault?.instancePath} ${fault?.message}`,
    );
  }

  async #call<Method extends EngineMethod>(
    method: Method,
    parameters: PluginMethods[Method]['parameters'],
    {
      signal = new AbortController().signal,
      timeoutMs = shortCall,
      bytes,
      notify = () => undefined,
    }: {
      signal?: AbortSignal;
      timeoutMs?: number;
      bytes?: AsyncIterable<Uint8Array>;
      notify?: (parameters: unknown) => void;
    } = {},
  ): Promise<unknown> {
    const { answer } = hostFor(this.#calls, this.#plugin.id, null);
    return this.#calls.caller.call({
      plugin: this.#plugin.id,
      method,
      parameters,
      timeoutMs,
      signal,
      ...(bytes === undefined ? {} : { bytes }),
      host: { answer, notify: (_, given) => notify(given) },
    });
  }
}
