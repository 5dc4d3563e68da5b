import { AdapterCatalog } from '../core/bots/adapter-catalog.ts';
import { AdapterLogins } from '../core/bots/adapter-logins.ts';
import { AdapterStates } from '../core/bots/adapter-states.ts';
import { BotEventLog } from '../core/bots/bot-event-log.ts';
import { BotRuntime } from '../core/bots/bot-runtime.ts';
import { BotService } from '../core/bots/bot-service.ts';
import { SocketCount } from '../core/bots/bot-sockets.ts';
import { BotWebhooks } from '../core/bots/bot-webhooks.ts';
import { ReplayGuard } from '../core/bots/replay-guard.ts';
import { SendHolds } from '../core/bots/send-holds.ts';
import { MediaFetch } from '../core/messages/media-fetch.ts';
import { ConnectionTasks } from '../core/tasks/connection-tasks.ts';
import { createPlatformNetwork } from '../kit/fetch-for-record.ts';
import { listenForSockets } from '../kit/sockets/socket-listener.ts';
import { Signal } from '../lib/signal.ts';
import { AdapterValues } from '../storage/bots/adapter-values.ts';
import { KyselyBotEventStore } from '../storage/bots/kysely-bot-event-store.ts';
import { UsedRequests } from '../storage/bots/used-requests.ts';
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
    /** Where the service is reached; null while it is not. */
    address: () => string | null;
  };

/** Bots: their records, their connections, and holds on sending. */
export function createBots({ database, engine }: Storage, { config, logger, botStore, ...parts }: BotParts) {
  const { secrets, files, stateEvents, addresses, fetchFor, messagesDue } = parts;
  const { platforms } = parts.extensions;
  const botEvents = new BotEventLog(new KyselyBotEventStore(database, engine), { logger });
  const reconnecting = new Signal<string>();
  const states = new AdapterStates(new AdapterValues(database), secrets);
  const mediaFetch = new MediaFetch({
    references: parts.ledger.mediaReferenceStore,
    secrets,
    storeMedia: (name, content) => files.storeMedia(name, content),
    logger,
  });
  const replayGuard = new ReplayGuard(new UsedRequests(database));
  const runtime = new BotRuntime(botStore, {
    platforms,
    secrets,
    logger,
    receiveFeedback: (botUuid, event) => parts.feedback.receive(botUuid, event),
    fetchFor,
    network: createPlatformNetwork(config.platformProxy),
    listen: (address, accept) =>
      listenForSockets(address, accept, { maximumConnections: 2 * config.maxSocketsPerCaller }),
    socketCount: new SocketCount({ perBot: config.maxSocketsPerCaller, inAll: config.maxSockets }),
    states,
    replayGuard,
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
  const logins = new AdapterLogins();
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
  stateEvents.watch(({ type, data }) => {
    if (type === 'bot') connectionTasks.observe(String(data.uuid), runtime.status(String(data.uuid)));
  });
  return {
    bots,
    logins,
    runtime,
    states,
    holds,
    mediaFetch,
    replayGuard,
    botEvents,
    adapters: new AdapterCatalog(platforms),
    botWebhooks: new BotWebhooks(botStore, runtime, logger),
  };
}
