import { join } from 'node:path';
import type { ToolSource } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import manifest from '../package.json' with { type: 'json' };
import { createAccess } from './assembly/access.ts';
import { createAddresses } from './assembly/addresses.ts';
import { createAudit } from './assembly/audit.ts';
import { createBots } from './assembly/bots.ts';
import { createExtensions } from './assembly/extensions.ts';
import { createHousekeeping } from './assembly/housekeeping.ts';
import { createHttp } from './assembly/http.ts';
import { createKnowledge } from './assembly/knowledge.ts';
import { createLifecycle, type ServiceState } from './assembly/lifecycle.ts';
import { createMcp } from './assembly/mcp.ts';
import { createMessages, createMessageViews } from './assembly/messages.ts';
import { createModelApi } from './assembly/model-api.ts';
import { createModels } from './assembly/models.ts';
import { createMonitoring } from './assembly/monitoring.ts';
import { createPipelines } from './assembly/pipelines.ts';
import { createSecrets } from './assembly/secrets.ts';
import { createSystem } from './assembly/system.ts';
import { createWebhooks } from './assembly/webhooks.ts';
import type { Config, ConfigSources } from './config/index.ts';
import type { SetUp } from './core/accounts/first-account.ts';
import { StateEvents } from './core/events/state-events.ts';
import type { ExtensionSet } from './core/extensions/extension-registries.ts';
import { FileService } from './core/files/file-service.ts';
import { IdempotencyService } from './core/idempotency/idempotency-service.ts';
import { RecentLogs } from './core/logs/recent-logs.ts';
import { MessageEvents } from './core/messages/message-events.ts';
import { TaskService } from './core/tasks/task-service.ts';
import { WebhookPresence } from './core/webhooks/webhook-presence.ts';
import type { InventoryRoute } from './http/access.ts';
import { createLogger } from './kit/logger.ts';
import type { PasswordCost } from './lib/password.ts';
import { Signal } from './lib/signal.ts';
import { KyselyBotStore } from './storage/bots/kysely-bot-store.ts';
import { DiskBlobStore } from './storage/files/disk-blob-store.ts';
import { KyselyFileStore } from './storage/files/kysely-file-store.ts';
import { KyselyIdempotencyStore } from './storage/idempotency/kysely-idempotency-store.ts';
import { openLedger } from './storage/messages/open-ledger.ts';
import { startFault } from './storage/start-fault.ts';
import { databaseFile, openStorage } from './storage/storage.ts';
import { KyselyTaskStore } from './storage/tasks/kysely-task-store.ts';

/** What a service consists of in addition to what is built in. */
export interface Extensions extends ExtensionSet {
  tools?: readonly ToolSource[];
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
  { beforeRoutes, passwordCost, tools = [], ...given }: Extensions,
  { logger, storage, recentLogs, sources }: Foundations,
): Promise<Service> {
  const { database, engine } = storage;
  const state: ServiceState = { isStarting: false, isServing: false, isStopping: false, address: null };
  const stateEvents = new StateEvents();
  const messageEvents = new MessageEvents(stateEvents);
  /** Messages may be due. */
  const messagesDue = new Signal();
  const presence = new WebhookPresence();

  const { metadata, secretKey, secrets } = await createSecrets(storage, config);
  const loaded = await createExtensions({ config, logger, metadata, given });
  const { callers, sensitiveWords, extensions, configuredExtensions } = loaded;
  const access = createAccess(storage, { config, secretKey, secrets, passwordCost });
  const blobs = await DiskBlobStore.open(join(config.dataDir, 'files'));
  const files = new FileService(new KyselyFileStore(database), blobs, config);
  const tasks = new TaskService(new KyselyTaskStore(database), stateEvents, { logger });
  const shared = { config, logger, secrets, extensions, stateEvents, files, tasks, ...createAddresses() };
  const botStore = new KyselyBotStore(database, engine);

  const mcp = createMcp(storage, shared);
  const { pipelineStore, pipelines } = createPipelines(storage, { ...shared, ...mcp });
  const models = createModels(storage, { ...shared, pipelines });
  const { modelStore, modelOpener } = models;
  const openModel = modelOpener.open.bind(modelOpener);
  const languageModel = (uuid: string) => modelStore.model('llm', uuid);
  const monitoring = await createMonitoring(storage, { ...shared, bots: botStore });
  const knowledge = await createKnowledge(storage, {
    ...shared,
    ...monitoring,
    modelOpener,
    openModel,
    isLanguageModel: async (uuid) => (await languageModel(uuid)) !== null,
  });

  const ledger = await openLedger(storage, {
    webhookWaitMs: config.webhookWaitSeconds * 1000,
    mayTellWebhooks: () => presence.mayTell,
  });
  const webhooks = createWebhooks(storage, { ...shared, presence, ledger, messagesDue });
  const channels = { ...shared, ...monitoring, botStore, pipelineStore, ledger, messagesDue };
  const bots = createBots(storage, {
    ...channels,
    address: () => config.publicUrl ?? (state.address === null ? null : state.address + config.basePath),
  });
  const messages = createMessages(storage, {
    ...channels,
    ...bots,
    ...models,
    ...webhooks,
    pipelines,
    messageEvents,
    openModel,
    toolSources: [...tools, mcp.toolSource],
    modelName: async (uuid) => (await languageModel(uuid))?.name ?? null,
    retrieve: (bases, question, options) => knowledge.services.retrieval.ask(bases, question, options),
  });
  const views = createMessageViews(storage, { ...bots, ...messages, config });
  const modelApi = createModelApi({ ...shared, ...bots, ...messages, ...views, botStore, ledger, pipelines, callers });

  const idempotency = new IdempotencyService(new KyselyIdempotencyStore(database), logger);
  const records = { ...access, ...models, ...mcp, ...bots, ...webhooks, pipelines };
  const { auditedRecords: knowledgeRecords } = knowledge;
  const audit = createAudit(storage, { ...records, extensions, config, knowledgeRecords });
  const chores = { ...monitoring.chores, ...knowledge.chores };
  const kept = { ...access, ...messages, ...views, ...webhooks, ...audit, tasks, idempotency };
  const housekeeping = createHousekeeping(storage, { ...kept, config, logger, chores });
  const system = createSystem(storage, {
    config,
    metadata,
    sources,
    version: manifest.version,
    extensions: configuredExtensions,
  });
  const services = { ...records, ...knowledge.services, ...monitoring, ...kept, ...system };
  const { server, inventory } = await createHttp(storage, {
    config,
    logger,
    metadata,
    state,
    beforeRoutes,
    services: { ...services, files, stateEvents, recentLogs, sensitiveWords, modelApi },
  });
  const components = { access, models, mcp, monitoring, knowledge, webhooks, bots, messages, housekeeping, server };
  const lifecycle = createLifecycle(storage, {
    ...shared,
    ...components,
    state,
    metadata,
    idempotency,
    pipelines,
    botStore,
  });
  return { ...lifecycle, tasks, server, inventory };
}
