import { ParleyError } from '@parley/sdk';
import { AdapterCatalog } from '../core/bots/adapter-catalog.ts';
import { AdapterLogins } from '../core/bots/adapter-logins.ts';
import { AdapterStates } from '../core/bots/adapter-states.ts';
import { BotEventLog } from '../core/bots/bot-event-log.ts';
import { BotReceivers } from '../core/bots/bot-receivers.ts';
import { BotRuntime } from '../core/bots/bot-runtime.ts';
import { BotService } from '../core/bots/bot-service.ts';
import { SocketCount } from '../core/bots/bot-sockets.ts';
import { BotWebhooks } from '../core/bots/bot-webhooks.ts';
import { PassedRequests } from '../core/bots/passed-requests.ts';
import { ReplayGuard } from '../core/bots/replay-guard.ts';
import { SendHolds } from '../core/bots/send-holds.ts';
import { SharedLogins } from '../core/bots/shared-logins.ts';
import { MediaFetch } from '../core/messages/media-fetch.ts';
import type { BotHolders } from '../core/replicas/bot-holders.ts';
import type { OtherReplicas } from '../core/replicas/other-replicas.ts';
import type { CallHandlers, PeerCalls } from '../core/replicas/peer-calls.ts';
import type { PeerNotices } from '../core/replicas/peer-notices.ts';
import { ConnectionTasks } from '../core/tasks/connection-tasks.ts';
import { ChatSharing } from '../core/web-chat/chat-sharing.ts';
import { fencedSocket } from '../kit/call-fence.ts';
import { createPlatformNetwork } from '../kit/fetch-for-record.ts';
import { listenForSockets } from '../kit/sockets/socket-listener.ts';
import { Signal } from '../lib/signal.ts';
import { AdapterValues } from '../storage/bots/adapter-values.ts';
import { BotStates } from '../storage/bots/bot-states.ts';
import { KyselyBotEventStore } from '../storage/bots/kysely-bot-event-store.ts';
import { UsedRequests } from '../storage/bots/used-requests.ts';
import { KyselyShownPartStore } from '../storage/conversations/kysely-shown-part-store.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import type { Storage } from '../storage/storage.ts';
import type { createMonitoring } from './monitoring.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPipelines } from './pipelines.ts';

type BotParts = SharedParts &
  Created<typeof createMonitoring> &
  Created<typeof createPipelines> & {
    ledger: Ledger;
    messagesDue: Signal;
    peerCalls: PeerCalls;
    callHandlers: CallHandlers;
    otherReplicas: OtherReplicas;
    peerNotices: PeerNotices;
    /** Where the service is reached; null while it is not. */
    address: () => string | null;
    holders: BotHolders;
    /** As {@link PlatformContext.webhook_secret}. */
    webhookSecret: (botUuid: string) => string;
  };

/** Bots: their records, their connections, and holds on sending. */
export function createBots({ database, engine, replica }: Storage, { config, logger, botStore, ...parts }: BotParts) {
  const { secrets, files, stateEvents, addresses, fetchFor, messagesDue } = parts;
  const { platforms } = parts.extensions;
  const botEvents = new BotEventLog(new KyselyBotEventStore(database, engine), { logger });
  const reconnecting = new Signal<string>();
  const states = new AdapterStates(new AdapterValues(database, replica), secrets);
  const mediaFetch = new MediaFetch({
    references: parts.ledger.mediaReferenceStore,
    secrets,
    storeMedia: (name, content) => files.storeMedia(name, content),
    logger,
  });
  const replayGuard = new ReplayGuard(new UsedRequests(database, replica));
  const chatSharing = new ChatSharing({
    notices: parts.peerNotices,
    parts: new KyselyShownPartStore(database),
    sockets: (uuid) => (runtime.isRunning(uuid) ? (runtime.running(uuid).adapter.sockets ?? null) : null),
    logger,
  });
  const runtime: BotRuntime = new BotRuntime(botStore, {
    platforms,
    secrets,
    logger,
    receiveFeedback: (botUuid, event) => parts.feedback.receive(botUuid, event),
    fetchFor,
    network: createPlatformNetwork(config.platformProxy, replica),
    fenced: (socket) => fencedSocket(socket, replica),
    listen: (address, accept) =>
      listenForSockets(address, accept, { maximumConnections: 2 * config.maxSocketsPerCaller }),
    socketCount: new SocketCount({ perBot: config.maxSocketsPerCaller, inAll: config.maxSockets }),
    states,
    replayGuard,
    webhookSecret: parts.webhookSecret,
    facilities: {
      storeMedia: (name, content) => files.storeMedia(name, content),
      readMedia: (path) => files.readMedia(path),
    },
    ...(replica.worksWithOthers && { elsewhere: (botUuid: string) => chatSharing.elsewhere(botUuid) }),
    publicUrl: config.publicUrl,
    events: botEvents,
    stateEvents,
    released: () => messagesDue.emit(),
    changed: (botUuid) => reconnecting.emit(botUuid),
    leases: replica.leases,
    botStates: replica.worksWithOthers ? new BotStates(database, engine, replica) : null,
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
  const failed = (error: unknown) => logger.error({ error }, 'bots could not be connected again');
  replica.onFenced(() => void runtime.suspend());
  replica.onFree(() => void runtime.resume().catch(failed));
  replica.onBeat(({ versions, botStateVersion, replicas }) => {
    const others = replicas.map(({ id }) => id);
    runtime.see({ recordVersion: versions.records, botStateVersion, others });
    chatSharing.see(others, config.replicaAddress !== null);
  });
  reconnecting.listen((botUuid) => holds.forget(botUuid));
  const logins = new SharedLogins(new AdapterLogins(), {
    replica: () => replica.id,
    others: parts.otherReplicas,
    calls: parts.peerCalls,
    secrets,
    platform: (name) => runtime.platform(name),
  });
  logins.answer(parts.callHandlers);
  const bots = new BotService(botStore, {
    runtime,
    addresses,
    secrets,
    events: botEvents,
    logins,
    defaultPipeline: () => parts.pipelineStore.default(),
    maximumBots: config.maxBots,
    address: parts.address,
  });
  const connectionTasks = new ConnectionTasks({ tasks: parts.tasks, bot: (uuid) => botStore.byUuid(uuid), logger });
  stateEvents.watchOwn(({ type, data }) => {
    if (type === 'bot') connectionTasks.observe(String(data.uuid), runtime.status(String(data.uuid)));
  });
  const passedRequests = new PassedRequests({
    holders: parts.holders,
    callHandlers: parts.callHandlers,
    handleHere: async (botUuid, request) => {
      const { adapter } = runtime.listening(botUuid);
      if (adapter.handleWebhook === undefined) throw new ParleyError('bot_not_running', 'The bot takes no requests');
      return adapter.handleWebhook(request);
    },
  });
  const receivers = new BotReceivers({
    bots: botStore,
    configs: runtime.configs,
    contexts: runtime.contexts,
    elsewhere: passedRequests,
    logger,
  });
  return {
    bots,
    receivers,
    logins,
    runtime,
    states,
    holds,
    mediaFetch,
    replayGuard,
    botEvents,
    adapters: new AdapterCatalog(platforms),
    botWebhooks: new BotWebhooks(botStore, { runtime, receivers, logger }),
  };
}
