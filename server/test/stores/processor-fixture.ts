import { ParleyError, type Runner, type RunnerDelta, type RunnerRequest, type Stage, textOfChain } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { AnswerRun } from '../../src/core/messages/answer-run.ts';
import type { CommandRun } from '../../src/core/messages/command-run.ts';
import { ConversationMemory } from '../../src/core/messages/conversation-memory.ts';
import type { ClaimedMessage } from '../../src/core/messages/message.ts';
import { MessagePlugins } from '../../src/core/messages/message-plugins.ts';
import { MessageProcessor } from '../../src/core/messages/message-processor.ts';
import { NameLookup } from '../../src/core/messages/name-lookup.ts';
import { ReplyDelivery } from '../../src/core/messages/reply-delivery.ts';
import { RunningAnswers } from '../../src/core/messages/running-answers.ts';
import type { WebhookOutcomes } from '../../src/core/messages/webhook-outcomes.ts';
import { coreHandlers } from '../../src/core/plugins/host/core-handlers.ts';
import { HostApi } from '../../src/core/plugins/host/host-api.ts';
import type { HostHandlers, HostServices } from '../../src/core/plugins/host/plugin-host-api.ts';
import { Registry } from '../../src/lib/registry.ts';
import { KyselyPluginValues } from '../../src/storage/plugins/kysely-plugin-values.ts';
import { type ScriptedPlugin, scriptedPlugins } from '../factories/scripted-plugins.ts';
import { openLedgerFixture, type RecordingPlatform, recordingPlatform } from './ledger-fixture.ts';
import { storePlugin } from './store-plugin.ts';

export interface ProcessorSetting {
  /** What the runner says; an error is thrown at that place. */
  says?: (RunnerDelta | Error)[];
  misc?: Record<string, unknown>;
  runner?: string;
  rounds?: number;
  platform?: RecordingPlatform;
  stages?: Stage[];
  /** Called before each thing that the runner says. */
  before?: () => Promise<void> | void;
  command?: string;
  /** How long an answer is tried to be delivered. Default: a minute. */
  expiryMs?: number;
  webhooks?: WebhookOutcomes;
  plugins?: readonly ScriptedPlugin[];
  /** What the message sender is asked to send for plugins. */
  sendForPlugin?: HostServices['send'];
  /** What plugins are answered that needs models or the network. */
  hostHandlers?: Partial<HostHandlers>;
  /** How long names are waited for, milliseconds. */
  nameTimeoutMs?: number;
}
/** A processor over its own ledger, with a scripted runner. */
export async function openProcessorFixture({
  says = [],
  misc = {},
  runner = 'local-agent',
  rounds = 10,
  platform,
  stages = [],
  ...rest
}: ProcessorSetting) {
  const used = platform ?? recordingPlatform();
  const config = { ai: { runner: { runner }, 'local-agent': { 'max-round': rounds } }, output: { misc } };
  const fixture = await openLedgerFixture(used, config);
  const requests: RunnerRequest[] = [];
  /** Names of the tools of each request. */
  const offered: string[][] = [];
  const script: Runner = {
    name: 'local-agent',
    label: { en_US: 'Script' },
    async *answer(request, context) {
      requests.push(request);
      offered.push((await context.tools.list()).map(({ name }) => name));
      for (const step of says) {
        await rest.before?.();
        request.signal.throwIfAborted();
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
  const openModel = () => Promise.reject(new ParleyError('model_not_configured', 'There is no model'));
  const memory = new ConversationMemory(fixture.ledger.history);
  const answers = new AnswerRun(memory, {
    toolAccess: async () => () => null,
    runners: new Registry([script]),
    openModel,
    retrieve: async () => ({ passages: [], failures: [] }),
    tools: {
      forMessage: () => ({
        list: async () => [{ name: 'convert' }, { name: 'erase' }],
        call: async (name: string) => ({ text: `${name} was called`, failed: false }),
      }),
    } as never,
    media: {} as never,
    attachmentTexts: { read: async () => null },
    conversations: {} as never,
    fetchFor: () => globalThis.fetch,
    adminAddresses: async () => [],
    costOf:
      async () =>
      ({ input_tokens }) =>
        input_tokens * 2,
    logger: silentLogger,
  });
  const commands = {
    parse: ({ message_chain }) =>
      textOfChain(message_chain) === rest.command ? { name: 'x', parameters: [], prefix: '!' } : null,
    run: async () => ({ text: 'Done', message_chain: [], reason: 'command' }),
  } as Pick<CommandRun, 'parse' | 'run'> as CommandRun;
  const running = new RunningAnswers();
  const counter = { countEvent: async () => 1 };
  const { webhooks } = rest;
  const delivery = {
    holds: fixture.holds,
    replyContexts: fixture.replyContexts,
    mediaFetch: fixture.mediaFetch,
    names: new NameLookup({
      names: fixture.ledger.nameStore,
      logger: silentLogger,
      timeoutMs: rest.nameTimeoutMs ?? 3000,
    }),
    maySend: () => true,
    uncertainSends: async () => (await fixture.bots.byUuid(fixture.botUuid))?.uncertain_sends ?? 'continue',
    expiryMs: rest.expiryMs ?? 60_000,
  };
  const { messages, deliveries, history, effects } = fixture.ledger;
  const { runtime: bots, pipelines } = fixture;
  const scripted = scriptedPlugins(rest.plugins ?? []);
  for (const { id } of scripted.plugins.list()) await storePlugin(fixture.storage, id);
  const replies = new ReplyDelivery({ ...delivery, effects, bots, logger: silentLogger });
  const services: HostServices = {
    settings: (id) => scripted.plugins.settings(id),
    effects,
    values: new KyselyPluginValues(fixture.storage.database, fixture.storage.engine),
    send: rest.sendForPlugin ?? (() => Promise.resolve()),
  };
  const plugins = new MessagePlugins({
    ...scripted,
    effects,
    replies,
    // Those that a test does not give are not asked for.
    host: new HostApi({ ...rest.hostHandlers, ...coreHandlers(services) } as HostHandlers),
    storeMedia: async () => ({ path: 'stored', size: 1, media_type: 'text/plain' }) as never,
    history,
    conversations: fixture.ledger.conversations,
    expiryMs: delivery.expiryMs,
    logger: silentLogger,
  });
  const ledger = { bots, pipelines, messages, deliveries, history, events: fixture.messageEvents };
  const options = {
    ...ledger,
    stages: new Registry(stages),
    answers,
    memory,
    commands,
    running,
    counter,
    webhooks,
    plugins,
    replies,
    ...delivery,
    logger: silentLogger,
  } as never;
  const processor = new MessageProcessor(options);
  return { ...fixture, processor, memory, running, requests, offered, platform: used, plugins: scripted };
}
export type ProcessorFixture = Awaited<ReturnType<typeof openProcessorFixture>>;

/** Processes a message, and returns its outcome. */
export async function processed(used: ProcessorFixture, message?: ClaimedMessage) {
  const taken = message ?? (await used.received('Hello'));
  await used.processor.process(taken, new AbortController().signal);
  const messages = await used.ledger.history.shown(taken.conversation_uuid, 100);
  const question = messages.find(({ uuid }) => uuid === taken.uuid);
  const answer = messages.find(({ reply_to }) => reply_to === taken.uuid);
  const deliveries = await used.storage.database.selectFrom('deliveries').selectAll().orderBy('piece').execute();
  const traces = await used.storage.database.selectFrom('message_traces').selectAll().execute();
  const trace = traces.find(({ message_uuid }) => message_uuid === taken.uuid);
  const gates: { name: string; outcome: string; reason: string | null }[] =
    trace === undefined ? [] : JSON.parse(trace.trace).gates;
  return { question, answer, delivery: deliveries[0], deliveries, gates, shown: used.platform.shown };
}
