import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.ts';
import type { SetUp } from '../core/accounts/first-account.ts';
import type { BotStore } from '../core/bots/bot-store.ts';
import type { ExtensionRegistries } from '../core/extensions/extension-registries.ts';
import type { IdempotencyService } from '../core/idempotency/idempotency-service.ts';
import { prepareFirstStart } from '../core/installation/first-start.ts';
import { prepareInternalBots } from '../core/installation/internal-bots.ts';
import type { PipelineService } from '../core/pipelines/pipeline-service.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import type { TaskService } from '../core/tasks/task-service.ts';
import type { createLogger } from '../kit/logger.ts';
import type { WorkerLoop } from '../lib/worker-loop.ts';
import type { Storage } from '../storage/storage.ts';
import type { createAccess } from './access.ts';
import type { createBots } from './bots.ts';
import type { createKnowledge } from './knowledge.ts';
import type { createMcp } from './mcp.ts';
import type { createMessages } from './messages.ts';
import type { createModels } from './models.ts';
import type { createMonitoring } from './monitoring.ts';
import type { createWebhooks } from './webhooks.ts';

/** What the service does now. */
export interface ServiceState {
  isStarting: boolean;
  isServing: boolean;
  isStopping: boolean;
  /** Where it listens, `http://127.0.0.1:5300`; null while it does not. */
  address: string | null;
}

/** How long a stop waits for tasks that it asked to end. */
const taskTimeoutMs = 5000;

export interface LifecycleParts {
  config: Config;
  logger: ReturnType<typeof createLogger>;
  state: ServiceState;
  server: FastifyInstance;
  metadata: MetadataStore;
  tasks: TaskService;
  idempotency: IdempotencyService;
  housekeeping: WorkerLoop;
  pipelines: PipelineService;
  botStore: BotStore;
  extensions: ExtensionRegistries;
  access: ReturnType<typeof createAccess>;
  models: ReturnType<typeof createModels>;
  mcp: ReturnType<typeof createMcp>;
  monitoring: Awaited<ReturnType<typeof createMonitoring>>;
  knowledge: Awaited<ReturnType<typeof createKnowledge>>;
  webhooks: ReturnType<typeof createWebhooks>;
  bots: ReturnType<typeof createBots>;
  messages: ReturnType<typeof createMessages>;
}

/** Starts and stops everything, in the order in which it depends on each other. */
export function createLifecycle(storage: Storage, parts: LifecycleParts) {
  let setUp: SetUp | null = null;
  let stopping: Promise<void> | null = null;
  return {
    start: async () => {
      setUp = await start(parts);
      return parts.state.address as string;
    },
    stop: () => {
      parts.state.isStopping = true;
      stopping ??= stop(storage, parts);
      return stopping;
    },
    setUp: () => setUp,
    failure: watchStorage(storage, parts),
  };
}

async function start(parts: LifecycleParts): Promise<SetUp | null> {
  const { config, logger, state, metadata, pipelines, botStore, extensions, models, access, messages } = parts;
  const [requesters, platforms] = [extensions.modelRequesters.list(), extensions.platforms.list()];
  const { providers, modelPrices } = models;
  const languageModels = models.models.llm;
  await prepareFirstStart({ metadata, providers, languageModels, pipelines, bots: botStore, requesters, platforms });
  await prepareInternalBots(botStore, platforms);
  await modelPrices.open();
  await parts.tasks.open();
  await messages.tools.recover();
  await parts.idempotency.open();
  await parts.knowledge.start();
  await messages.dispatcher.recover();
  await parts.mcp.mcpRuntime.start();
  await parts.webhooks.webhooks.open();
  // Before bots connect: a process that cannot listen must not take messages. Requests wait until they have.
  state.isStarting = true;
  const address = await listen(parts.server, config);
  state.address = address;
  const setUp = await access.firstAccount.open(config.publicUrl ?? reachable(address) + config.basePath);
  if (config.setupWithoutToken) logger.warn('programs on this machine may make the first account without the token');
  await parts.bots.runtime.start();
  messages.dispatcher.start();
  await parts.webhooks.webhookDispatcher.start();
  state.isStarting = false;
  state.isServing = true;
  parts.housekeeping.start();
  parts.monitoring.rollupKeeper.start();
  return setUp;
}

async function stop(storage: Storage, parts: LifecycleParts): Promise<void> {
  const { config, state, server, bots, messages } = parts;
  state.isServing = false;
  messages.intake.close();
  // What another process has taken over is not waited for.
  const patience = storage.ownership.isHeld ? config.shutdownTimeoutSeconds * 1000 : 0;
  const deadline = Date.now() + patience;
  await Promise.all([messages.dispatcher.stop(patience), parts.webhooks.webhookDispatcher.stop(patience)]);
  await bots.runtime.stop();
  bots.holds.close();
  await parts.knowledge.stop();
  await parts.tasks.stop(taskTimeoutMs);
  await parts.mcp.mcpRuntime.stop();
  await messages.schemaHost.close();
  const impatience = setTimeout(() => server.server.closeAllConnections(), Math.max(1000, deadline - Date.now()));
  await server.close();
  clearTimeout(impatience);
  state.address = null;
  await parts.housekeeping.stop();
  await parts.monitoring.rollupKeeper.stop();
  await bots.botEvents.stop();
  parts.access.firstAccount.close();
  await storage.close();
}

/** @returns resolves with a message for the operator when a fatal error requires a stop */
function watchStorage({ health, ownership }: Storage, { logger, messages }: LifecycleParts): Promise<Error> {
  const failure = Promise.withResolvers<Error>();
  health.onChange((trouble) => {
    if (trouble !== null) return logger.error({ error: trouble }, 'the storage failed');
    logger.info('data can be stored again');
    messages.dispatcher.resume();
  });
  ownership.onLost((why) => logger.warn({ why }, 'the lock on the database was lost, and is being taken again'));
  ownership.onRegained(() => {
    logger.info('the lock on the database is held again');
    messages.dispatcher.resume();
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
