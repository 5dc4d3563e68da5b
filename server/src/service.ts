import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ToolSource } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import manifest from '../package.json' with { type: 'json' };
import { createAccess } from './assembly/access.ts';
import { createAddresses } from './assembly/addresses.ts';
import { createAlerts } from './assembly/alerts.ts';
import { createAudit } from './assembly/audit.ts';
import { createBots } from './assembly/bots.ts';
import { createExtensions } from './assembly/extensions.ts';
import { createHousekeeping } from './assembly/housekeeping.ts';
import { createHttp, type ServiceState } from './assembly/http.ts';
import { createKnowledge } from './assembly/knowledge.ts';
import { createMcp } from './assembly/mcp.ts';
import { createMessages, createMessageViews } from './assembly/messages.ts';
import { createModelApi } from './assembly/model-api.ts';
import { createModels } from './assembly/models.ts';
import { createMonitoring } from './assembly/monitoring.ts';
import { createPipelineFiles } from './assembly/pipeline-files.ts';
import { createPipelines } from './assembly/pipelines.ts';
import { createPluginHost } from './assembly/plugin-host.ts';
import { createPages, createPlugins, createProcesses } from './assembly/plugins.ts';
import { createSecrets } from './assembly/secrets.ts';
import { createSystem } from './assembly/system.ts';
import { createWebhooks } from './assembly/webhooks.ts';
import type { Config, ConfigSources } from './config/index.ts';
import type { SetUp } from './core/accounts/first-account.ts';
import { StateEvents } from './core/events/state-events.ts';
import type { ExtensionSet } from './core/extensions/extension-registries.ts';
import { FileService } from './core/files/file-service.ts';
import { IdempotencyService } from './core/idempotency/idempotency-service.ts';
import { prepareFirstStart } from './core/installation/first-start.ts';
import { prepareInternalBots } from './core/installation/internal-bots.ts';
import { RecentLogs } from './core/logs/recent-logs.ts';
import { McpToolRuns } from './core/mcp/mcp-tool-runs.ts';
import { CitationLinks } from './core/messages/citation-links.ts';
import { MessageEvents } from './core/messages/message-events.ts';
import { hostWhileStarting } from './core/plugins/contributions/plugin-calls.ts';
import { PluginContributions } from './core/plugins/contributions/plugin-contributions.ts';
import type { PluginProcesses } from './core/plugins/plugin-caller.ts';
import { PluginSchedules } from './core/plugins/schedules/plugin-schedules.ts';
import { RecordCache } from './core/records/record-cache.ts';
import { TaskService } from './core/tasks/task-service.ts';
import { WebhookPresence } from './core/webhooks/webhook-presence.ts';
import type { InventoryRoute } from './http/access.ts';
import { createLogger } from './kit/logger.ts';
import type { PasswordCost } from './lib/password.ts';
import { Signal } from './lib/signal.ts';
import { KyselyBotStore } from './storage/bots/kysely-bot-store.ts';
import { DiskBlobStore } from './storage/files/disk-blob-store.ts';
import { DiskImageCache } from './storage/files/disk-image-cache.ts';
import { KyselyFileStore } from './storage/files/kysely-file-store.ts';
import { KyselyIdempotencyStore } from './storage/idempotency/kysely-idempotency-store.ts';
import { openThreadedLedger } from './storage/messages/open-ledger.ts';
import { KyselyPluginValues } from './storage/plugins/kysely-plugin-values.ts';
import { KyselyScheduleStore } from './storage/plugins/kysely-schedule-store.ts';
import { deriveKey } from './storage/secret-key.ts';
import { startFault } from './storage/start-fault.ts';
import { databaseFile, openStorage, type Storage } from './storage/storage.ts';
import { KyselyTaskStore } from './storage/tasks/kysely-task-store.ts';

/** What a service consists of in addition to what is built in. */
export interface Extensions extends ExtensionSet {
  tools?: readonly ToolSource[];
  /** The processes of plugins. */
  pluginProcesses?: PluginProcesses;
  /** Called before routes are registered; the API description is collected there. */
  beforeRoutes?: (server: FastifyInstance) => Promise<void>;
  /** What a new hash of a password takes; a secure cost when left out, and little where tests make many accounts. */
  passwordCost?: PasswordCost;
  /** How often alert rules are evaluated, and recorded notices looked at; tests shorten it. */
  alertTiming?: { intervalMs: number; retryDelayMs: number };
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
  /** The names of the migrations that opening the storage applied. */
  migrated: readonly string[];
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
    const components = await createComponents(config, extensions, { logger, storage, recentLogs, sources });
    const { state, tasks, server, inventory } = components;
    let setUp: SetUp | null = null;
    let stopping: Promise<void> | null = null;
    return {
      start: async () => {
        try {
          const started = await start(components);
          setUp = started.setUp;
          return started.address;
        } catch (error) {
          throw inWords(error);
        }
      },
      stop: () => {
        state.isStopping = true;
        stopping ??= stop(storage, components);
        return stopping;
      },
      failure: watchStorage(storage, components),
      setUp: () => setUp,
      migrated: storage.migrated,
      tasks,
      server,
      inventory,
    };
  } catch (error) {
    await storage.close();
    throw inWords(error);
  }
}

/** How long images of pages are kept, milliseconds. */
const pageImageLifetime = 30 * 24 * 3_600_000;

// The same from the sources and from the built server, which are in folders beside each other.
const repository = join(import.meta.dirname, '..', '..');

/** The dependencies of everything else. */
interface Foundations {
  logger: ReturnType<typeof createLogger>;
  storage: Storage;
  recentLogs: RecentLogs;
  sources: Partial<ConfigSources>;
}

/** Everything, each after what it uses. */
async function createComponents(
  config: Config,
  { beforeRoutes, passwordCost, alertTiming, pluginProcesses, tools = [], ...given }: Extensions,
  { logger, storage, recentLogs, sources }: Foundations,
) {
  const { database, engine } = storage;
  const state: ServiceState = { isStarting: false, isServing: false, isStopping: false, address: null };
  const stateEvents = new StateEvents();
  const messageEvents = new MessageEvents(stateEvents);
  /** Messages may be due. */
  const messagesDue = new Signal();
  const presence = new WebhookPresence();

  const { metadata, secretKey, secrets } = await createSecrets(storage, config);
  const access = createAccess(storage, { config, secretKey, secrets, passwordCost });
  const blobs = await DiskBlobStore.open(join(config.dataDir, 'files'));
  const pageCache = new DiskImageCache(join(config.dataDir, 'cache', 'pages'), { lifetimeMs: pageImageLifetime });
  const files = new FileService(new KyselyFileStore(database), blobs, {
    ...config,
    deleting: ({ sha256 }) => pageCache.removeAll(sha256),
  });
  const tasks = new TaskService(new KyselyTaskStore(database), stateEvents, { logger });
  const botStore = new KyselyBotStore(database, engine);
  const recordCache = new RecordCache();
  const loaded = await createExtensions({ config, logger, metadata, recordCache, given });
  const shared = {
    config,
    logger,
    secrets,
    stateEvents,
    files,
    tasks,
    botStore,
    recordCache,
    ...createAddresses(),
    ...loaded,
  };

  const { processes, pluginLogs } = createProcesses(config, {
    given: pluginProcesses,
    hostWhileStarting: (program) => hostWhileStarting(messages.pluginCalls, program),
  });
  const plugins = createPlugins(storage, {
    ...shared,
    processes,
    pluginLogs,
    removePluginData: (id) => new KyselyPluginValues(database).removeAll(id),
  });
  const mcp = createMcp(storage, shared);
  const pipelines = createPipelines(storage, { ...shared, ...mcp, ...plugins });
  const models = createModels(storage, { ...shared, ...pipelines, metadata });
  const { modelStore, modelOpener } = models;
  const languageModel = (uuid: string) => modelStore.model('llm', uuid);
  const monitoring = await createMonitoring(storage, shared);
  const knowledge = await createKnowledge(storage, {
    ...shared,
    ...models,
    ...monitoring,
    pageCache,
    openModel: (uuid) => modelOpener.open(uuid),
    isLanguageModel: async (uuid) => (await languageModel(uuid)) !== null,
  });

  const ledger = await openThreadedLedger(storage, {
    webhookWaitMs: config.webhookWaitSeconds * 1000,
    mayTellWebhooks: () => presence.mayTell,
  });
  const citationLinks = new CitationLinks(deriveKey(secretKey, 'citation-links'), config.publicUrl);
  const bots = createBots(storage, {
    ...shared,
    ...pipelines,
    ...monitoring,
    ledger,
    messagesDue,
    address: () => config.publicUrl ?? (state.address === null ? null : state.address + config.basePath),
  });
  const webhooks = createWebhooks(storage, { ...shared, ...bots, presence, ledger, messagesDue });
  const records = { ...access, ...models, ...mcp, ...plugins, ...pipelines, ...bots, ...webhooks };
  const hosted = createPluginHost(storage, {
    ...shared,
    ...models,
    ...plugins,
    processes,
    knowledge: knowledge.services,
  });
  const messages = createMessages(storage, {
    ...shared,
    ...records,
    ledger,
    messageEvents,
    messagesDue,
    toolSources: [...tools, mcp.toolSource],
    modelName: async (uuid) => (await languageModel(uuid))?.name ?? null,
    retrieve: (bases, question, options) => knowledge.services.retrieval.ask(bases, question, options),
    attachmentTexts: knowledge.services.attachmentTexts,
    citationLinks,
    hosted,
  });
  const { extensions } = loaded;
  const pluginContributions = new PluginContributions(plugins.activePlugins, extensions, messages.pluginCalls, logger);
  const pluginSchedules = new PluginSchedules(new KyselyScheduleStore(database), {
    plugins: plugins.activePlugins,
    calls: messages.pluginCalls,
    logger,
  });
  const pages = createPages({ ...access, ...plugins, ...messages });
  const views = createMessageViews(storage, {
    ...bots,
    ...pipelines,
    ...messages,
    ...knowledge.services,
    config,
    recordCache,
    citationLinks,
  });
  const mcpToolRuns = new McpToolRuns({ source: mcp.toolSource, gateway: messages.tools });
  const modelApi = createModelApi({ ...shared, ...records, ...messages, ...views, ledger });

  const alerting = createAlerts(storage, { ...shared, ...bots, ...monitoring, ...messages, timing: alertTiming });
  const audit = createAudit(storage, {
    ...shared,
    ...records,
    ...alerting,
    knowledgeRecords: knowledge.auditedRecords,
  });
  const idempotency = new IdempotencyService(new KyselyIdempotencyStore(database), logger);
  const components = {
    ...records,
    ...messages,
    pluginContributions,
    pluginSchedules,
    ...pages,
    ...views,
    ...monitoring,
    ...alerting,
    ...audit,
    tasks,
    idempotency,
  };
  const chores = { ...monitoring.chores, ...knowledge.chores, ...hosted.chores };
  const housekeeping = createHousekeeping(storage, { ...components, config, logger, chores });
  const { configuredExtensions, sensitiveWords } = loaded;
  const { version } = manifest;
  const system = createSystem(storage, { config, metadata, sources, version, extensions: configuredExtensions });
  const pipelineFiles = createPipelineFiles({ ...shared, ...pipelines, ...models, ...mcp, ...knowledge.services });
  const services = {
    ...components,
    mcpToolRuns,
    pipelineFiles,
    ...knowledge.services,
    ...system,
    files,
    stateEvents,
    recentLogs,
    sensitiveWords,
  };
  const { server, inventory } = await createHttp(storage, {
    config,
    logger,
    metadata,
    repository,
    state,
    beforeRoutes,
    services: { ...services, modelApi },
  });
  return { ...shared, ...components, processes, ledger, knowledge, metadata, housekeeping, server, inventory, state };
}

type Components = Awaited<ReturnType<typeof createComponents>>;

/** How long a stop waits for notices of alerts that are being sent. */
const noticeTimeoutMs = 3000;

/** How long a stop waits for tasks that it asked to end. */
const taskTimeoutMs = 5000;

async function start(parts: Components): Promise<{ address: string; setUp: SetUp | null }> {
  const { config, logger, state, botStore, extensions, dispatcher } = parts;
  const platforms = extensions.platforms.list();
  await prepareFirstStart({
    ...parts,
    languageModels: parts.models.llm,
    bots: botStore,
    requesters: extensions.modelRequesters.list(),
    platforms,
  });
  await prepareInternalBots(botStore, platforms);
  await parts.tasks.open();
  await parts.tools.recover();
  await parts.idempotency.open();
  await parts.knowledge.start();
  await dispatcher.recover();
  await parts.mcpRuntime.start();
  await parts.activePlugins.open();
  await parts.webhooks.open();
  // Before bots connect: a process that cannot listen must not take messages. Requests wait until they have.
  state.isStarting = true;
  const address = await listen(parts.server, config);
  state.address = address;
  const setUp = await parts.firstAccount.open(config.publicUrl ?? reachable(address) + config.basePath);
  if (config.setupWithoutToken) logger.warn('programs on this machine may make the first account without the token');
  await parts.runtime.start();
  dispatcher.start();
  await parts.webhookDispatcher.start();
  await parts.noticeSender.start();
  parts.alertEvaluator.start();
  parts.pluginSchedules.start();
  state.isStarting = false;
  state.isServing = true;
  parts.housekeeping.start();
  parts.rollupKeeper.start();
  parts.activePlugins.checkFiles().catch((error: unknown) => {
    logger.error({ error }, 'the files of plugins could not be checked');
  });
  return { address, setUp };
}

async function stop(storage: Storage, parts: Components): Promise<void> {
  const { config, state, server } = parts;
  state.isServing = false;
  parts.intake.close();
  parts.notices.close();
  parts.logins.close();
  // What another process has taken over is not waited for.
  const patience = storage.ownership.isHeld ? config.shutdownTimeoutSeconds * 1000 : 0;
  const deadline = Date.now() + patience;
  await parts.alertEvaluator.stop();
  await Promise.all([
    parts.dispatcher.stop(patience),
    parts.webhookDispatcher.stop(patience),
    parts.noticeSender.stop(Math.min(patience, noticeTimeoutMs)),
    parts.pluginSchedules.stop(),
  ]);
  await parts.runtime.stop();
  parts.holds.close();
  await parts.knowledge.stop();
  await parts.tasks.stop(taskTimeoutMs);
  await parts.mcpRuntime.stop();
  await parts.processes.stop();
  await parts.schemaHost.close();
  const impatience = setTimeout(() => server.server.closeAllConnections(), Math.max(1000, deadline - Date.now()));
  await server.close();
  clearTimeout(impatience);
  state.address = null;
  await parts.housekeeping.stop();
  await parts.rollupKeeper.stop();
  await parts.botEvents.stop();
  parts.firstAccount.close();
  await storage.close();
}

/** @returns resolves with a message for the operator when a fatal error requires a stop */
function watchStorage({ health, ownership }: Storage, { logger, dispatcher, ledger }: Components): Promise<Error> {
  const failure = Promise.withResolvers<Error>();
  void ledger.failure.then((error) => {
    logger.fatal({ error }, 'messages cannot be stored any more');
    failure.resolve(error);
  });
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
  return failure.promise;
}

/** @returns where it listens. @throws Error with a message for the operator */
async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(listenFault(`${host}:${port}`, error), { cause: error });
  });
  const { address, family, port: listening } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${listening}`;
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
