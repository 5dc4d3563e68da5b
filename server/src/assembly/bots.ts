import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import type { AddressRules } from '../core/addresses/address-rules.ts';
import type { FetchFor } from '../core/addresses/fetch-for.ts';
import { AdapterCatalog } from '../core/bots/adapter-catalog.ts';
import { BotEventLog } from '../core/bots/bot-event-log.ts';
import { BotRuntime } from '../core/bots/bot-runtime.ts';
import { BotService } from '../core/bots/bot-service.ts';
import type { BotStore } from '../core/bots/bot-store.ts';
import { BotWebhooks } from '../core/bots/bot-webhooks.ts';
import { SendHolds } from '../core/bots/send-holds.ts';
import type { StateEvents } from '../core/events/state-events.ts';
import type { ExtensionRegistries } from '../core/extensions/extension-registries.ts';
import type { FeedbackService } from '../core/feedback/feedback-service.ts';
import type { FileService } from '../core/files/file-service.ts';
import type { PipelineStore } from '../core/pipelines/pipeline-store.ts';
import { ConnectionTasks } from '../core/tasks/connection-tasks.ts';
import type { TaskService } from '../core/tasks/task-service.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { Signal } from '../lib/signal.ts';
import { KyselyBotEventStore } from '../storage/bots/kysely-bot-event-store.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import type { Storage } from '../storage/storage.ts';

export interface BotParts {
  config: Config;
  logger: Logger;
  secrets: SecretBox;
  addresses: AddressRules;
  fetchFor: FetchFor;
  stateEvents: StateEvents;
  files: FileService;
  tasks: TaskService;
  botStore: BotStore;
  pipelineStore: PipelineStore;
  extensions: ExtensionRegistries;
  /** Stores feedback on answers. */
  feedback: FeedbackService;
  ledger: Ledger;
  messagesDue: Signal;
  /** Where the service is reached; null while it is not. */
  address: () => string | null;
}

/** Bots: their records, their connections, and holds on sending. */
export function createBots({ database, engine }: Storage, { config, logger, botStore, ...parts }: BotParts) {
  const { secrets, files, stateEvents, addresses, fetchFor, messagesDue } = parts;
  const botEvents = new BotEventLog(new KyselyBotEventStore(database, engine), { logger });
  const reconnecting = new Signal<string>();
  const runtime = new BotRuntime(botStore, {
    platforms: parts.extensions.platforms,
    secrets,
    logger,
    receiveFeedback: (botUuid, event) => parts.feedback.receive(botUuid, event),
    fetchFor,
    facilities: {
      storeMedia: (name, content) => files.storeMedia(name, content),
      readMedia: (path) => files.readMedia(path),
    },
    publicUrl: config.publicUrl,
    events: botEvents,
    stateEvents,
    released: () => messagesDue.emit(),
    changed: (botUuid) => reconnecting.emit(botUuid),
  });
  const expedite = async (conversations: readonly string[]) => {
    await parts.ledger.messages.expedite(conversations);
    messagesDue.emit();
  };
  const holds = new SendHolds({
    probe: async (botUuid) => runtime.running(botUuid).adapter.probe?.(),
    ended: (conversations) => {
      expedite(conversations).catch((error: unknown) => logger.error({ error }, 'messages wait for their due time'));
    },
    logger,
  });
  reconnecting.listen((botUuid) => holds.forget(botUuid));
  const bots = new BotService(botStore, {
    runtime,
    addresses,
    secrets,
    events: botEvents,
    defaultPipeline: () => parts.pipelineStore.default(),
    maximumBots: config.maxBots,
    address: parts.address,
  });
  const connectionTasks = new ConnectionTasks({ tasks: parts.tasks, bot: (uuid) => botStore.byUuid(uuid), logger });
  stateEvents.watch(({ type, data }) => {
    if (type === 'bot') connectionTasks.observe(String(data.uuid), runtime.status(String(data.uuid)));
  });
  return {
    bots,
    runtime,
    holds,
    botEvents,
    adapters: new AdapterCatalog(parts.extensions.platforms),
    botWebhooks: new BotWebhooks(botStore, runtime, logger),
  };
}
