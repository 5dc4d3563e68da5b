import { join } from 'node:path';
import type { Logger, Platform, Runner, RunnerContext, Stage, ToolSource } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import type { AddressRules } from '../core/addresses/address-rules.ts';
import type { FetchFor } from '../core/addresses/fetch-for.ts';
import { BotEventLog } from '../core/bots/bot-event-log.ts';
import { BotRuntime, type BotRuntimeOptions } from '../core/bots/bot-runtime.ts';
import { BotService } from '../core/bots/bot-service.ts';
import { SendHolds } from '../core/bots/send-holds.ts';
import { builtInCommands } from '../core/commands/built-in-commands.ts';
import { CommandService } from '../core/commands/command-service.ts';
import type { StateEvents } from '../core/events/state-events.ts';
import type { FileService } from '../core/files/file-service.ts';
import { MediaReader } from '../core/files/media-reader.ts';
import { AnswerRun, type AnswerRunOptions } from '../core/messages/answer-run.ts';
import { CommandRun } from '../core/messages/command-run.ts';
import { MessageDispatcher } from '../core/messages/message-dispatcher.ts';
import type { MessageEvents } from '../core/messages/message-events.ts';
import { MessageImages } from '../core/messages/message-images.ts';
import { MessageIntake, type MessageIntakeOptions } from '../core/messages/message-intake.ts';
import { MessageProcessor } from '../core/messages/message-processor.ts';
import { RunningAnswers } from '../core/messages/running-answers.ts';
import type { WebhookVerdicts } from '../core/messages/webhook-verdicts.ts';
import type { ModelPriceService } from '../core/models/model-price-service.ts';
import type { PipelineService } from '../core/pipelines/pipeline-service.ts';
import type { PipelineStore } from '../core/pipelines/pipeline-store.ts';
import { ToolGateway } from '../core/tools/tool-gateway.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { SchemaHost } from '../schema-host/schema-host.ts';
import { KyselyBotEventStore } from '../storage/bots/kysely-bot-event-store.ts';
import { KyselyBotStore } from '../storage/bots/kysely-bot-store.ts';
import { DiskImageCache } from '../storage/files/disk-image-cache.ts';
import { KyselyEventCounter } from '../storage/limits/kysely-event-counter.ts';
import { KyselyMessageReader } from '../storage/messages/kysely-message-reader.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyToolCallStore } from '../storage/tools/kysely-tool-call-store.ts';

export interface MessageLifeParts {
  config: Config;
  logger: Logger;
  secrets: SecretBox;
  addresses: AddressRules;
  fetchFor: FetchFor;
  stateEvents: StateEvents;
  files: FileService;
  pipelineStore: PipelineStore;
  pipelines: PipelineService;
  modelPrices: ModelPriceService;
  ledger: Ledger;
  messageEvents: MessageEvents;
  platforms: readonly Platform[];
  runners: readonly Runner[];
  stages: readonly Stage[];
  toolSources: readonly ToolSource[];
  openModel: RunnerContext['openModel'];
  /** Verdicts of webhooks on messages, and the notification of them. */
  webhooks: WebhookVerdicts & { notifyWebhooks: MessageIntakeOptions['notifyWebhooks'] };
  /** Null when the model was deleted. */
  modelName: (uuid: string) => Promise<string | null>;
  /** Where the service is reached; null while it is not. */
  address: () => string | null;
  /** Stores feedback on answers. */
  receiveFeedback: NonNullable<BotRuntimeOptions['receiveFeedback']>;
  retrieve: AnswerRunOptions['retrieve'];
}

/** The pipeline of messages from a platform to the answer, with the bots. */
export function assembleMessageLife({ database, engine, ownership }: Storage, parts: MessageLifeParts) {
  const { config, logger, secrets, stateEvents, files, pipelineStore, pipelines, modelPrices, ledger } = parts;
  const { platforms, runners, stages, toolSources, openModel, modelName, address, addresses, fetchFor, webhooks } =
    parts;
  const { messages, deliveries, history, conversations } = ledger;
  const events = parts.messageEvents;
  const botStore = new KyselyBotStore(database, engine);
  const botEvents = new BotEventLog(new KyselyBotEventStore(database, engine), { logger });
  const messageReader = new KyselyMessageReader(database, engine);
  const running = new RunningAnswers();
  const commands = new CommandService(builtInCommands, config);
  const intake = new MessageIntake(messages, botStore, {
    accepted: () => dispatcher.wake(),
    notifyWebhooks: (message) => webhooks.notifyWebhooks?.(message),
    accountId: (botUuid) => runtime.accountId(botUuid),
    takesCommands: (botUuid) => runtime.takesCommands(botUuid),
    commands,
    conversations,
    running,
    events,
    logger,
  });
  const runtime: BotRuntime = new BotRuntime(botStore, {
    platforms,
    secrets,
    logger,
    receive: (botUuid, event) => intake.receive(botUuid, event),
    receiveAll: (botUuid, events) => intake.receiveAll(botUuid, events),
    receiveFeedback: parts.receiveFeedback,
    fetchFor,
    facilities: {
      storeMedia: (name, content) => files.storeMedia(name, content),
      readMedia: (path) => files.readMedia(path),
    },
    publicUrl: config.publicUrl,
    events: botEvents,
    stateEvents,
    released: () => dispatcher.wake(),
    changed: (botUuid) => holds.forget(botUuid),
  });
  const holds = new SendHolds({
    probe: async (botUuid) => runtime.running(botUuid).adapter.probe?.(),
    ended: (conversations) => {
      expedite(conversations).catch((error: unknown) => logger.error({ error }, 'messages wait for their due time'));
    },
    logger,
  });
  const expedite = async (conversations: readonly string[]) => {
    await messages.expedite(conversations);
    dispatcher.wake();
  };
  const bots = new BotService(botStore, {
    runtime,
    addresses,
    secrets,
    events: botEvents,
    defaultPipeline: () => pipelineStore.default(),
    maximumBots: config.maxBots,
    address,
  });
  const counter = new KyselyEventCounter(database);
  const schemaHost = new SchemaHost();
  const tools = new ToolGateway(new KyselyToolCallStore(database), {
    sources: toolSources,
    checker: schemaHost,
    logger,
  });
  const media = new MediaReader(files, createGuardedFetch({ policy: 'content' }));
  const imageCache = new DiskImageCache(join(config.dataDir, 'cache', 'images'));
  const answers = new AnswerRun(history, {
    runners,
    openModel,
    retrieve: parts.retrieve,
    tools,
    toolAccess: (message) => pipelines.toolAccess(message),
    conversations,
    fetchFor,
    adminAddresses: (pipelineUuid) => pipelines.adminAddresses(pipelineUuid),
    media,
    costOf: (call) => modelPrices.costOf(call),
    logger,
  });
  const commandRun = new CommandRun({
    history,
    conversations,
    commands,
    running,
    pipelineName: async (uuid) => (await pipelineStore.storedByUuid(uuid))?.name ?? null,
    modelName,
  });
  const processor = new MessageProcessor(runtime, pipelines, {
    messages,
    deliveries,
    history,
    events,
    stages,
    answers,
    commands: commandRun,
    running,
    counter,
    storeMedia: (name, content) => files.storeMedia(name, content),
    webhooks,
    holds,
    maySend: () => ownership.isHeld,
    uncertainSends: async (botUuid) => (await botStore.byUuid(botUuid))?.uncertain_sends ?? 'continue',
    deliveryExpiryMs: config.deliveryExpiryHours * 60 * 60 * 1000,
    logger,
  });
  const dispatcher: MessageDispatcher = new MessageDispatcher(
    messages,
    (message, signal) => processor.process(message, signal),
    {
      events,
      concurrency: config.pipelineConcurrency,
      logger,
      heldBots: () => [...runtime.heldBots(), ...holds.heldBots()],
      mayClaim: () => ownership.isHeld,
    },
  );
  return {
    botStore,
    botEvents,
    bots,
    runtime,
    holds,
    messageReader,
    messageImages: new MessageImages({ messages: messageReader, media, cache: imageCache }),
    imageCache,
    intake,
    dispatcher,
    counter,
    tools,
    schemaHost,
  };
}
