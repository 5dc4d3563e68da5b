import { setTimeout as delay } from 'node:timers/promises';
import type { PluginPoint } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseFile } from '../../src/storage/storage.ts';
import { openBesideService } from '../factories/open-beside-service.ts';
import { packageOf } from '../factories/plugin-package.ts';
import { pluginProcessesOf } from '../factories/plugin-processes.ts';
import { type PolledServer, type RecordedSend, startPolledServer } from '../factories/polled-platform.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { type ApiClient, apiClient, signedIn } from './api-client.ts';

interface Load {
  drops_repeats: boolean;
  chats: number;
  /** Messages of each chat. */
  rounds: number;
  pluginKills: number;
  serviceKills: number;
}

/** 2,000 take two to three minutes, of which the kills take most; 10,000 take about ten. */
const messages = Number(process.env.TEST_MESSAGES ?? 2000);
const loads: Load[] = [
  { drops_repeats: true, chats: 40, rounds: Math.ceil(messages / 40), pluginKills: 40, serviceKills: 10 },
  { drops_repeats: false, chats: 20, rounds: 10, pluginKills: 4, serviceKills: 4 },
];
/** How long nothing may happen, milliseconds. */
const stallMs = 60_000;
const ids = ['example/changer', 'example/replier', 'example/counter'];

const listensAt = (point: PluginPoint) => ({ listeners: [{ point }] });
const textOf = `const textOf = (chain) => chain.map(({ text = '' }) => text).join('');`;
const packages = [
  packageOf(
    `${textOf}
     export default { listeners: { received: ({ message_chain }) => (
       { action: 'change', message_chain: [{ type: 'Plain', text: textOf(message_chain) + ' changed' }] }
     ) } };`,
    { id: 'example/changer', contributes: listensAt('received') },
  ),
  packageOf(
    `${textOf}
     export default { listeners: { received: async ({ message_chain }, { host, message }) => {
       await host.reply('reply to ' + textOf(message.message_chain).split(' ')[0]);
     } } };`,
    { id: 'example/replier', contributes: listensAt('received'), permissions: { reply: true } },
  ),
  packageOf(
    `export default { tools: { count: async (_, { host }) => 'count ' + (await host.storage.add('count', 1)) } };`,
    {
      id: 'example/counter',
      contributes: {
        tools: [{ name: 'count', description: 'Counts.', parameters: { type: 'object' }, read_only: true }],
      },
      permissions: { storage: true },
    },
  ),
];

/** Has the tool called once for each question, and answers with the question and what the tool said. */
function answerWithTool(model: FakeOpenAi): void {
  model.behave((index) => {
    const shown = model.requests[index]?.body?.messages as { role: string; content: unknown }[];
    const last = shown.at(-1);
    if (last?.role !== 'tool') return { kind: 'tool_calls', calls: [{ name: 'count', arguments: {} }] };
    const question = shown.findLast(({ role }) => role === 'user')?.content;
    return { kind: 'answer', chunks: [`answer to ${String(question)} | ${String(last.content)}`] };
  });
}

async function setUp(api: ApiClient, model: FakeOpenAi): Promise<void> {
  const [{ uuid: pipeline }] = (await api.data('GET', '/pipelines')).pipelines;
  const { base_url } = model;
  const provider = { requester: 'openai-chat-completions', base_url, api_keys: ['sk-0123456789abcdef'] };
  const { uuid } = await api.data('POST', '/provider/models/llm', {
    name: 'Large',
    provider,
    abilities: ['func_call'],
  });
  const { config } = (await api.data('GET', `/pipelines/${pipeline}`)).pipeline;
  Object.assign(config.ai['local-agent'], { model: { primary: uuid, fallbacks: [] }, tools: ['count'] });
  config.safety['rate-limit'].limitation = 1_000_000;
  await api.data('PUT', `/pipelines/${pipeline}`, { config });
  for (const content of packages) await install(api, content);
  const bot = { name: 'Bot', adapter: 'polled', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
  await api.data('POST', '/platform/bots', bot);
}

async function install({ address, token, data }: ApiClient, content: Buffer): Promise<void> {
  const send = async <Data>(path: string): Promise<Data> => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(content)]), 'plugin.zip');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/v1/plugins${path}`, { method: 'POST', headers, body });
    return ((await response.json()) as { data: Data }).data;
  };
  const { digest } = (await send<{ package: { digest: string } }>('/inspect')).package;
  const { task_id } = await send<{ task_id: number }>(`/install/local?digest=${digest}&consent=true`);
  const runtime = async () => (await data('GET', `/system/tasks/${task_id}`)).runtime;
  await expect.poll(runtime, { timeout: 30_000 }).toMatchObject({ done: true, exception: null });
}

interface Explained {
  steps: { name: string; outcome: string; reason: string | null; details: { plugin?: string } }[];
}

/** Whether the trace has the reason why a listener was skipped. */
function isSkipped({ steps }: Explained, plugin: string): boolean {
  const step = steps.find(({ name, details }) => name === 'plugin' && details.plugin === plugin);
  return step?.outcome === 'failed' && step.reason?.startsWith('plugin_') === true;
}

/** What of a chat is no reply and no answer, or is not in order: each reply before its answer. */
function disorderOf(chat: string, sends: readonly RecordedSend[]): string[] {
  const order = sends.map(({ text }) => {
    const [, kind, round] = /^(reply|answer) to \d+-(\d+)/.exec(text) ?? [];
    return Number(round) * 2 + (kind === 'answer' ? 1 : 0);
  });
  const isOrdered = order.every((place, index) => index === 0 || place >= (order[index - 1] ?? 0));
  return isOrdered && !order.includes(Number.NaN) ? [] : [`${chat}: ${sends.map(({ text }) => text).join(', ')}`];
}

/** False when the process has just ended. */
function hasKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('messages while processes are killed', () => {
  let place: StoragePlace;
  let model: FakeOpenAi;
  let service: ServiceProcess;
  beforeEach(async () => {
    await sharedResource('commandLine');
    place = await makeMigratedPlace('sqlite');
    model = await startFakeOpenAi();
    answerWithTool(model);
  });
  afterEach(async () => {
    await service.kill('SIGKILL');
    await model.close();
    await place.remove();
  });

  it.each(loads)(
    'are answered once and in order (repeats are dropped: $drops_repeats)',
    { timeout: 900_000 },
    async (load) => {
      const platform = await startPolledServer(load);
      const start = async () => {
        service = await startServiceProcess({
          ...place,
          program: 'server/test/end-to-end/polled-service.ts',
          environment: { TEST_PLATFORM: platform.url, TEST_PLATFORM_DROPS_REPEATS: String(load.drops_repeats) },
        });
      };
      try {
        await start();
        const { token } = await signedIn(service.address).then(async (api) => {
          await setUp(api, model);
          return api;
        });
        await killWhileAnswering(load, platform, start);
        await judge(load, platform, apiClient(service.address, token));
      } finally {
        await platform.close();
      }
    },
  );

  /** Writes all messages, and kills processes evenly spread over the answers. */
  async function killWhileAnswering(load: Load, platform: PolledServer, restart: () => Promise<void>): Promise<void> {
    for (let round = 1; round <= load.rounds; round += 1) {
      for (let chat = 1; chat <= load.chats; chat += 1) platform.write(`chat-${chat}`, `${chat}-${round}`);
    }
    const total = load.chats * load.rounds;
    const answers = () => platform.shown.filter(({ text }) => text.startsWith('answer to ')).length;
    const kills = load.pluginKills + load.serviceKills;
    const killsOfService = (ofKills: number) => Math.floor((ofKills * load.serviceKills) / kills);
    for (let kill = 1; kill <= kills; kill += 1) {
      await untilAtLeast(answers, Math.floor((total * kill) / (kills + 1)));
      if (killsOfService(kill) > killsOfService(kill - 1)) {
        await service.kill('SIGKILL');
        await restart();
      } else {
        await killPlugin(ids[kill % ids.length] ?? '');
      }
    }
    await untilEnded(total);
  }

  /** Kills the process of a plugin, once it has one. */
  async function killPlugin(id: string): Promise<void> {
    const isKilled = () => {
      const found = pluginProcessesOf(place.dataDir).find(({ plugin }) => plugin === id);
      return found !== undefined && hasKilled(found.pid);
    };
    await vi.waitUntil(isKilled, { timeout: stallMs, interval: 5 });
  }

  /** @throws Error with the output of the service when there is nothing new for a minute */
  async function untilAtLeast(count: () => number, least: number): Promise<void> {
    let latest = count();
    let since = performance.now();
    while (count() < least) {
      if (count() !== latest) [latest, since] = [count(), performance.now()];
      if (performance.now() - since > stallMs)
        throw new Error(`${latest} of ${least}:\n${JSON.stringify(service.output())}`);
      await delay(5);
    }
  }

  /** Waits until the service has ended every message. */
  async function untilEnded(total: number): Promise<void> {
    await using database = await openStored();
    const open = database.selectFrom('messages').select('uuid').where('direction', '=', 'inbound');
    const ended = async () => (await open.where('finished_at', 'is not', null).execute()).length;
    await expect.poll(ended, { timeout: 120_000, interval: 200 }).toBe(total);
  }

  const openStored = async () => {
    const database = await openBesideService(databaseFile(place));
    return Object.assign(database, { [Symbol.asyncDispose]: () => database.destroy() });
  };

  /** Compares what users saw with what they wrote, and asks the service for the reason of each difference. */
  async function judge({ chats, rounds, drops_repeats }: Load, platform: PolledServer, api: ApiClient): Promise<void> {
    await using database = await openStored();
    const questions = await database
      .selectFrom('messages')
      .select(['uuid', 'text', 'state', 'reason', 'attempts'])
      .where('direction', '=', 'inbound')
      .execute();
    const uncertain = await database
      .selectFrom('deliveries')
      .innerJoin('messages', 'messages.uuid', 'deliveries.message_uuid')
      .select(['messages.reply_to', 'messages.text'])
      .where('deliveries.state', '=', 'uncertain')
      .execute();
    const isUncertain = (uuid: string, kind: 'answer' | 'reply') =>
      uncertain.some(({ reply_to, text }) => reply_to === uuid && text.startsWith(kind));
    const byChat = Map.groupBy(platform.shown, ({ chat }) => chat);
    const faults = [...byChat].flatMap(([chat, sends]) => disorderOf(chat, sends));
    const seen = { unanswered: 0, withoutReply: 0, withoutChange: 0, withoutTool: 0 };
    const counts = new Set<string>();
    for (const { uuid, text, state, reason } of questions) {
      const shown = (byChat.get(`chat-${text.split('-')[0]}`) ?? []).map((send) => send.text);
      const replies = shown.filter((sent) => sent === `reply to ${text}`);
      const [answer = null, ...more] = shown.filter((sent) => sent.startsWith(`answer to ${text} `));
      if (more.length > 0) faults.push(`${text}: answered ${more.length + 1} times`);
      if (replies.length > 1) faults.push(`${text}: replied to ${replies.length} times`);
      const explained = async () => api.data('GET', `/messages/${uuid}/explain`);
      if (replies.length === 0) {
        seen.withoutReply += 1;
        const isExplained = isSkipped(await explained(), 'example/replier') || isUncertain(uuid, 'reply');
        if (!isExplained) faults.push(`${text}: no reply, and no reason`);
      }
      if (answer === null) {
        seen.unanswered += 1;
        if (drops_repeats || !isUncertain(uuid, 'answer')) faults.push(`${text}: lost, ${state} ${reason}`);
        continue;
      }
      if (!answer.startsWith(`answer to ${text} changed | `)) {
        seen.withoutChange += 1;
        if (!isSkipped(await explained(), 'example/changer')) faults.push(`${text}: not changed, and no reason`);
      }
      const count = /\| (count \d+)$/.exec(answer)?.[1];
      if (count === undefined) {
        seen.withoutTool += 1;
        const { tool_calls } = await explained();
        const hasReason = tool_calls.some((call: { reason: string | null }) => call.reason?.startsWith('plugin_'));
        if (!hasReason) faults.push(`${text}: the tool failed without a reason: ${answer}`);
      } else if (counts.has(count)) faults.push(`${text}: ${count} was given twice`);
      else counts.add(count);
    }
    const repeated = questions.filter(({ attempts }) => attempts > 1).length;
    const figures = { messages: questions.length, ...seen, uncertain: uncertain.length, repeated };
    console.log(JSON.stringify({ ...figures, repeatsOnPlatform: platform.repeats() }));
    expect(faults, faults.join('\n')).toEqual([]);
    expect(questions).toHaveLength(chats * rounds);
    if (drops_repeats) expect(uncertain).toEqual([]);
    // Otherwise nothing was tried.
    expect(repeated).toBeGreaterThan(0);
    expect(counts.size).toBeGreaterThan(questions.length / 2);
  }
});
