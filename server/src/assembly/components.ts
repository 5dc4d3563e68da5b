import type { ToolSource } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Config, ConfigSources } from '../config/index.ts';
import { StateEvents } from '../core/events/state-events.ts';
import type { ExtensionSet } from '../core/extensions/extension-registries.ts';
import { IdempotencyService } from '../core/idempotency/idempotency-service.ts';
import type { RecentLogs } from '../core/logs/recent-logs.ts';
import { McpToolRuns } from '../core/mcp/mcp-tool-runs.ts';
import { CitationLinks } from '../core/messages/citation-links.ts';
import { MessageEvents } from '../core/messages/message-events.ts';
import { hostWhileStarting } from '../core/plugins/contributions/plugin-calls.ts';
import { PluginContributions } from '../core/plugins/contributions/plugin-contributions.ts';
import type { PluginProcesses } from '../core/plugins/plugin-caller.ts';
import { PluginSchedules } from '../core/plugins/schedules/plugin-schedules.ts';
import { ExtensionChanges } from '../core/records/extension-changes.ts';
import { RecordCache } from '../core/records/record-cache.ts';
import { BotHolders } from '../core/replicas/bot-holders.ts';
import { DueNotices } from '../core/replicas/due-notices.ts';
import { Duty } from '../core/replicas/duty.ts';
import { TaskService } from '../core/tasks/task-service.ts';
import { WebhookPresence } from '../core/webhooks/webhook-presence.ts';
import type { createLogger } from '../kit/logger.ts';
import type { PasswordCost } from '../lib/password.ts';
import { Signal } from '../lib/signal.ts';
import { KyselyBotStore } from '../storage/bots/kysely-bot-store.ts';
import { KyselyIdempotencyStore } from '../storage/idempotency/kysely-idempotency-store.ts';
import { openThreadedLedger } from '../storage/messages/open-ledger.ts';
import { KyselyPluginValues } from '../storage/plugins/kysely-plugin-values.ts';
import { KyselyScheduleStore } from '../storage/plugins/kysely-schedule-store.ts';
import { takingOver } from '../storage/replicas/replica.ts';
import { deriveKey } from '../storage/secret-key.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyTaskStore } from '../storage/tasks/kysely-task-store.ts';
import { createAccess } from './access.ts';
import { createAddresses } from './addresses.ts';
import { createAlerts } from './alerts.ts';
import { createAudit } from './audit.ts';
import { createBots } from './bots.ts';
import { Drain } from './drain.ts';
import { createExtensions } from './extensions.ts';
import { createFiles } from './files.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createHttp, type ServiceState } from './http.ts';
import { createKnowledge } from './knowledge.ts';
import { createMcp } from './mcp.ts';
import { createMessages, createMessageViews } from './messages.ts';
import { createModelApi } from './model-api.ts';
import { createModels } from './models.ts';
import { createMonitoring } from './monitoring.ts';
import { createPeers, followBeats, shareCredentialChanges, shareStateEvents } from './peers.ts';
import { createPipelineFiles } from './pipeline-files.ts';
import { createPipelines } from './pipelines.ts';
import { createPluginHost } from './plugin-host.ts';
import { createPages, createPlugins, createPluginsOfReplicas, createProcesses } from './plugins.ts';
import { createReplicaViews } from './replica-views.ts';
import { createSecrets } from './secrets.ts';
import { createSystem } from './system.ts';
import { createWebhooks } from './webhooks.ts';

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

/** The dependencies of everything else. */
export interface Foundations {
  logger: ReturnType<typeof createLogger>;
  storage: Storage;
  recentLogs: RecentLogs;
  sources: Partial<ConfigSources>;
  version: string;
  /** The folder of the project, which has the built console. */
  repository: string;
}

/** Everything, each after what it uses. */
export async function createComponents(
  config: Config,
  { beforeRoutes, passwordCost, alertTiming, pluginProcesses, tools = [], ...given }: Extensions,
  { logger, storage, recentLogs, sources, version, repository }: Foundations,
) {
  const { database, engine } = storage;
  const state: ServiceState = {
    isStarting: false,
    isServing: false,
    isReplaced: false,
    isDraining: false,
    isStopping: false,
    address: null,
  };
  const drain = new Drain(storage, { config, state, logger });
  const stateEvents = new StateEvents();
  const messageEvents = new MessageEvents(stateEvents);
  /** Messages may be due. */
  const messagesDue = new Signal();
  const presence = new WebhookPresence();
  const extensionChanges = new ExtensionChanges();

  const { metadata, secretKey, secrets } = await createSecrets(storage, config);
  const { peers, peerCalls, otherReplicas, callHandlers, peerNotices } = createPeers(storage, {
    config,
    logger,
    secretKey,
    stateEvents,
  });
  const dueNotices = new DueNotices(peerNotices);
  shareStateEvents({ peerNotices }, stateEvents);
  const access = createAccess(storage, { config, metadata, secretKey, secrets, passwordCost });
  shareCredentialChanges({ peerNotices }, access.credentialChanges);
  const { files, blobs, pageCache, chores: fileChores } = await createFiles(storage, { config, metadata });
  const tasks = new TaskService(
    takingOver(storage.replica, new KyselyTaskStore(database, storage.replica)),
    stateEvents,
    { logger, cancelElsewhere: (to, id) => peerNotices.tell('cancel_task', id, { to }) },
  );
  peerNotices.on<number>('cancel_task', Type.Integer(), (id) => tasks.cancelRequested(id));
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
    blobs,
    processes,
    removePluginData: (id) => new KyselyPluginValues(database, engine).removeAll(id),
  });
  const pluginsOfReplicas = createPluginsOfReplicas(storage, {
    plugins: plugins.activePlugins,
    processes,
    logs: pluginLogs,
    others: otherReplicas,
    callHandlers,
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
    dueNotices,
    openModel: (uuid) => modelOpener.open(uuid),
    isLanguageModel: async (uuid) => (await languageModel(uuid)) !== null,
  });

  const ledger = await openThreadedLedger(storage, {
    webhookWaitMs: config.webhookWaitSeconds * 1000,
    mayTellWebhooks: () => presence.mayTell,
  });
  const citationLinks = new CitationLinks(deriveKey(secretKey, 'citation-links'), config.publicUrl);
  const holders = new BotHolders(storage.replica, peerCalls);
  const bots = createBots(storage, {
    ...shared,
    ...pipelines,
    ...monitoring,
    ledger,
    messagesDue,
    holders,
    callHandlers,
    webhookSecret: (botUuid) => deriveKey(secretKey, `webhook/${botUuid}`).toString('base64url'),
    peerCalls,
    otherReplicas,
    peerNotices,
    address: () => config.publicUrl ?? (state.address === null ? null : state.address + config.basePath),
  });
  const webhooks = createWebhooks(storage, { ...shared, ...bots, presence, ledger, messagesDue });
  const records = { ...access, ...models, ...mcp, ...plugins, ...pipelines, ...bots, ...webhooks };
  extensionChanges.register(
    () => plugins.activePlugins.refresh(),
    () => mcp.mcpRuntime.refresh(),
    () => webhooks.webhooks.refresh(),
  );
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
    presence,
    extensionChanges,
    ledger,
    messageEvents,
    messagesDue,
    holders,
    callHandlers,
    otherReplicas,
    peerNotices,
    dueNotices,
    toolSources: [...tools, mcp.toolSource],
    modelName: async (uuid) => (await languageModel(uuid))?.name ?? null,
    retrieve: (bases, question, options) => knowledge.services.retrieval.ask(bases, question, options),
    attachmentTexts: knowledge.services.attachmentTexts,
    citationLinks,
    hosted,
  });
  const { extensions } = loaded;
  const pluginContributions = new PluginContributions(plugins.activePlugins, extensions, messages.pluginCalls, logger);
  const pluginSchedules = new PluginSchedules(
    takingOver(storage.replica, new KyselyScheduleStore(database, storage.replica)),
    {
      plugins: plugins.activePlugins,
      calls: messages.pluginCalls,
      duty: new Duty(storage.replica.leases, 'plugin schedules'),
      logger,
    },
  );
  const pages = createPages({
    ...access,
    ...plugins,
    ...messages,
    pageKey: deriveKey(secretKey, 'pages-of-plugins'),
  });
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
  const idempotency = new IdempotencyService(
    takingOver(storage.replica, new KyselyIdempotencyStore(database, storage.replica)),
    logger,
  );
  const components = {
    ...records,
    ...messages,
    pluginsOfReplicas,
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
  const chores = { ...fileChores, ...monitoring.chores, ...knowledge.chores, ...hosted.chores };
  const housekeeping = createHousekeeping(storage, {
    ...components,
    config,
    logger,
    chores,
    ownChores: knowledge.ownChores,
  });
  const { configuredExtensions, sensitiveWords } = loaded;
  const system = createSystem(storage, { config, metadata, sources, version, extensions: configuredExtensions });
  const { showSettings, replicaViews } = createReplicaViews(storage, { config, secretKey, peerNotices, logger });
  const pipelineFiles = createPipelineFiles({ ...shared, ...pipelines, ...models, ...mcp, ...knowledge.services });
  const services = {
    ...components,
    mcpToolRuns,
    pipelineFiles,
    ...knowledge.services,
    ...system,
    replicaViews,
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
    leaving: drain.leaving,
    services: { ...services, modelApi, extensionChanges },
  });
  followBeats(storage, {
    due: dueNotices,
    changed: audit.auditLog.recorded,
    cancellations: messages.cancellations,
    tasks,
    wake: {
      messages: () => messages.dispatcher.wake(),
      webhooks: () => webhooks.webhookDispatcher.wake(),
      documents: () => knowledge.look(),
      alert_notices: () => alerting.noticeSender.wake(),
    },
  });
  return {
    ...shared,
    ...components,
    peers,
    dueNotices,
    presence,
    extensionChanges,
    processes,
    ledger,
    knowledge,
    metadata,
    housekeeping,
    server,
    inventory,
    state,
    drain,
    showSettings,
  };
}

export type Components = Awaited<ReturnType<typeof createComponents>>;
