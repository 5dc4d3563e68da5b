import type { KnowledgeEngine, Logger, Parser, Runner, RunnerContext } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import type { AddressRules } from '../core/addresses/address-rules.ts';
import type { FetchFor } from '../core/addresses/fetch-for.ts';
import type { StateEvents } from '../core/events/state-events.ts';
import type { FileService } from '../core/files/file-service.ts';
import { BaseSettings } from '../core/knowledge/base-settings.ts';
import { CollectionBuilder } from '../core/knowledge/collection-builder.ts';
import { createCollectionRemover } from '../core/knowledge/collection-remover.ts';
import { CollectionService } from '../core/knowledge/collection-service.ts';
import { DocumentIngestion } from '../core/knowledge/document-ingestion.ts';
import { DocumentQueue } from '../core/knowledge/document-queue.ts';
import { DocumentService } from '../core/knowledge/document-service.ts';
import { DocumentTasks } from '../core/knowledge/document-tasks.ts';
import { EmbeddingService } from '../core/knowledge/embedding-service.ts';
import { EngineCatalog } from '../core/knowledge/engine-catalog.ts';
import { EvaluationService } from '../core/knowledge/evaluation-service.ts';
import { GoldenQuestionService } from '../core/knowledge/golden-question-service.ts';
import type { StoredCollection } from '../core/knowledge/knowledge-base.ts';
import { KnowledgeBaseService } from '../core/knowledge/knowledge-base-service.ts';
import { KnowledgeEngines } from '../core/knowledge/knowledge-engines.ts';
import { recoverKnowledge } from '../core/knowledge/knowledge-recovery.ts';
import { ReindexEvaluations } from '../core/knowledge/reindex-evaluations.ts';
import { RetrievalService } from '../core/knowledge/retrieval-service.ts';
import { discardUnattached } from '../core/knowledge/unattached-uploads.ts';
import type { ModelOpener } from '../core/models/model-opener.ts';
import type { EmbeddingCallStore } from '../core/monitoring/embedding-call.ts';
import type { TaskService } from '../core/tasks/task-service.ts';
import { InFlight } from '../lib/in-flight.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { inTime } from '../lib/waiting.ts';
import { availableMemory, defaultThreadCount } from '../parser-host/default-threads.ts';
import { ParserHost } from '../parser-host/parser-host.ts';
import { KyselyCollectionStore } from '../storage/knowledge/kysely-collection-store.ts';
import { KyselyDocumentStore } from '../storage/knowledge/kysely-document-store.ts';
import { KyselyEvaluationStore } from '../storage/knowledge/kysely-evaluation-store.ts';
import { KyselyKnowledgeBaseStore } from '../storage/knowledge/kysely-knowledge-base-store.ts';
import { KyselyQuestionStore } from '../storage/knowledge/kysely-question-store.ts';
import { KyselyUnattachedUploads } from '../storage/knowledge/kysely-unattached-uploads.ts';
import { openChunkStore } from '../storage/knowledge/open-chunk-store.ts';
import type { Storage } from '../storage/storage.ts';
import { answerQuestions } from './answer-question.ts';

export interface KnowledgeParts {
  config: Config;
  logger: Logger;
  secrets: SecretBox;
  addresses: AddressRules;
  fetchFor: FetchFor;
  files: FileService;
  tasks: TaskService;
  stateEvents: StateEvents;
  modelOpener: ModelOpener;
  embeddingCalls: EmbeddingCallStore;
  /** The built-in agent, which answers golden questions. */
  agent: Runner;
  openModel: RunnerContext['openModel'];
  /** Whether there is a language model of this uuid. */
  isLanguageModel: (uuid: string) => Promise<boolean>;
  parsers: readonly Parser[];
  engines: readonly KnowledgeEngine[];
}

/** Knowledge bases: their records, what stores documents, and what finds passages in them. */
export async function assembleKnowledge(storage: Storage, parts: KnowledgeParts) {
  const { config, logger, files, tasks, addresses, fetchFor } = parts;
  const { database, engine } = storage;
  const bases = new KyselyKnowledgeBaseStore(database, engine);
  const collectionStore = new KyselyCollectionStore(database, engine);
  const documentStore = new KyselyDocumentStore(database, engine);
  const chunks = await openChunkStore(storage, { dataDir: config.dataDir, logger });
  storage.onClose(() => chunks.close());
  const threads = config.parserThreads || defaultThreadCount(availableMemory());
  const parsers = new ParserHost(parts.parsers, { logger, threads });
  const catalog = new EngineCatalog(parts.engines, parts.parsers);
  const settings = new BaseSettings(parts.secrets);
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
  const inBackground = (what: string, work: Promise<void>) => {
    work.catch((error: unknown) => logger.error({ error }, what));
  };
  const documentTasks = new DocumentTasks(tasks, documentStore, (uuid) =>
    inBackground('a document could not be cancelled', documents.cancelTask(uuid)),
  );
  const wake = () => {
    queue.wake();
    builder.wake();
    remover.wake();
  };
  const builder: CollectionBuilder = new CollectionBuilder({
    collections: collectionStore,
    documents: documentStore,
    bases,
    engines,
    tasks,
    logger,
    judge: () => evaluations,
    isBusy: (collectionId) => queue.isRunning((run) => run.collectionId === collectionId),
    changed: wake,
    cancel: (collectionId) => inBackground('a rebuild could not be cancelled', collections.cancel(collectionId)),
  });
  const queue: DocumentQueue = new DocumentQueue(documentStore, {
    ingestion: new DocumentIngestion({ catalog, engines, parsers, collections: collectionStore, files }),
    tasks: documentTasks,
    rebuilds: builder,
    logger,
    // One that is read leaves another to be embedded meanwhile.
    concurrency: Math.max(2, threads),
  });
  const remover = createCollectionRemover(collectionStore, { engines, queue, files, inFlight, logger });
  const collections = new CollectionService(collectionStore, {
    bases,
    engines,
    settings,
    addresses,
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
    addresses,
    queue,
    remover,
    removed: (baseUuid) => {
      documentTasks.baseRemoved(baseUuid);
      builder.baseRemoved(baseUuid);
    },
  });

  const questionStore = new KyselyQuestionStore(database, engine);
  const evaluations = new EvaluationService(new KyselyEvaluationStore(database, engine), {
    bases: knowledgeBases,
    collections,
    questions: questionStore,
    retrieval,
    tasks,
    logger,
    answer: answerQuestions({
      runner: parts.agent,
      openModel: parts.openModel,
      bases: knowledgeBases,
      retrieval,
      logger,
      fetch: fetchFor([]),
    }),
    isModel: parts.isLanguageModel,
  });
  const reindexEvaluations = new ReindexEvaluations({ evaluations, tasks, events: parts.stateEvents, logger });
  const uploads = new KyselyUnattachedUploads(database, engine);
  return {
    knowledgeBases,
    documents,
    collections,
    retrieval,
    catalog,
    evaluations,
    reindexEvaluations,
    goldenQuestions: new GoldenQuestionService(questionStore, knowledgeBases),
    auditedRecords: {
      'knowledge-base': (uuid: string) => knowledgeBases.get(uuid),
      'knowledge-document': (uuid: string) => documentStore.byUuid(uuid),
      'golden-question': (uuid: string) => questionStore.byUuid(uuid),
      collection: async (id: string) => withoutSecrets(await collectionStore.byId(id)),
    },
    chores: {
      'unattached uploads': (limit: number) => discardUnattached(uploads, config.uploadRetentionHours, limit),
      'discarded files': (limit: number) => files.removeDiscarded(limit),
    },
    /** Cleans up after an earlier run and resumes pending documents. */
    start: async () => {
      await evaluations.open();
      await recoverKnowledge({ collections: collectionStore, documents: documentStore, chunks, engines, logger });
      remover.start();
      builder.start();
      queue.start();
    },
    /** Stops ingestion and returns unfinished documents to the queue. */
    stop: async () => {
      await queue.stop(patienceMs);
      const others = Promise.all([builder.stop(), remover.stop(), parsers.close()]);
      await inTime(others, patienceMs, () => logger.error({}, 'knowledge bases did not end in time'));
    },
  };
}

/** How long a stop waits for documents that were asked to end. */
const patienceMs = 5000;

function withoutSecrets(collection: StoredCollection | null): object | null {
  if (collection === null) return null;
  const { sealed_secrets: _, ...shown } = collection;
  return shown;
}
