import type { RunnerContext } from '@parley/sdk';
import { AttachmentTexts } from '../core/knowledge/attachment-texts.ts';
import { BaseSettings } from '../core/knowledge/base-settings.ts';
import { CollectionBuilder } from '../core/knowledge/collection-builder.ts';
import { createCollectionRemover } from '../core/knowledge/collection-remover.ts';
import { CollectionService } from '../core/knowledge/collection-service.ts';
import { DocumentIngestion } from '../core/knowledge/document-ingestion.ts';
import { DocumentPageImages } from '../core/knowledge/document-page-images.ts';
import { DocumentQueue, type DocumentRun } from '../core/knowledge/document-queue.ts';
import { DocumentService } from '../core/knowledge/document-service.ts';
import { DocumentTasks } from '../core/knowledge/document-tasks.ts';
import { EmbeddingService } from '../core/knowledge/embedding-service.ts';
import { EngineCatalog } from '../core/knowledge/engine-catalog.ts';
import { EvaluationService } from '../core/knowledge/evaluation-service.ts';
import { existingBase } from '../core/knowledge/existing-base.ts';
import { GoldenQuestionService } from '../core/knowledge/golden-question-service.ts';
import type { StoredCollection } from '../core/knowledge/knowledge-base.ts';
import { KnowledgeBaseService } from '../core/knowledge/knowledge-base-service.ts';
import { KnowledgeEngines } from '../core/knowledge/knowledge-engines.ts';
import { recoverKnowledge } from '../core/knowledge/knowledge-recovery.ts';
import { PassageContexts } from '../core/knowledge/passage-context.ts';
import { answerQuestions } from '../core/knowledge/question-answerer.ts';
import { ReindexEvaluations } from '../core/knowledge/reindex-evaluations.ts';
import { RetrievalService } from '../core/knowledge/retrieval-service.ts';
import { discardUnattached } from '../core/knowledge/unattached-uploads.ts';
import type { DueNotices } from '../core/replicas/due-notices.ts';
import { Duty } from '../core/replicas/duty.ts';
import { InFlight } from '../lib/in-flight.ts';
import { Signal } from '../lib/signal.ts';
import { inTime } from '../lib/waiting.ts';
import { availableMemory, defaultThreadCount } from '../parser-host/default-threads.ts';
import { ParserHost } from '../parser-host/parser-host.ts';
import { passagesOnlyConfig } from '../runners/local-agent/config.ts';
import { createLocalAgent } from '../runners/local-agent/index.ts';
import type { DiskImageCache } from '../storage/files/disk-image-cache.ts';
import { KyselyCollectionStore } from '../storage/knowledge/kysely-collection-store.ts';
import { KyselyDocumentStore } from '../storage/knowledge/kysely-document-store.ts';
import { KyselyEvaluationStore } from '../storage/knowledge/kysely-evaluation-store.ts';
import { KyselyKnowledgeBaseStore } from '../storage/knowledge/kysely-knowledge-base-store.ts';
import { KyselyQuestionStore } from '../storage/knowledge/kysely-question-store.ts';
import { KyselyUnattachedUploads } from '../storage/knowledge/kysely-unattached-uploads.ts';
import { openChunkStore } from '../storage/knowledge/open-chunk-store.ts';
import { takingOver } from '../storage/replicas/replica.ts';
import type { Storage } from '../storage/storage.ts';
import type { createModels } from './models.ts';
import type { createMonitoring } from './monitoring.ts';
import type { Created, SharedParts } from './parts.ts';

/** A user waits for a page, and often looks at another one soon. */
const pageThread = { isBackground: false, idleMs: 120_000, timeLimitMs: 20_000, memoryLimitBytes: 402_653_184 };
/** How long a stop waits for documents that were asked to end. */
const patienceMs = 5000;

type KnowledgeParts = SharedParts &
  Created<typeof createModels> &
  Created<typeof createMonitoring> & {
    /** Images of pages of documents. */
    pageCache: DiskImageCache;
    dueNotices: DueNotices;
    openModel: RunnerContext['openModel'];
    /** Whether there is a language model of this uuid. */
    isLanguageModel: (uuid: string) => Promise<boolean>;
  };

/** Knowledge bases: their records, what indexes documents, and what finds passages in them. */
export async function createKnowledge(storage: Storage, parts: KnowledgeParts) {
  const { config, files } = parts;
  const search = await createSearch(storage, parts);
  const { collectionStore, documentStore, catalog, embedding, retrieval } = search;
  const { questionStore, ...judgement } = createEvaluations(storage, search, parts);
  const { start, stop, wake, look, ...services } = createIndexing(storage, search, { ...judgement, ...parts });
  // What others left may be due.
  storage.replica.onFree(wake);
  storage.replica.onTakeover(wake);
  const { knowledgeBases } = services;
  const uploads = new KyselyUnattachedUploads(storage.database, storage.engine);
  return {
    services: {
      ...services,
      ...judgement,
      retrieval,
      embedding,
      engineCatalog: catalog,
      goldenQuestions: new GoldenQuestionService(questionStore, knowledgeBases),
    },
    auditedRecords: {
      'knowledge-base': (uuid: string) => knowledgeBases.get(uuid),
      'knowledge-document': (uuid: string) => documentStore.byUuid(uuid),
      'golden-question': (uuid: string) => questionStore.byUuid(uuid),
      collection: async (id: string) => withoutSecrets(await collectionStore.byId(id)),
    },
    chores: {
      'unattached uploads': (limit: number) => discardUnattached(uploads, config.uploadRetentionHours, limit),
      'unsent uploads': (limit: number) => files.discardUnsent(limit),
      'discarded files': (limit: number) => files.removeDiscarded(limit),
    },
    ownChores: { 'images of pages': () => parts.pageCache.prune() },
    start,
    stop,
    look,
  };
}

/** The stores of knowledge bases, their engines, and what searches in them. */
async function createSearch(storage: Storage, { config, logger, fetchFor, secrets, ...parts }: KnowledgeParts) {
  const { database, engine } = storage;
  const bases = new KyselyKnowledgeBaseStore(database, engine);
  const collectionStore = new KyselyCollectionStore(database, engine, storage.replica);
  const documentStore = takingOver(storage.replica, new KyselyDocumentStore(database, engine, storage.replica));
  const chunks = await openChunkStore(storage, { dataDir: config.dataDir, logger });
  storage.onClose(() => chunks.close());
  const catalog = new EngineCatalog(parts.extensions.knowledgeEngines, parts.extensions.parsers);
  const settings = new BaseSettings(secrets);
  const embedding = new EmbeddingService({
    opener: parts.modelOpener,
    vectors: chunks,
    calls: parts.embeddingCalls,
    logger,
  });
  const engines = new KnowledgeEngines(catalog, settings, {
    chunks,
    embed: (modelUuid, texts, options) => embedding.embed(modelUuid, texts, options),
    rerank: (modelUuid, query, texts, options) => embedding.rerank(modelUuid, query, texts, options),
    fetchFor,
    logger,
  });
  const inFlight = new InFlight();
  const retrieval = new RetrievalService({ bases, collections: collectionStore, engines, settings, inFlight, logger });
  return { bases, collectionStore, documentStore, chunks, catalog, settings, embedding, engines, inFlight, retrieval };
}

type Search = Awaited<ReturnType<typeof createSearch>>;

/** What measures how well passages are found. */
function createEvaluations({ database, engine, replica }: Storage, search: Search, parts: KnowledgeParts) {
  const { tasks, logger, openModel } = parts;
  const { collectionStore, retrieval } = search;
  const bases = { get: (uuid: string) => existingBase(search.bases, uuid) };
  const questionStore = new KyselyQuestionStore(database, engine);
  const fetch = parts.fetchFor([]);
  const runner = createLocalAgent({ silenceTimeoutMs: parts.config.modelTimeoutSeconds * 1000 });
  const evaluations = new EvaluationService(takingOver(replica, new KyselyEvaluationStore(database, engine, replica)), {
    bases,
    collections: collectionStore,
    questions: questionStore,
    retrieval,
    tasks,
    logger,
    answer: answerQuestions({ runner, settings: passagesOnlyConfig, openModel, bases, retrieval, logger, fetch }),
    isModel: parts.isLanguageModel,
  });
  const reindexEvaluations = new ReindexEvaluations({ evaluations, tasks, events: parts.stateEvents, logger });
  return { questionStore, evaluations, reindexEvaluations };
}

/** What indexes documents into collections, in the background. */
function createIndexing(
  { replica }: Storage,
  { bases, collectionStore, documentStore, chunks, catalog, settings, engines, inFlight }: Search,
  {
    config,
    logger,
    files,
    tasks,
    addresses,
    evaluations,
    ...parts
  }: KnowledgeParts & { evaluations: EvaluationService },
) {
  const workChanged = new Signal();
  const documentCancelled = new Signal<string>();
  const rebuildCancelled = new Signal<string>();
  const running = new Set<DocumentRun>();
  const threads = config.parserThreads || defaultThreadCount(availableMemory());
  const parsers = new ParserHost(parts.extensions.parsers, { logger, threads });
  const documentTasks = new DocumentTasks(tasks, documentStore, (uuid) => documentCancelled.emit(uuid));
  const builder = new CollectionBuilder({
    collections: collectionStore,
    documents: documentStore,
    bases,
    engines,
    tasks,
    logger,
    judge: () => evaluations,
    running,
    changed: () => workChanged.emit(),
    cancel: (collectionId) => rebuildCancelled.emit(collectionId),
  });
  const queue = new DocumentQueue(documentStore, {
    ingestion: new DocumentIngestion({ catalog, engines, parsers, collections: collectionStore, files, logger }),
    tasks: documentTasks,
    rebuilds: builder,
    running,
    logger,
    // One that is read leaves another to be embedded meanwhile.
    concurrency: Math.max(2, threads),
    duty: {
      get isOurs() {
        return !replica.isDraining;
      },
      takeOn: () => {},
    },
  });
  const remover = createCollectionRemover(collectionStore, {
    engines,
    queue,
    files,
    inFlight,
    logger,
    duty: new Duty(replica.leases, 'collections'),
  });
  for (const loop of [queue, builder, remover]) {
    workChanged.listen(() => loop.wake());
  }
  workChanged.listen(() => parts.dueNotices.forAny('documents'));

  const shared = { bases, engines, settings, addresses, catalog, queue, remover };
  const collections = new CollectionService(collectionStore, { ...shared, builder });
  const documents = new DocumentService(documentStore, {
    ...shared,
    collections: collectionStore,
    parsers,
    files,
    chunks,
    tasks: documentTasks,
    removed: () => workChanged.emit(),
  });
  const knowledgeBases = new KnowledgeBaseService(bases, {
    ...shared,
    collectionStore,
    collections,
    removed: (baseUuid) => {
      documentTasks.baseRemoved(baseUuid);
      builder.baseRemoved(baseUuid);
    },
  });
  // A thread of its own: a page is drawn while documents are read.
  const pageThreads = new ParserHost(parts.extensions.parsers, { logger, ...pageThread });
  const documentPages = new DocumentPageImages(documents, {
    parsers,
    files,
    pages: pageThreads,
    cache: parts.pageCache,
    findParser: (pluginId) => catalog.findParser(pluginId),
  });
  const passageContexts = new PassageContexts({
    bases,
    documents: documentStore,
    catalog,
    chunks,
    pages: documentPages,
  });
  const inBackground = (work: Promise<void>, fault: string) => {
    work.catch((error: unknown) => logger.error({ error }, fault));
  };
  documentCancelled.listen((uuid) => inBackground(documents.cancelTask(uuid), 'a document could not be cancelled'));
  rebuildCancelled.listen((id) => inBackground(collections.cancel(id), 'a rebuild could not be cancelled'));
  return {
    knowledgeBases,
    knowledgeDocuments: documents,
    documentPages,
    /** In the thread that draws pages: what is read for an answer does not wait for what is indexed. */
    attachmentTexts: new AttachmentTexts(pageThreads),
    passageContexts,
    collections,
    /** Cleans up after an earlier run and resumes pending documents. */
    start: async () => {
      await evaluations.open();
      await recoverKnowledge({ collections: collectionStore, documents: documentStore, chunks, engines, logger });
      remover.start();
      builder.start();
      queue.start();
    },
    /** There may be work. */
    wake: () => workChanged.emit(),
    /** Other replicas have stored documents, or begun to build a collection. */
    look: () => {
      queue.wake();
      builder.wake();
    },
    /** Stops ingestion and returns unfinished documents to the queue. */
    stop: async () => {
      await queue.stop(patienceMs);
      const others = Promise.all([builder.stop(), remover.stop(), parsers.close(), pageThreads.close()]);
      await inTime(others, patienceMs, () => logger.error({}, 'knowledge bases did not end in time'));
    },
  };
}

function withoutSecrets(collection: StoredCollection | null): object | null {
  if (collection === null) return null;
  const { sealed_secrets: _, ...shown } = collection;
  return shown;
}
