import { setTimeout as delay } from 'node:timers/promises';
import type { PluginPoint } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseFile } from '../../src/storage/storage.ts';
import { openBesideService } from '../factories/open-beside-service.ts';
import { packageOf } from '../factories/plugin-package.ts';
import { pluginProcessesOf } from '../factories/plugin-processes.ts';
import { type PolledServer, startPolledServer } from '../factories/polled-platform.ts';
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

/** `TEST_MESSAGES=10000` takes about ten minutes. */
const messages = Number(process.env.TEST_MESSAGES ?? 2000);
const loads: Load[] = [
  { drops_repeats: true, chats: 40, rounds: Math.ceil(messages / 40), pluginKills: 40, serviceKills: 10 },
  { drops_repeats: false, chats: 20, rounds: 10, pluginKills: 4, serviceKills: 4 },
];
const stallMs = 60_000;

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
  const send = async (path: string) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(content)]), 'plugin.zip');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/v1/plugins${path}`, { method: 'POST', headers, body });
    return ((await response.json()) as { data: never }).data;
  };
  const { digest } = (await send('/inspect'))['package'] as { digest: string };
  const { task_id } = (await send(`/install/local?digest=${digest}&consent=true`)) as { task_id: number };
  const runtime = async () => (await data('GET', `/system/tasks/${task_id}`)).runtime;
  await expect.poll(runtime, { timeout: 30_000 }).toMatchObject({ done: true, exception: null });
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

  const isAnswer = ({ text }: { text: string }) => !text.startsWith('reply to ');

  /** Writes all messages, and kills processes evenly spread over the answers. */
  async function killWhileAnswering(load: Load, platform: PolledServer, restart: () => Promise<void>): Promise<void> {
    for (let round = 1; round <= load.rounds; round += 1) {
      for (let chat = 1; chat <= load.chats; chat += 1) platform.write(`chat-${chat}`, `${chat}-${round}`);
    }
    const total = load.chats * load.rounds;
    const answers = () => platform.shown.filter(isAnswer).length;
    const kills = load.pluginKills + load.serviceKills;
    const targets = packages.length;
    let killed = 0;
    let killedPlugins = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await untilAtLeast(answers, Math.floor((total * kill) / (kills + 1)));
      // Spread evenly: this kill is one of the service when the share of those so far grows by one with it.
      const ofService = (count: number) => Math.floor((count * load.serviceKills) / kills);
      if (ofService(kill) > ofService(kill - 1)) {
        await service.kill('SIGKILL');
        killed += 1;
        await restart();
        continue;
      }
      const id = ['example/changer', 'example/replier', 'example/counter'][kill % targets];
      const found = await vi.waitUntil(() => pluginProcessesOf(place.dataDir).find(({ plugin }) => plugin === id), {
        timeout: stallMs,
        interval: 5,
      });
      process.kill(found.pid, 'SIGKILL');
      killedPlugins += 1;
    }
    expect([killed, killedPlugins]).toEqual([load.serviceKills, load.pluginKills]);
    await untilSilent(platform, total);
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

  /** Waits until every message has ended, as the service says. */
  async function untilSilent(_platform: PolledServer, total: number): Promise<void> {
    const database = await openBesideService(databaseFile(place));
    try {
      const ended = async () => {
        const rows = database.selectFrom('messages').select('uuid').where('direction', '=', 'inbound');
        return (await rows.where('finished_at', 'is not', null).execute()).length;
      };
      await expect.poll(ended, { timeout: 120_000, interval: 200 }).toBe(total);
    } finally {
      await database.destroy();
    }
  }

  async function judge(load: Load, platform: PolledServer, api: ApiClient): Promise<void> {
    const database = await openBesideService(databaseFile(place));
    const rows = await database
      .selectFrom('messages')
      .select(['uuid', 'text', 'state', 'reason', 'attempts'])
      .where('direction', '=', 'inbound')
      .execute();
    const deliveries = await database.selectFrom('deliveries').select(['state']).execute();
    await database.destroy();
    const faults: string[] = [];
    const seen = { replies: 0, skippedReplies: 0, skippedChanges: 0, failedTools: 0, unanswered: 0 };
    const uncertain = deliveries.filter(({ state }) => state === 'uncertain').length;
    const byChat = Map.groupBy(platform.shown, ({ chat }) => chat);
    const counts = new Set<string>();
    for (const row of rows) {
      const [chat] = row.text.split('-');
      const shown = (byChat.get(`chat-${chat}`) ?? []).map(({ text }) => text);
      const replies = shown.filter((text) => text === `reply to ${row.text}`);
      const answers = shown.filter((text) => text.startsWith(`answer to ${row.text} `));
      const skipped = async (plugin: string) => {
        const { steps } = await api.data('GET', `/messages/${row.uuid}/explain`);
        const step = steps.find(
          ({ name, details }: { name: string; details: { plugin?: string } }) =>
            name === 'plugin' && details.plugin === plugin,
        );
        if (step?.outcome !== 'failed' || !/^plugin_/.test(step.reason)) {
          faults.push(`${row.text}: ${plugin} was skipped without a reason: ${JSON.stringify(steps)}`);
        }
      };
      if (answers.length > 1) faults.push(`${row.text}: answered ${answers.length} times`);
      if (replies.length > 1) faults.push(`${row.text}: replied to ${replies.length} times`);
      if (answers.length === 0) {
        seen.unanswered += 1;
        if (load.drops_repeats) faults.push(`${row.text}: lost, ${row.state} ${row.reason}`);
      }
      if (answers.some((text) => !text.startsWith(`answer to ${row.text} changed | `))) {
        seen.skippedChanges += 1;
        await skipped('example/changer');
      }
      if (replies.length === 0) {
        seen.skippedReplies += 1;
        if (load.drops_repeats) await skipped('example/replier');
      } else seen.replies += 1;
      const counted = /\| (count \d+)$/.exec(answers[0] ?? '')?.[1];
      if (counted === undefined) seen.failedTools += 1;
      else if (counts.has(counted)) faults.push(`${row.text}: ${counted} was given twice`);
      else counts.add(counted);
    }
    for (const [chat, sends] of byChat) {
      const order = sends.map(({ text }) => {
        const [, kind, round] = /^(reply|answer) to \d+-(\d+)/.exec(text) ?? [];
        return Number(round) * 2 + (kind === 'answer' ? 1 : 0);
      });
      const sorted = order.toSorted((one, other) => one - other);
      if (JSON.stringify(order) !== JSON.stringify(sorted)) faults.push(`${chat}: out of order: ${order.join(' ')}`);
    }
    const attempts = rows.filter((row) => row.attempts > 1).length;
    console.log(JSON.stringify({ messages: rows.length, ...seen, uncertain, repeats: platform.repeats(), attempts }));
    expect(faults).toEqual([]);
    expect(rows).toHaveLength(load.chats * load.rounds);
    if (!load.drops_repeats) expect(seen.unanswered).toBeLessThanOrEqual(uncertain);
    // What was counted for messages whose tool call failed was counted once as well.
    expect(counts.size).toBeLessThanOrEqual(rows.length);
  }
});
