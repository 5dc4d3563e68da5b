import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KnowledgeEngine, ModelRequester, Parser, Platform, Runner, Stage, ToolSource } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import manifest from '../package.json' with { type: 'json' };
import { assembleAccess } from './assembly/access.ts';
import { assembleAddresses } from './assembly/addresses.ts';
import { assembleKnowledge } from './assembly/knowledge.ts';
import { assembleMcp } from './assembly/mcp.ts';
import { assembleMessageLife } from './assembly/message-life.ts';
import { assembleModelApi } from './assembly/model-api.ts';
import { assembleModels } from './assembly/models.ts';
import { assembleMonitoring } from './assembly/monitoring.ts';
import { assembleSystemStatus } from './assembly/system-status.ts';
import { assembleWebhooks } from './assembly/webhooks.ts';
import { type Config, type ConfigSources, decodeSecretKey } from './config/index.ts';
import type { SetUp } from './core/accounts/first-account.ts';
import { AuditLog } from './core/audit/audit-log.ts';
import { AuditedRecords } from './core/audit/audited-records.ts';
import { AdapterCatalog } from './core/bots/adapter-catalog.ts';
import { BotWebhooks } from './core/bots/bot-webhooks.ts';
import { StateEvents } from './core/events/state-events.ts';
import { FileService } from './core/files/file-service.ts';
import { createHousekeepingLoop } from './core/housekeeping/housekeeping.ts';
import { IdempotencyService } from './core/idempotency/idempotency-service.ts';
import { prepareFirstStart } from './core/installation/first-start.ts';
import { installationId } from './core/installation/installation-id.ts';
import { prepareInternalBots } from './core/installation/internal-bots.ts';
import { pruneEventCounts } from './core/limits/event-counter.ts';
import { RecentLogs } from './core/logs/recent-logs.ts';
import { DeliveryRetry } from './core/messages/delivery-retry.ts';
import { MessageExplainer } from './core/messages/message-explanation.ts';
import { forgetOldMessages } from './core/messages/message-retention.ts';
import { MessageSender } from './core/messages/message-sender.ts';
import { PublishingMessageStore } from './core/messages/publishing-message-store.ts';
import { WaitingCallers } from './core/model-api/waiting-callers.ts';
import { PipelineService } from './core/pipelines/pipeline-service.ts';
import { SensitiveWordService } from './core/sensitive-words/sensitive-word-service.ts';
import { StatisticsService } from './core/statistics/statistics-service.ts';
import { SystemInfoService } from './core/system/system-info.ts';
import { WizardService } from './core/system/wizard.ts';
import { ConnectionTasks } from './core/tasks/connection-tasks.ts';
import { TaskService } from './core/tasks/task-service.ts';
import { WebChat } from './core/web-chat/web-chat.ts';
import { engines } from './engines/index.ts';
import type { InventoryRoute } from './http/access.ts';
import { createHttpServer } from './http/http-server.ts';
import { createLogger } from './kit/logger.ts';
import { Patterns } from './kit/patterns.ts';
import type { PasswordCost } from './lib/password.ts';
import { SecretBox } from './lib/secret-box.ts';
import { parsers } from './parsers/index.ts';
import { platforms } from './platforms/index.ts';
import { createModelApi } from './platforms/model-api/index.ts';
import { modelRequesters } from './providers/index.ts';
import { createRunners } from './runners/index.ts';
import { compileWords } from './stages/content-filter/compile-words.ts';
import { createStages } from './stages/index.ts';
import { KyselyAuditStore } from './storage/audit/kysely-audit-store.ts';
import { DiskBlobStore } from './storage/files/disk-blob-store.ts';
import { KyselyFileStore } from './storage/files/kysely-file-store.ts';
import { KyselyIdempotencyStore } from './storage/idempotency/kysely-idempotency-store.ts';
import { KyselyMessageRetention } from './storage/messages/kysely-message-retention.ts';
import { openMessageStore } from './storage/messages/open-message-store.ts';
import { notOwnerError } from './storage/ownership.ts';
import { KyselyPipelineStore } from './storage/pipelines/kysely-pipeline-store.ts';
import { checkSecretKey, deriveKey, loadSecretKey } from './storage/secret-key.ts';
import { startFault } from './storage/start-fault.ts';
import { KyselyStatisticsStore } from './storage/statistics/kysely-statistics-store.ts';
import { databaseFile, openStorage } from './storage/storage.ts';
import { KyselyMetadataStore } from './storage/system/kysely-metadata-store.ts';
import { KyselyTaskStore } from './storage/tasks/kysely-task-store.ts';

/** Extensions of a service in addition to the built-in ones. */
export interface Extensions {
  platforms?: readonly Platform[];
  modelRequesters?: readonly ModelRequester[];
  runners?: readonly Runner[];
  /** After the built-in ones. */
  stages?: readonly Stage[];
  tools?: readonly ToolSource[];
  parsers?: readonly Parser[];
  /** After the built-in ones. */
  knowledgeEngines?: readonly KnowledgeEngine[];
  /** Called before routes are registered; the API description is collected there. */
  beforeRoutes?: (server: FastifyInstance) => Promise<void>;
  /** What a new hash of a password takes; a secure cost when left out, and little where tests make many accounts. */
  passwordCost?: PasswordCost;
}

/** The whole product, wired up. */
export interface Service {
  /** Starts processing and listens. @returns the address, `http://127.0.0.1:5300` */
  start(): Promise<string>;
  /** Refuses new work, waits for what runs, closes everything. Safe to call more than once. */
  stop(): Promise<void>;
  /** Resolves with a message for the operator when a fatal error requires a stop. */
  failure: Promise<Error>;
  /** Set-up data for the first account, since the start; null when there was an account. */
  setUp(): SetUp | null;
  /** Background work; work that is started here ends with the service. */
  tasks: TaskService;
  server: FastifyInstance;
  inventory: readonly InventoryRoute[];
}

/** How long a stop waits for tasks that it asked to end. */
const taskTimeoutMs = 5000;

const repository = join(import.meta.dirname, '..', '..');

/**
 * Builds the service: the one place that knows every concrete class.
 * @param sources of the settings, for display; settings without an entry count as defaults
 * @throws Error with a message for the operator when the storage cannot be opened
 */
export async function createService(
  config: Config,
  extensions: Extensions = {},
  sources: Partial<ConfigSources> = {},
): Promise<Service> {
  const recentLogs = new RecentLogs();
  const logger = createLogger(config.logLevel, recentLogs);
  const storage = await openStorage(config);
  const inWords = (error: unknown) => (config.databaseUrl === null ? startFault(error, databaseFile(config)) : error);
  try {
    const service = await build(config, extensions, { logger, storage, recentLogs, sources });
    const start = () =>
      service.start().catch((error: unknown) => {
        throw inWords(error);
      });
    return { ...service, start };
  } catch (error) {
    await storage.close();
    throw inWords(error);
  }
}

/** The dependencies of everything else. */
interface Foundations {
  logger: ReturnType<typeof createLogger>;
  storage: Awaited<ReturnType<typeof openStorage>>;
  recentLogs: RecentLogs;
  sources: Partial<ConfigSources>;
}

async function build(
  config: Config,
  extensions: Extensions,
  { logger, storage, recentLogs, sources }: Foundations,
): Promise<Service> {
  const { database, engine, health, ownership } = storage;
  const configuredKey = config.secretKey === null ? null : decodeSecretKey(config.secretKey);
  const secretKey = loadSecretKey(config.dataDir, configuredKey);
  const secrets = new SecretBox(deriveKey(secretKey, 'secrets-at-rest'));
  const metadata = new KyselyMetadataStore(database);
  await checkSecretKey(metadata, secrets);

  const callers = new WaitingCallers();
  const allPlatforms = [...platforms, createModelApi(callers), ...(extensions.platforms ?? [])];
  const allRequesters = [...modelRequesters, ...(extensions.modelRequesters ?? [])];
  const allRunners = [
    ...createRunners({ modelTimeoutMs: config.modelTimeoutSeconds * 1000 }),
    ...(extensions.runners ?? []),
  ];

  const sensitiveWords = new SensitiveWordService(metadata, (list) => compileWords(list));
  const fontDirectory = join(config.dataDir, 'fonts');
  const stages = createStages({ sensitiveWords: () => sensitiveWords.current(), fontDirectory });
  const allStages = [...stages, ...(extensions.stages ?? [])];

  const { passwordCost } = extensions;
  const { attempts, ...access } = assembleAccess(storage, { config, secretKey, secrets, passwordCost });

  const { addresses, fetchFor } = assembleAddresses();
  const pipelineStore = new KyselyPipelineStore(database, engine);
  const patterns = new Patterns();
  const pipelines: PipelineService = new PipelineService(pipelineStore, secrets, {
    mcpServers: () => mcp.servers.list(),
    maximumPipelines: config.maxPipelines,
    addresses,
    checkPattern: (pattern) => patterns.faultOf(pattern),
  });
  const { modelStore, providers, models, modelPrices, ...modelParts } = assembleModels(storage, {
    requesters: allRequesters,
    addresses,
    fetchFor,
    secrets,
    pipelines,
    logger,
  });

  const stateEvents = new StateEvents();
  const blobs = await DiskBlobStore.open(join(config.dataDir, 'files'));
  const files = new FileService(new KyselyFileStore(database), blobs, config);
  const tasks = new TaskService(new KyselyTaskStore(database), stateEvents, { logger });
  const mcp = assembleMcp(storage, { config, logger, secrets, stateEvents, tasks });
  const toolSources = [...(extensions.tools ?? []), mcp.toolSource];

  const ledger = await openMessageStore(storage, {
    webhookWaitMs: config.webhookWaitSeconds * 1000,
    mayTellWebhooks: () => webhooks.mayTell,
  });
  const messageStore = new PublishingMessageStore(ledger, stateEvents);
  const { webhooks, webhookDispatcher } = assembleWebhooks(storage, {
    config,
    logger,
    secrets,
    answered: async (conversation) => {
      await messageStore.hurry(conversation);
      dispatcher.wake();
    },
  });
  const life = assembleMessageLife(storage, {
    addresses,
    fetchFor,
    config,
    logger,
    secrets,
    stateEvents,
    files,
    pipelineStore,
    pipelines,
    modelPrices,
    messageStore,
    platforms: allPlatforms,
    runners: allRunners,
    stages: allStages,
    toolSources,
    webhooks: webhookDispatcher,
    openModel: (uuid) => modelParts.modelOpener.open(uuid),
    receiveFeedback: (botUuid, event) => feedback.receive(botUuid, event),
    retrieve: (bases, question, options) => knowledge.retrieval.ask(bases, question, options),
    modelName: async (uuid) => (await modelStore.model('llm', uuid))?.name ?? null,
    address: () => config.publicUrl ?? listeningAddress(server, config.basePath),
  });
  const { botStore, botEvents, bots, runtime, holds, messageReader, intake, dispatcher, counter, tools } = life;
  const { monitoring, rollupKeeper, feedback, embeddingCalls, chores } = await assembleMonitoring(storage, {
    config,
    logger,
    bots: botStore,
  });

  const knowledge = await assembleKnowledge(storage, {
    addresses,
    fetchFor,
    config,
    logger,
    secrets,
    files,
    tasks,
    stateEvents,
    embeddingCalls,
    modelOpener: modelParts.modelOpener,
    agent: allRunners.find(({ name }) => name === 'local-agent') as Runner,
    openModel: (uuid) => modelParts.modelOpener.open(uuid),
    isLanguageModel: async (uuid) => (await modelStore.model('llm', uuid)) !== null,
    parsers: [...parsers, ...(extensions.parsers ?? [])],
    engines: [...engines, ...(extensions.knowledgeEngines ?? [])],
  });

  const connectionTasks = new ConnectionTasks({ tasks, bot: (uuid) => botStore.byUuid(uuid), logger });
  stateEvents.watch(({ type, data }) => {
    if (type === 'bot') connectionTasks.observe(String(data.uuid), runtime.status(String(data.uuid)));
  });

  const sender = new MessageSender(messageStore, {
    bots,
    runtime,
    holds,
    logger,
    assertOwned: () => ownership.assertOwned(),
    storeMedia: (name, content) => files.storeMedia(name, content),
  });

  const wizard = new WizardService(metadata);
  const systemStatus = assembleSystemStatus(storage, { config, sources, version: manifest.version });

  const auditLog = new AuditLog(new KyselyAuditStore(database), { retentionDays: config.auditRetentionDays });
  const auditedRecords = new AuditedRecords(
    {
      provider: (uuid) => providers.get(uuid),
      'language-model': (uuid) => models.llm.get(uuid),
      'embedding-model': (uuid) => models['text-embedding'].get(uuid),
      'rerank-model': (uuid) => models.rerank.get(uuid),
      'model-price': (name) => modelPrices.get(name),
      pipeline: (uuid) => pipelines.get(uuid),
      bot: (uuid) => bots.get(uuid),
      webhook: (id) => webhooks.get(Number(id)),
      account: (uuid) => access.accountDirectory.get(uuid),
      'api-key': (id) => access.apiKeys.get(Number(id)),
      'mcp-server': (id) => mcp.servers.get(id),
      ...knowledge.auditedRecords,
    },
    allPlatforms,
  );
  const idempotency = new IdempotencyService(new KyselyIdempotencyStore(database), logger);
  const messageRetention = new KyselyMessageRetention(database);
  const housekeeping = createHousekeepingLoop(
    {
      'audit log': (limit) => auditLog.prune(limit),
      'idempotency keys': (limit) => idempotency.prune(limit),
      'attempts to sign in': (limit) => attempts.prune(limit),
      'networks of accounts': (limit) => attempts.pruneNetworks(limit),
      tasks: (limit) => tasks.prune(limit),
      'counts of events': (limit) => pruneEventCounts(counter, limit),
      'log of webhooks': (limit) => webhooks.prune(limit),
      'loaded images': () => life.imageCache.prune(),
      messages: (limit) => forgetOldMessages(messageRetention, config.messageRetentionDays, limit),
      ...chores,
      ...knowledge.chores,
    },
    logger,
  );

  let setUp: SetUp | null = null;
  let serving = false;
  let starting = false;
  let stopping: Promise<void> | null = null;
  const failure = Promise.withResolvers<Error>();
  health.onChange((trouble) => {
    if (trouble !== null) return logger.error({ error: trouble }, 'the storage failed');
    logger.info('data can be stored again');
    dispatcher.resume();
  });
  ownership.onLost((why) => logger.warn({ why }, 'the lock on the database was lost, and is being taken again'));
  ownership.onRegained(() => {
    logger.info('the lock on the database is held again');
    dispatcher.resume();
  });
  ownership.onTaken((error) => {
    logger.fatal(error.message);
    failure.resolve(error);
  });
  const consoleDirectory = join(repository, 'web', 'dist');
  const { server, inventory } = await createHttpServer(
    {
      ...access,
      pipelines,
      providers,
      requesters: modelParts.requesters,
      models,
      modelTester: modelParts.modelTester,
      modelCatalog: modelParts.modelCatalog,
      modelPrices,
      bots,
      mcpServers: mcp.servers,
      knowledgeBases: knowledge.knowledgeBases,
      knowledgeDocuments: knowledge.documents,
      collections: knowledge.collections,
      retrieval: knowledge.retrieval,
      engineCatalog: knowledge.catalog,
      goldenQuestions: knowledge.goldenQuestions,
      evaluations: knowledge.evaluations,
      reindexEvaluations: knowledge.reindexEvaluations,
      adapters: new AdapterCatalog(allPlatforms),
      botWebhooks: new BotWebhooks(botStore, runtime, logger),
      files,
      messages: sender,
      deliveryRetry: new DeliveryRetry(messageStore, {
        bots: runtime,
        sender,
        expiryMs: config.deliveryExpiryHours * 60 * 60 * 1000,
        queued: () => dispatcher.wake(),
      }),
      messageReader,
      messageImages: life.messageImages,
      messageExplainer: new MessageExplainer(messageReader, runtime),
      monitoring,
      feedback,
      webChat: new WebChat(botStore, runtime, pipelines, messageStore),
      modelApi: assembleModelApi({ life, messageStore, pipelines, files, stateEvents, callers }),
      systemInfo: new SystemInfoService(wizard, config),
      systemStatus,
      wizard,
      tasks,
      webhooks,
      auditLog,
      auditedRecords,
      idempotency,
      stateEvents,
      sensitiveWords,
      statistics: new StatisticsService(new KyselyStatisticsStore(database)),
      recentLogs,
      isServing: () => serving,
      checkStorage: async () => (await health.check()) ?? (ownership.isHeld ? null : notOwnerError()),
      storageTrouble: () => health.trouble,
    },
    {
      ...config,
      installationId: await installationId(metadata),
      consoleDirectory: existsSync(join(consoleDirectory, 'index.html')) ? consoleDirectory : null,
      openApiFile: join(repository, 'docs', 'openapi.json'),
      logger,
      isStopping: () => stopping !== null,
      isStarting: () => starting,
      ...(extensions.beforeRoutes === undefined ? {} : { beforeRoutes: extensions.beforeRoutes }),
    },
  );

  const stop = async () => {
    serving = false;
    intake.close();
    // What another process has taken over is not waited for.
    const patience = ownership.isHeld ? config.shutdownTimeoutSeconds * 1000 : 0;
    const deadline = Date.now() + patience;
    await Promise.all([dispatcher.stop(patience), webhookDispatcher.stop(patience)]);
    await runtime.stop();
    holds.close();
    await knowledge.stop();
    await tasks.stop(taskTimeoutMs);
    await mcp.runtime.stop();
    await life.schemaHost.close();
    const impatience = setTimeout(() => server.server.closeAllConnections(), Math.max(1000, deadline - Date.now()));
    await server.close();
    clearTimeout(impatience);
    await housekeeping.stop();
    await rollupKeeper.stop();
    await botEvents.stop();
    access.firstAccount.close();
    await storage.close();
  };
  return {
    start: async () => {
      await prepareFirstStart({
        metadata,
        providers,
        languageModels: models.llm,
        pipelines,
        bots: botStore,
        requesters: allRequesters,
        platforms: allPlatforms,
      });
      await prepareInternalBots(botStore, allPlatforms);
      await modelPrices.open();
      await tasks.open();
      await tools.recover();
      await idempotency.open();
      await knowledge.start();
      await dispatcher.recover();
      await mcp.runtime.start();
      await webhooks.open();
      // Before bots connect: a process that cannot listen must not take messages. Requests wait until they have.
      starting = true;
      await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
        throw new Error(listenFault(`${config.host}:${config.port}`, error), { cause: error });
      });
      const address = addressOf(server.server.address() as AddressInfo);
      setUp = await access.firstAccount.open(config.publicUrl ?? reachable(address) + config.basePath);
      if (config.setupWithoutToken)
        logger.warn('programs on this machine may make the first account without the token');
      await runtime.start();
      dispatcher.start();
      await webhookDispatcher.start();
      starting = false;
      serving = true;
      housekeeping.start();
      rollupKeeper.start();
      return address;
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    setUp: () => setUp,
    failure: failure.promise,
    tasks,
    server,
    inventory,
  };
}

/** Null while it does not listen. */
function listeningAddress(server: FastifyInstance, basePath: string): string | null {
  const address = server.server.address() as AddressInfo | null;
  return address === null ? null : addressOf(address) + basePath;
}

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** An address that listens on every network, as a browser on this machine reaches it. */
function reachable(address: string): string {
  return address.replace(/^http:\/\/(0\.0\.0\.0|\[::\]):/, 'http://localhost:');
}

function listenFault(address: string, { code, message }: NodeJS.ErrnoException): string {
  return code === 'EADDRINUSE'
    ? `The address ${address} is in use by another program; see PARLEY_PORT`
    : `The address ${address} cannot be listened on (${code ?? message}); see PARLEY_HOST and PARLEY_PORT`;
}
