import {
  type Logger,
  type MessageEvent,
  type MessageStream,
  type OutgoingMessage,
  type Platform,
  type PlatformCapabilities,
  type PlatformImplementation,
  type StreamCapability,
  textOfChain,
} from '@parley/sdk';
import { fakePlatformContext, silentLogger } from '@parley/sdk/testing';
import Type from 'typebox';
import { AdapterLogins } from '../../src/core/bots/adapter-logins.ts';
import { AdapterStates } from '../../src/core/bots/adapter-states.ts';
import type { BotEventEntry } from '../../src/core/bots/bot-event.ts';
import { BotRuntime } from '../../src/core/bots/bot-runtime.ts';
import { BotService } from '../../src/core/bots/bot-service.ts';
import { SocketCount } from '../../src/core/bots/bot-sockets.ts';
import { SendHolds } from '../../src/core/bots/send-holds.ts';
import { StateEvents } from '../../src/core/events/state-events.ts';
import { MediaFetch } from '../../src/core/messages/media-fetch.ts';
import { MessageEvents } from '../../src/core/messages/message-events.ts';
import { ReplyContexts } from '../../src/core/messages/reply-contexts.ts';
import { PipelineService } from '../../src/core/pipelines/pipeline-service.ts';
import { SoleLeases } from '../../src/core/replicas/leases.ts';
import { now } from '../../src/lib/clock.ts';
import { Registry } from '../../src/lib/registry.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { AdapterValues } from '../../src/storage/bots/adapter-values.ts';
import { KyselyBotStore } from '../../src/storage/bots/kysely-bot-store.ts';
import { type Ledger, openLedger } from '../../src/storage/messages/open-ledger.ts';
import { KyselyPipelineStore } from '../../src/storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { anyAddress } from '../factories/any-address.ts';
import { pipelineServiceOptions } from '../factories/pipeline-schema.ts';
import { claimOne } from './claim-one.ts';
import { conversationKey, messageEvent } from './ledger-records.ts';
import { openTestStorage } from './open-test-storage.ts';

/**
 * What a platform received for one message: `+` and the text while streaming, `=` and the finished text, `!` and the reason
 * where a stream was abandoned.
 */
export type Shown = string;

/** A platform that records its calls. Its methods may be replaced to fail. */
export interface RecordingPlatform extends Platform {
  implementation: PlatformImplementation;
  shown: Shown[];
  sent: OutgoingMessage[];
  /** Called before each send; its error becomes the response of the platform. */
  refuse: (kind: 'begin' | 'update' | 'finish' | 'send') => void;
}

/** Streams that replace their text at most once in so many milliseconds. */
export function streamsEvery(interval_ms: number): PlatformCapabilities['streams'] {
  return { person: { mode: 'replace', interval_ms }, group: { mode: 'replace', interval_ms } };
}

/** Streams of a mode, without a pause between updates. */
export function streamsOf(mode: StreamCapability['mode']): PlatformCapabilities['streams'] {
  return { person: { mode, interval_ms: 0 }, group: { mode, interval_ms: 0 } };
}

export function recordingPlatform(capabilities: Partial<PlatformCapabilities> = {}): RecordingPlatform {
  const stream = (): MessageStream => ({
    update: async (chain) => {
      platform.refuse('update');
      platform.shown.push(`+${textOfChain(chain)}`);
    },
    finish: async (chain) => {
      platform.refuse('finish');
      platform.shown.push(`=${textOfChain(chain)}`);
      return {};
    },
    abandon: async (reason) => {
      platform.shown.push(`!${reason}`);
    },
  });
  const platform: RecordingPlatform = {
    shown: [],
    sent: [],
    refuse: () => undefined,
    name: 'recording',
    label: { en_US: 'Recording' },
    description: { en_US: 'For tests' },
    categories: ['global'],
    capabilities: {
      proactive: 'any',
      streams: streamsEvery(0),
      text_limit: null,
      idempotent_sends: false,
      elements: ['Plain', 'At'],
      webhook: false,
      ...capabilities,
    },
    config: Type.Object({}),
    load: async () => platform.implementation,
    implementation: {
      create: () => ({
        start: async () => undefined,
        stop: async () => undefined,
        send: async (message) => {
          platform.refuse('send');
          platform.sent.push(message);
          platform.shown.push(`=${textOfChain(message.message_chain)}`);
          return {};
        },
        stream: async () => {
          platform.refuse('begin');
          return stream();
        },
      }),
    },
  };
  return platform;
}

/** The ledger with one running bot and one pipeline, on a new SQLite database. */
export interface LedgerFixture {
  storage: Storage;
  ledger: Ledger;
  messageEvents: MessageEvents;
  /** States of messages that were published: `<direction> <state> <reason>`. */
  published: string[];
  bots: KyselyBotStore;
  runtime: BotRuntime;
  /** Entries of the event logs of bots. */
  events: [string, BotEventEntry][];
  botService: BotService;
  holds: SendHolds;
  replyContexts: ReplyContexts;
  mediaFetch: MediaFetch;
  pipelines: PipelineService;
  botUuid: string;
  pipelineUuid: string;
  /** Stores a message for the bot and takes it from the queue. */
  received(
    text: string,
    over?: Partial<ReturnType<typeof conversationKey>>,
    event?: Partial<MessageEvent>,
  ): ReturnType<typeof claimed>;
  close(): Promise<void>;
}

async function claimed(ledger: Ledger) {
  const message = await claimOne(ledger.messages, []);
  if (message === null) throw new Error('nothing was waiting');
  return message;
}

export async function openLedgerFixture(
  platform: Platform,
  config: Record<string, unknown> = {},
  logger: Logger = silentLogger,
): Promise<LedgerFixture> {
  const storage = await openTestStorage('sqlite');
  const ledger = await openLedger(storage);
  const bots = new KyselyBotStore(storage.database, storage.engine);
  const secrets = new SecretBox(Buffer.alloc(32, 1));
  const pipelines = new PipelineService(
    new KyselyPipelineStore(storage.database, storage.engine),
    secrets,
    pipelineServiceOptions(),
  );
  const pipelineUuid = await pipelines.create({ name: 'Pipeline', config });
  const botUuid = newUuid();
  await bots.create({
    uuid: botUuid,
    name: 'Bot',
    description: '',
    adapter: platform.name,
    adapter_config: {},
    sealed_secrets: null,
    enable: true,
    use_pipeline_uuid: pipelineUuid,
    created_at: now(),
    updated_at: now(),
  });
  const published: string[] = [];
  const messageEvents = new MessageEvents({
    publish: ({ data }) => void published.push(`${data.direction} ${data.state} ${data.reason}`),
  });
  const events: LedgerFixture['events'] = [];
  const runtime = new BotRuntime(bots, {
    platforms: new Registry([platform]),
    secrets,
    logger,
    facilities: fakePlatformContext(),
    states: new AdapterStates(new AdapterValues(storage.database, storage.replica), secrets),
    replayGuard: { isFirstUse: async () => true, forgetUse: async () => undefined },
    webhookSecret: () => '',
    fetchFor: () => globalThis.fetch,
    listen: () => Promise.reject(new Error('The test does not expect this')),
    socketCount: new SocketCount({ perBot: 3, inAll: 4 }),
    network: () => fakePlatformContext(),
    publicUrl: null,
    events: { append: (bot, entry) => void events.push([bot, entry]) },
    stateEvents: new StateEvents(),
    leases: new SoleLeases({ id: storage.replica.id, mayWork: true }),
    botStates: null,
    released: () => undefined,
  });
  await runtime.start();
  const holds = new SendHolds({
    probe: async (uuid) => runtime.running(uuid).adapter.probe?.(),
    ended: (conversations) => void ledger.messages.expedite(conversations),
    logger,
    timing: { firstPause: 10, longestPause: 50 },
  });
  const botService = new BotService(bots, {
    runtime,
    addresses: anyAddress,
    secrets,
    events: { window: async () => ({ logs: [], total_count: 0 }) },
    logins: new AdapterLogins(),
    defaultPipeline: async () => null,
    maximumBots: -1,
    address: () => null,
  });
  const replyContexts = new ReplyContexts(ledger.replyContextStore, secrets, logger);
  const { storeMedia } = fakePlatformContext();
  const mediaFetch = new MediaFetch({ references: ledger.mediaReferenceStore, secrets, storeMedia, logger });
  return {
    storage,
    ledger,
    messageEvents,
    published,
    bots,
    runtime,
    events,
    botService,
    holds,
    replyContexts,
    mediaFetch,
    pipelines,
    botUuid,
    pipelineUuid,
    received: async (text, over = {}, event = {}) => {
      const key = conversationKey({ bot_uuid: botUuid, pipeline_uuid: pipelineUuid, ...over });
      const written = messageEvent(text, event);
      await ledger.messages.accept(key, written, {
        replyContext: replyContexts.sealed(botUuid, written),
        media: mediaFetch.sealed(botUuid, written),
      });
      return claimed(ledger);
    },
    close: async () => {
      holds.close();
      await runtime.stop();
      await storage.close();
    },
  };
}
