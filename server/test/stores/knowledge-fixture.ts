import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IngestRequest, type KnowledgeEngine, ParleyError, type Parser, type RetrieveRequest } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import Type from 'typebox';
import { expect } from 'vitest';
import { StateEvents } from '../../src/core/events/state-events.ts';
import { FileService } from '../../src/core/files/file-service.ts';
import { BaseSettings } from '../../src/core/knowledge/base-settings.ts';
import type { ChunkStore } from '../../src/core/knowledge/chunk-store.ts';
import { CollectionBuilder } from '../../src/core/knowledge/collection-builder.ts';
import type { CollectionJudge } from '../../src/core/knowledge/collection-judge.ts';
import { createCollectionRemover } from '../../src/core/knowledge/collection-remover.ts';
import { CollectionService } from '../../src/core/knowledge/collection-service.ts';
import type { KnowledgeDocument } from '../../src/core/knowledge/document.ts';
import { DocumentIngestion } from '../../src/core/knowledge/document-ingestion.ts';
import type { DocumentParsers } from '../../src/core/knowledge/document-parsers.ts';
import { DocumentQueue, type DocumentRun } from '../../src/core/knowledge/document-queue.ts';
import { DocumentService } from '../../src/core/knowledge/document-service.ts';
import { DocumentTasks } from '../../src/core/knowledge/document-tasks.ts';
import { EngineCatalog } from '../../src/core/knowledge/engine-catalog.ts';
import { KnowledgeBaseService } from '../../src/core/knowledge/knowledge-base-service.ts';
import { KnowledgeEngines } from '../../src/core/knowledge/knowledge-engines.ts';
import { recoverKnowledge } from '../../src/core/knowledge/knowledge-recovery.ts';
import { RetrievalService } from '../../src/core/knowledge/retrieval-service.ts';
import { TaskService } from '../../src/core/tasks/task-service.ts';
import { InFlight } from '../../src/lib/in-flight.ts';
import { Registry } from '../../src/lib/registry.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { DiskBlobStore } from '../../src/storage/files/disk-blob-store.ts';
import { KyselyFileStore } from '../../src/storage/files/kysely-file-store.ts';
import { KyselyCollectionStore } from '../../src/storage/knowledge/kysely-collection-store.ts';
import { KyselyDocumentStore } from '../../src/storage/knowledge/kysely-document-store.ts';
import { KyselyKnowledgeBaseStore } from '../../src/storage/knowledge/kysely-knowledge-base-store.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { KyselyTaskStore } from '../../src/storage/tasks/kysely-task-store.ts';
import { anyAddress } from '../factories/any-address.ts';
import { openTestStorage } from './open-test-storage.ts';
import { afterRestart, otherReplica } from './replicas.ts';

/** A step of a document at which a test may hold it up or have it fail. */
export type Step = 'parse' | 'open' | 'ingest' | 'publish' | 'remove' | 'drop' | 'retrieve';

/** The content of a test engine, by collection and document; it survives the service, as a database does. */
export type HeldTexts = Map<string, Map<string, string>>;

export interface KnowledgeFixtureOptions {
  storage: Storage;
  blobs: DiskBlobStore;
  held: HeldTexts;
  /** Called at each step with the name of the document or the collection; what it throws, the step throws. */
  at?: ((step: Step, name: string, signal?: AbortSignal) => Promise<void> | void) | undefined;
  judge?: CollectionJudge;
  engines?: KnowledgeEngine[];
  /** Reports the content to the chunk store of the service. */
  chunks?: Partial<ChunkStore>;
}

export const fakeParser: Parser = {
  plugin_id: 'tests/text',
  name: { en_US: 'Text' },
  description: { en_US: 'Reads text.' },
  media_types: ['text/plain'],
  extensions: ['txt', 'md'],
  module: 'file:///nowhere',
};

/** An engine that stores complete texts and finds those that contain the query. */
export function fakeEngine({ held, at }: { held: HeldTexts; at?: KnowledgeFixtureOptions['at'] }): KnowledgeEngine {
  const step = async (name: Step, of: string, signal?: AbortSignal) => at?.(name, of, signal);
  return {
    plugin_id: 'tests/texts',
    name: { en_US: 'Texts' },
    description: { en_US: 'Holds texts.' },
    capabilities: ['doc_ingestion'],
    creationSchema: Type.Object({
      prefix: Type.String({ default: '', maxLength: 20 }),
      address: Type.String({ default: 'https://a.example', 'x-address': true }),
      key: Type.String({ default: '', 'x-secret': true }),
    }),
    retrievalSchema: Type.Object({
      top_k: Type.Integer({ default: 5, minimum: 1, maximum: 50 }),
      token: Type.Optional(Type.String({ 'x-secret': true })),
    }),
    async open({ collection_id }) {
      await step('open', collection_id);
      held.set(collection_id, held.get(collection_id) ?? new Map());
    },
    async drop({ collection_id }) {
      await step('drop', collection_id);
      held.delete(collection_id);
    },
    async ingest({ collection, document, parsed, progress, signal }: IngestRequest) {
      progress('chunking', 1, 1);
      await step('ingest', document.file_name, signal);
      progress('embedding', 1, 1);
      await step('publish', document.file_name, signal);
      signal.throwIfAborted();
      const texts = held.get(collection.collection_id);
      if (texts === undefined) throw new ParleyError('not_found', 'no such collection');
      const blocks = (parsed?.blocks ?? []).map((block) => ('text' in block ? block.text : ''));
      texts.set(document.document_id, `${collection.settings.prefix}${blocks.join('\n')}`);
      return { chunks: blocks.length };
    },
    async remove({ collection_id }, documentId) {
      await step('remove', documentId);
      held.get(collection_id)?.delete(documentId);
    },
    async retrieve({ collection, query, settings, signal }: RetrieveRequest) {
      await step('retrieve', collection.collection_id, signal);
      const texts = held.get(collection.collection_id);
      if (texts === undefined) throw new ParleyError('not_found', 'no such collection');
      return [...texts]
        .filter(([, text]) => text.includes(query))
        .slice(0, settings.top_k)
        .map(([id, text]) => ({ id, text, distance: 0, score: 1, source: null, legs: {}, metadata: {} }));
    },
  };
}

/** Parsers that read lines as paragraphs, and archives that are JSON. */
function fakeParsers(at: KnowledgeFixtureOptions['at']): DocumentParsers {
  return {
    parsers: new Registry([fakeParser]),
    parserFor: ({ extension, media_type }) =>
      extension !== 'zip' && (fakeParser.extensions.includes(extension) || media_type === 'text/plain')
        ? fakeParser
        : null,
    async parse(_parser, { name, bytes }, { signal, progress }) {
      progress?.(0, 1);
      await at?.('parse', name, signal);
      signal.throwIfAborted();
      const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean);
      const characters = lines.join('').length;
      return {
        title: lines[0] ?? null,
        blocks: lines.map((text) => ({ type: 'paragraph', text })),
        page_kind: 'page',
        pages: [{ number: 1, characters, ...(lines.length === 0 ? { note: 'no text, perhaps a scan' } : {}) }],
        warnings: ['read by a test'],
      };
    },
    async unpack(bytes) {
      const files = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
      return Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }));
    },
    close: async () => undefined,
  };
}

/** Knowledge bases on a real storage, with an engine and parsers that the test controls. */
export function knowledgeFixture(options: KnowledgeFixtureOptions) {
  const { storage, blobs, held, at } = options;
  const { database, engine } = storage;
  const logger = silentLogger;
  const bases = new KyselyKnowledgeBaseStore(database, engine);
  const collectionStore = new KyselyCollectionStore(database, engine, storage.replica);
  const documentStore = new KyselyDocumentStore(database, engine, storage.replica);
  const files = new FileService(new KyselyFileStore(database), blobs, { basePath: '' });
  const tasks = new TaskService(new KyselyTaskStore(database, storage.replica), new StateEvents(), { logger });
  const parsers = fakeParsers(at);
  const catalog = new EngineCatalog(
    new Registry([fakeEngine({ held, at }), ...(options.engines ?? [])]),
    parsers.parsers,
  );
  const settings = new BaseSettings(new SecretBox(Buffer.alloc(32)));
  const nothing = () => Promise.reject(new Error('not expected'));
  const chunks = {
    sweep: async () => 0,
    documents: async () => new Map(),
    statistics: async () => null,
    list: async () => [],
    ...options.chunks,
  } as unknown as ChunkStore;
  const engines = new KnowledgeEngines(catalog, settings, {
    chunks,
    embed: nothing,
    rerank: nothing,
    fetchFor: () => globalThis.fetch,
    logger,
  });
  const inFlight = new InFlight();
  const running = new Set<DocumentRun>();
  const wake = () => {
    queue.wake();
    builder.wake();
    remover.wake();
  };
  const documentTasks = new DocumentTasks(tasks, documentStore, (uuid) => void documents.cancelTask(uuid));
  const builder: CollectionBuilder = new CollectionBuilder({
    collections: collectionStore,
    documents: documentStore,
    bases,
    engines,
    tasks,
    logger,
    judge: () => options.judge ?? null,
    running,
    changed: wake,
    cancel: (collectionId) => void collections.cancel(collectionId),
    retryDelayMs: 10,
  });
  const queue: DocumentQueue = new DocumentQueue(documentStore, {
    ingestion: new DocumentIngestion({
      catalog,
      engines,
      parsers,
      collections: collectionStore,
      files,
      logger,
      retry: { retries: 2, milliseconds: 5 },
    }),
    tasks: documentTasks,
    rebuilds: builder,
    running,
    logger,
    saveIntervalMs: 5,
    retryDelayMs: 5,
  });
  const remover = createCollectionRemover(collectionStore, {
    engines,
    queue,
    files,
    inFlight,
    logger,
    retryDelayMs: 10,
  });
  const collections = new CollectionService(collectionStore, {
    bases,
    engines,
    settings,
    addresses: anyAddress,
    builder,
    queue,
    remover,
  });
  const documents = new DocumentService(documentStore, {
    bases,
    collections: collectionStore,
    catalog,
    engines,
    parsers,
    files,
    chunks,
    queue,
    tasks: documentTasks,
    removed: wake,
  });
  const knowledgeBases = new KnowledgeBaseService(bases, {
    collectionStore,
    collections,
    catalog,
    engines,
    settings,
    addresses: anyAddress,
    queue,
    remover,
    removed: (uuid) => {
      documentTasks.baseRemoved(uuid);
      builder.baseRemoved(uuid);
    },
  });
  const retrieval = new RetrievalService({
    bases,
    collections: collectionStore,
    engines,
    settings,
    inFlight,
    logger,
    timeoutMs: 2000,
  });
  return {
    knowledgeBases,
    documents,
    collections,
    retrieval,
    tasks,
    files,
    catalog,
    bases,
    collectionStore,
    documentStore,
    start: async () => {
      await tasks.open();
      await recoverKnowledge({ collections: collectionStore, documents: documentStore, chunks, engines, logger });
      remover.start();
      builder.start();
      queue.start();
    },
    stop: async () => {
      await queue.stop(1000);
      await Promise.all([builder.stop(), remover.stop()]);
      await tasks.stop(1000);
    },
    /** Uploads a text. @returns its file_id */
    upload: (name: string, text: string) => files.storeDocument(name, once(text), async () => undefined),
    /** The stage of a document. */
    stage: async (document: Pick<KnowledgeDocument, 'uuid'>) =>
      (await documentStore.byUuid(document.uuid))?.stage ?? null,
  };
}

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Blocks steps until they are released, and makes steps fail. */
export class Gate {
  readonly #held = new Map<string, PromiseWithResolvers<void>>();
  readonly #reached = new Set<string>();
  readonly #faults = new Map<string, unknown[]>();

  /** Blocks a step of the item with this name, or of all. */
  hold(step: Step, name = ''): void {
    this.#held.set(`${step}/${name}`, Promise.withResolvers());
  }

  /** Has a step fail, once for each fault. */
  fail(step: Step, ...faults: unknown[]): void {
    this.#faults.set(step, [...(this.#faults.get(step) ?? []), ...faults]);
  }

  letGo(step: Step, name = ''): void {
    this.#held.get(`${step}/${name}`)?.resolve();
    this.#held.delete(`${step}/${name}`);
  }

  /** Names of items that reached a step, since the last call. */
  came(step: Step, name: string): boolean {
    return this.#reached.has(`${step}/${name}`);
  }

  readonly at = async (step: Step, name: string, signal?: AbortSignal): Promise<void> => {
    this.#reached.add(`${step}/${name}`);
    const fault = this.#faults.get(step)?.shift();
    if (fault !== undefined) throw fault;
    const held = this.#held.get(`${step}/${name}`) ?? this.#held.get(`${step}/`);
    if (held === undefined) return;
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    await Promise.race([held.promise, aborted]);
  };
}

/** A fixture with its own storage, whose service can be stopped and started again. */
export async function openKnowledge(options: Pick<KnowledgeFixtureOptions, 'judge' | 'engines' | 'chunks'> = {}) {
  let storage = await openTestStorage('sqlite');
  const directory = mkdtempSync(join(tmpdir(), 'parley-knowledge-'));
  const blobs = await DiskBlobStore.open(directory);
  const gate = new Gate();
  const held: HeldTexts = new Map();
  const make = (over: Partial<KnowledgeFixtureOptions> = {}) =>
    knowledgeFixture({ storage, blobs, held, at: gate.at, ...options, ...over });
  let current = make();
  return {
    gate,
    held,
    get storage() {
      return storage;
    },
    get service() {
      return current;
    },
    /** Stops the service, and starts it again as another process would. */
    restart: async (over: Partial<KnowledgeFixtureOptions> = {}) => {
      await current.stop();
      storage = await afterRestart(storage);
      current = make(over);
      await current.start();
    },
    /** The service of another replica, which is started; the caller stops it. */
    other: async (over: Partial<KnowledgeFixtureOptions> = {}) => {
      const other = make({ storage: await otherReplica(storage), ...over });
      await other.start();
      return other;
    },
    /** A base with documents that are ready, by their names. */
    base: async (texts: Record<string, string> = {}) => {
      const uuid = await current.knowledgeBases.create({ name: 'Base' });
      for (const [name, text] of Object.entries(texts)) {
        await current.documents.attach(uuid, { file_id: await current.upload(name, text) });
      }
      const unready = async () => (await current.documents.list(uuid)).filter(({ stage }) => stage !== 'ready').length;
      await expect.poll(unready, { timeout: 30_000 }).toBe(0);
      return uuid;
    },
    /** Names of the contents on disk. */
    blobs: () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    close: async () => {
      await current.stop();
      await storage.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type OpenKnowledge = Awaited<ReturnType<typeof openKnowledge>>;
