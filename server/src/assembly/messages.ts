import { join } from 'node:path';
import type { BotAddedNotice, PlatformContext, ToolSource } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import type { BotStore } from '../core/bots/bot-store.ts';
import { type PassedNotice, passedNotice } from '../core/bots/passed-requests.ts';
import { CommandService } from '../core/commands/command-service.ts';
import { MediaReader } from '../core/files/media-reader.ts';
import type { PassageContexts } from '../core/knowledge/passage-context.ts';
import { AnswerRun, type AnswerRunOptions } from '../core/messages/answer-run.ts';
import { Cancellations } from '../core/messages/cancellations.ts';
import type { CitationLinks } from '../core/messages/citation-links.ts';
import { CitedPassages } from '../core/messages/cited-passages.ts';
import { CommandRun } from '../core/messages/command-run.ts';
import { ConversationMemory } from '../core/messages/conversation-memory.ts';
import { DeliveryRetry } from '../core/messages/delivery-retry.ts';
import { LateFailures } from '../core/messages/late-failures.ts';
import type { ClaimedMessage, Message } from '../core/messages/message.ts';
import { MessageDispatcher } from '../core/messages/message-dispatcher.ts';
import type { MessageEvents } from '../core/messages/message-events.ts';
import { MessageExplainer } from '../core/messages/message-explanation.ts';
import { MessageImages } from '../core/messages/message-images.ts';
import { MessageIntake } from '../core/messages/message-intake.ts';
import { MessageProcessor } from '../core/messages/message-processor.ts';
import { MessageSender } from '../core/messages/message-sender.ts';
import { ModelRequests } from '../core/messages/model-requests.ts';
import { NameLookup } from '../core/messages/name-lookup.ts';
import { PlatformNotices } from '../core/messages/platform-notices.ts';
import { ProcessingLimit } from '../core/messages/processing-limit.ts';
import { ReplyContexts } from '../core/messages/reply-contexts.ts';
import { RunningAnswers } from '../core/messages/running-answers.ts';
import { PluginToolSource } from '../core/plugins/contributions/plugin-tools.ts';
import type { HostServices } from '../core/plugins/host/plugin-host-api.ts';
import type { ExtensionChanges } from '../core/records/extension-changes.ts';
import type { BotHolders } from '../core/replicas/bot-holders.ts';
import type { DueNotices } from '../core/replicas/due-notices.ts';
import type { CancelledAnswer } from '../core/replicas/due-work.ts';
import { botLease } from '../core/replicas/leases.ts';
import type { OtherReplicas } from '../core/replicas/other-replicas.ts';
import type { CallHandlers } from '../core/replicas/peer-calls.ts';
import type { PeerNotices } from '../core/replicas/peer-notices.ts';
import { ToolGateway } from '../core/tools/tool-gateway.ts';
import { WebChat } from '../core/web-chat/web-chat.ts';
import type { WebhookPresence } from '../core/webhooks/webhook-presence.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import type { Signal } from '../lib/signal.ts';
import { SchemaHost } from '../schema-host/schema-host.ts';
import { BotGreetings } from '../storage/bots/bot-greetings.ts';
import { KyselyChatConversationStore } from '../storage/conversations/kysely-chat-conversation-store.ts';
import { DiskImageCache } from '../storage/files/disk-image-cache.ts';
import { KyselyCancellationStore } from '../storage/messages/kysely-cancellation-store.ts';
import { KyselyMessageReader } from '../storage/messages/kysely-message-reader.ts';
import { KyselyModelRequestStore } from '../storage/messages/kysely-model-request-store.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import { storedVersions } from '../storage/records/stored-versions.ts';
import { takingOver } from '../storage/replicas/replica.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyToolCallStore } from '../storage/tools/kysely-tool-call-store.ts';
import type { createBots } from './bots.ts';
import type { createModels } from './models.ts';
import type { Created, SharedParts } from './parts.ts';
import { cancelledAnswer } from './peers.ts';
import type { createPipelines } from './pipelines.ts';
import { createMessagePlugins, type HostedPlugins } from './plugin-host.ts';
import type { createWebhooks } from './webhooks.ts';

type MessageParts = SharedParts &
  Created<typeof createPipelines> &
  Created<typeof createModels> &
  Created<typeof createBots> &
  Created<typeof createWebhooks> & {
    presence: WebhookPresence;
    extensionChanges: ExtensionChanges;
    ledger: Ledger;
    messageEvents: MessageEvents;
    messagesDue: Signal;
    holders: BotHolders;
    callHandlers: CallHandlers;
    otherReplicas: OtherReplicas;
    peerNotices: PeerNotices;
    dueNotices: DueNotices;
    toolSources: readonly ToolSource[];
    /** Null when the model was deleted. */
    modelName: (uuid: string) => Promise<string | null>;
    retrieve: AnswerRunOptions['retrieve'];
    attachmentTexts: AnswerRunOptions['attachmentTexts'];
    citationLinks: CitationLinks;
    hosted: HostedPlugins;
  };

/** The way of messages from a platform to the answer. */
export function createMessages(storage: Storage, parts: MessageParts) {
  const { logger, runtime, ledger, messageEvents: events, messagesDue } = parts;
  const { replica } = storage;
  const running = new RunningAnswers();
  const cancellations = createCancellations(storage, parts, running);
  const memory = new ConversationMemory(ledger.history);
  replica.onFenced(() => memory.clear());
  replica.onFree(() => memory.clear());
  const replyContexts = new ReplyContexts(ledger.replyContextStore, parts.secrets, logger);
  const commands = new CommandService(parts.extensions.commands, parts.config, logger);
  const intake = new MessageIntake(ledger.messages, arrivalBots(storage, parts), {
    arriving: () => messagesDue.emit(),
    accepted: () => messagesDue.emit(),
    notifyWebhooks: (message) => parts.webhookDispatcher.notifyWebhooks(message),
    accountId: (botUuid) => runtime.storedAccount(botUuid)?.id ?? null,
    takesCommands: (botUuid) => runtime.takesCommands(botUuid),
    isAwaited: ({ adapter }) => !runtime.configs.isLeased(adapter),
    commands,
    conversations: ledger.conversations,
    cancellations,
    events,
    replyContexts,
    mediaFetch: parts.mediaFetch,
    states: parts.states,
    logger,
  });
  const lateFailures = new LateFailures(ledger.deliveries, { bots: runtime, events, logger });
  const settling = (message: Message) => dispatcher.settling(message);
  const shared = { running, memory, commands, replyContexts, settling };
  const { processor, ...work } = createProcessor(storage, {
    ...parts,
    ...shared,
    send: (...message) => sending.messages.send(...message),
  });
  const limit = new ProcessingLimit(parts.config.pipelineConcurrency);
  const process = async (message: ClaimedMessage, signal: AbortSignal) => {
    await parts.extensionChanges.follow(message.extension_version);
    await processor.process(message, signal);
  };
  const dispatcher = new MessageDispatcher(ledger.messages, process, {
    events,
    limit,
    logger,
    claimed: (message) => {
      parts.recordCache.see(message.record_version);
      memory.see(message);
    },
    claimableBots: () =>
      Object.assign(runtime.claimable(parts.holds.heldBots()), replica.isDraining && { homeOnly: true }),
    mayClaim: () => replica.mayWork,
  });
  replica.onReplaced(() => dispatcher.abandon());
  messagesDue.listen(() => dispatcher.wake());
  const sending = createSending(storage, parts, cancellations);
  const notices = new PlatformNotices({
    waiting: ledger.waitingMessages,
    greetings: new BotGreetings(storage.database),
    sender: sending.messages,
    runtime,
    events,
  });
  parts.callHandlers.add<PassedNotice>('bot_added', passedNotice, async ({ bot_uuid, notice }) =>
    // It is what the other replica received: checked above, but for what is optional and absent.
    notices.receiveNotice(bot_uuid, notice as BotAddedNotice),
  );
  const stored = async <Receipt>(botUuid: string, store: () => Promise<Receipt>): Promise<Receipt> => {
    const receipt = await limit.storing(store);
    wakeHolder(storage, parts, botUuid);
    return receipt;
  };
  runtime.deliverTo({
    receive: (botUuid, event, state) => stored(botUuid, () => intake.receive(botUuid, event, state)),
    receiveAll: (botUuid, all) => stored(botUuid, () => intake.receiveAll(botUuid, all)),
    receiveNotice: (botUuid, notice) => notices.receiveNotice(botUuid, notice),
    reportFailure: (botUuid, id, failure) => lateFailures.report(botUuid, id, failure),
    idle: (botUuid) => dispatcher.idle(botUuid),
  });
  return { intake, notices, dispatcher, cancellations, ...work, ...sending };
}

/** Messages of a bot are due: another replica may be the one that answers them. */
function wakeHolder({ replica }: Storage, { dueNotices }: MessageParts, botUuid: string): void {
  const holder = replica.leases.holder(botLease(botUuid));
  if (holder !== null && holder !== replica.id) dueNotices.forOne('messages', holder);
}

/** What cancels answers here and on other replicas. */
function createCancellations(
  { database, engine, replica }: Storage,
  { peerNotices, logger }: MessageParts,
  running: RunningAnswers,
): Cancellations {
  const cancellations = new Cancellations(running, {
    store: engine === 'sqlite' ? null : new KyselyCancellationStore(database, replica),
    tell: (to, cancelled) => peerNotices.tell('cancel_answer', cancelled, { to }),
    logger,
  });
  peerNotices.on<CancelledAnswer>('cancel_answer', cancelledAnswer, (cancelled) => cancellations.apply(cancelled));
  return cancellations;
}

/** The bots of arriving messages, from memory while their version is the present one. */
function arrivalBots(
  { database }: Storage,
  { botStore, recordCache, extensionChanges, presence }: MessageParts,
): Pick<BotStore, 'byUuid'> {
  const readVersions = storedVersions(database);
  const byUuid = recordCache.reader((uuid) => botStore.byUuid(uuid));
  return {
    byUuid: async (uuid) => {
      const { records, extensions } = await readVersions();
      recordCache.see(records);
      // Another replica may have enabled one; the message need not wait until that is known.
      if (extensionChanges.isOutdated(extensions)) presence.raise();
      return byUuid(uuid);
    },
  };
}

/** What generates answers and delivers them. */
function createProcessor(
  storage: Storage,
  parts: MessageParts & {
    running: RunningAnswers;
    memory: ConversationMemory;
    settling: (message: Message) => void;
    commands: CommandService;
    replyContexts: ReplyContexts;
    send: HostServices['send'];
  },
) {
  const { database, replica } = storage;
  const { config, logger, files, botStore, pipelineStore, pipelines, ledger, running, memory } = parts;
  const { history, conversations } = ledger;
  const delivering = {
    bots: parts.runtime,
    holds: parts.holds,
    replyContexts: parts.replyContexts,
    maySend: () => replica.mayWork,
    uncertainSends: async (botUuid: string) => (await botStore.byUuid(botUuid))?.uncertain_sends ?? 'continue',
    logger,
  };
  const storeMedia: PlatformContext['storeMedia'] = (name, content) => files.storeMedia(name, content);
  const { replies, messagePlugins, pluginCalls } = createMessagePlugins(storage, {
    ...parts,
    delivering,
    storeMedia,
    expiryMs: deliveryExpiryMs(config),
  });
  const schemaHost = new SchemaHost();
  const tools = new ToolGateway(takingOver(replica, new KyselyToolCallStore(database, storage.engine, replica)), {
    sources: [...parts.toolSources, new PluginToolSource(pluginCalls)],
    checker: schemaHost,
    logger,
  });
  const media = new MediaReader(files, createGuardedFetch({ policy: 'content' }));
  const answers = new AnswerRun(memory, {
    runners: parts.extensions.runners,
    openModel: (uuid, keepsRequests) => parts.modelOpenerForRun.open(uuid, keepsRequests),
    retrieve: parts.retrieve,
    tools,
    toolAccess: (message, purpose) => pipelines.toolAccess(message, purpose),
    conversations,
    fetchFor: parts.fetchFor,
    adminAddresses: ({ pipeline_uuid, facts }) => pipelines.adminAddresses(pipeline_uuid, facts.trial?.version),
    media,
    attachmentTexts: parts.attachmentTexts,
    costOf: () => parts.pricesForRun(''),
    logger,
  });
  const commands = new CommandRun({
    history,
    conversations,
    commands: parts.commands,
    running,
    pipelineName: async (uuid) => (await pipelineStore.storedByUuid(uuid))?.name ?? null,
    modelName: parts.modelName,
  });
  const modelRequests = new ModelRequests(new KyselyModelRequestStore(database), logger);
  const processor = new MessageProcessor({
    ...delivering,
    pipelines,
    ...ledger,
    events: parts.messageEvents,
    stages: parts.extensions.stages,
    answers,
    memory,
    settling: parts.settling,
    commands,
    running,
    plugins: messagePlugins,
    replies,
    storeMedia,
    webhooks: parts.webhookDispatcher,
    mediaFetch: parts.mediaFetch,
    citationLinks: parts.citationLinks,
    modelRequests,
    names: new NameLookup({ names: ledger.nameStore, logger }),
    expiryMs: deliveryExpiryMs(config),
  });
  return {
    processor,
    tools,
    schemaHost,
    media,
    modelRequests,
    pluginCalls,
    counter: ledger.counter,
  };
}

const sentByOther = Type.Object({
  bot_uuid: Type.String(),
  session_type: Type.Enum(['person', 'group']),
  target_id: Type.String(),
  message_chain: Type.Unknown(),
});
type SentByOther = Static<typeof sentByOther>;

const retriedByOther = Type.Object({ message: Type.String(), part: Type.Integer() });
type RetriedByOther = Static<typeof retriedByOther>;

const chatBroadcast = Type.Object({ pipeline: Type.String(), message: Type.Unknown() });
type ChatBroadcast = Static<typeof chatBroadcast>;

/** What programs and admins do with messages. */
function createSending(storage: Storage, parts: MessageParts, cancellations: Cancellations) {
  const { database, engine, replica } = storage;
  const { config, logger, files, botStore, bots, runtime, holds, ledger, messageEvents: events, messagesDue } = parts;
  const { holders, callHandlers, peerNotices } = parts;
  const messages = new MessageSender(ledger.deliveries, {
    events,
    bots,
    runtime,
    holds,
    holders,
    logger,
    assertOwned: () => replica.assertMayWork(),
    storeMedia: (name, content) => files.storeMedia(name, content),
  });
  const deliveryRetry = new DeliveryRetry(ledger.deliveries, {
    events,
    bots: runtime,
    holders,
    sender: messages,
    expiryMs: deliveryExpiryMs(config),
    queued: (botUuid) => {
      messagesDue.emit();
      wakeHolder(storage, parts, botUuid);
    },
  });
  callHandlers.add<SentByOther>('send_message', sentByOther, (sent) =>
    messages.sendHere(sent.bot_uuid, sent.session_type, sent.target_id, sent.message_chain),
  );
  callHandlers.add<RetriedByOther>('retry_delivery', retriedByOther, ({ message, part }) =>
    deliveryRetry.retryHere(message, part),
  );
  const reader = new KyselyMessageReader(database);
  const webChat = new WebChat({
    bots: botStore,
    runtime,
    pipelines: parts.pipelines,
    ...ledger,
    chats: new KyselyChatConversationStore(database, engine),
    reader,
    cancellations,
    events,
    others: parts.otherReplicas,
    broadcastElsewhere: (pipeline, message) => peerNotices.tell('chat_broadcast', { pipeline, message }),
  });
  callHandlers.add('chat_connections', Type.Object({}), () => webChat.connectionsHere());
  peerNotices.on<ChatBroadcast>('chat_broadcast', chatBroadcast, ({ pipeline, message }) => {
    webChat
      .broadcastHere(pipeline, message)
      .catch((error: unknown) => logger.warn({ error }, 'a notice could not be shown to web chats'));
  });
  return { messages, deliveryRetry, webChat };
}

/** What shows stored messages. */
export function createMessageViews(
  { database }: Storage,
  {
    config,
    runtime,
    media,
    pipelines,
    citationLinks,
    passageContexts,
    recordCache,
  }: Pick<SharedParts, 'config' | 'recordCache'> &
    Created<typeof createBots> &
    Created<typeof createPipelines> & {
      media: MediaReader;
      citationLinks: CitationLinks;
      passageContexts: PassageContexts;
    },
) {
  const messageReader = new KyselyMessageReader(database);
  const readVersions = storedVersions(database);
  const imageCache = new DiskImageCache(join(config.dataDir, 'cache', 'images'));
  return {
    messageReader,
    imageCache,
    messageImages: new MessageImages({ messages: messageReader, media, cache: imageCache }),
    citedPassages: new CitedPassages({
      links: citationLinks,
      messages: messageReader,
      pipelines: {
        configForRun: async (uuid) => {
          recordCache.see((await readVersions()).records);
          return pipelines.configForRun(uuid);
        },
      },
      contexts: passageContexts,
    }),
    messageExplainer: new MessageExplainer(messageReader, runtime),
  };
}

function deliveryExpiryMs({ deliveryExpiryHours }: SharedParts['config']): number {
  return deliveryExpiryHours * 60 * 60 * 1000;
}
