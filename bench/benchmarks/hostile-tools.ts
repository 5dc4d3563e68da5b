import { setTimeout as delay } from 'node:timers/promises';
import { type FakeMcpServer, startFakeMcp } from '../../server/src/mcp/testing/fake-mcp-server.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../../server/test/fakes/openai-server.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { withInstallation, withRunning } from '../lib/installation.ts';
import { harmless, hostile, type MadeUpTool } from '../lib/made-up-tools.ts';
import { peakMegabytes } from '../lib/process-usage.ts';
import { type Caller, caller, signIn } from '../lib/program.ts';
import { type Random, seeded } from '../lib/seeded-random.ts';
import type { ServerProcess } from '../lib/server-process.ts';
import { round } from '../lib/statistics.ts';

/** Number of tools of the server at a time. */
const toolsAtOnce = 200;
/** Tool calls per round of the model. */
const callsAtOnce = 4;
/** Timeout for an updated list of tools, milliseconds. */
const listMs = 30_000;

interface Stage {
  service: ServerProcess;
  model: FakeOpenAi;
  mcp: FakeMcpServer;
  account: Caller;
}

export const hostileTools: Benchmark<'calls'> = {
  summary:
    'A model calls tools whose schemas and parameters are made to take time; the event loop must not stand still.',
  defaults: { calls: 10_000 },
  run: ({ calls }) =>
    withInstallation({ engine: 'sqlite', messengers: [] }, (installation) =>
      withRunning(installation, async (service) => {
        const model = await startFakeOpenAi();
        const mcp = await startFakeMcp(answeringEverything());
        try {
          const account = caller(service.address, { authorization: `Bearer ${await signIn(service.address)}` });
          const stage = { service, model, mcp, account };
          await connect(stage);
          await callTools(stage, 'warm', harmless, toolsAtOnce);
          const defaults = await callTools(stage, 'harmless', harmless, calls);
          const worst = await callTools(stage, 'hostile', hostile, calls);
          return {
            calls,
            harmless: defaults,
            hostile: worst,
            peak_mb: round(peakMegabytes(service.pid) ?? 0, 1),
            longest_block_is_bounded: worst.loop_delay_most_ms <= Math.max(100, defaults.loop_delay_most_ms),
          };
        } finally {
          await model.close();
          await mcp.close();
        }
      }),
    ),
};

/** Every tool answers. */
function answeringEverything() {
  return new Proxy({}, { get: () => () => ({ content: [{ type: 'text', text: 'done' }] }) });
}

/** The default pipeline calls the model, which may call the tools of the server. */
async function connect({ model, mcp, account }: Stage): Promise<void> {
  const provider = await account.call('POST', '/api/v1/provider/providers', {
    name: 'Calling',
    requester: 'openai-chat-completions',
    base_url: model.base_url,
    api_keys: ['sk-0123456789abcdefghij'],
  });
  const made = { name: 'caller', provider_uuid: provider.uuid, abilities: ['func_call'] };
  const { uuid } = await account.call('POST', '/api/v1/provider/models/llm', made);
  const server = { name: 'tools', enable: true, mode: 'http', extra_args: { url: mcp.url } };
  await account.call('POST', '/api/v1/mcp/servers', server);
  const { servers } = await account.call('GET', '/api/v1/mcp/servers');
  const { pipelines } = await account.call('GET', '/api/v1/pipelines');
  const path = `/api/v1/pipelines/${pipelines[0].uuid}`;
  const { config } = (await account.call('GET', path)).pipeline;
  Object.assign(config.ai['local-agent'], { model: { primary: uuid, fallbacks: [] }, tools: ['*'] });
  await account.call('PUT', path, { config });
  const bound = {
    enable_all_mcp_servers: false,
    bound_mcp_servers: [servers[0].uuid],
    mcp_tool_users: { [servers[0].uuid]: { allow: 'everyone', users: [] } },
  };
  await account.call('PUT', `${path}/extensions`, bound);
}

/** Calls each of some tools once, and returns the longest block of the service. */
async function callTools(stage: Stage, name: string, make: (random: Random) => MadeUpTool, calls: number) {
  const { service } = stage;
  const random = seeded(4711);
  const outcomes = { made: 0, wrong_parameters: 0, too_slow: 0, unusable_schema: 0, left_out: 0, other: 0 };
  await service.ask('reset');
  const begun = performance.now();
  for (let first = 0; first < calls; first += toolsAtOnce) {
    const tools = Array.from({ length: Math.min(toolsAtOnce, calls - first) }, () => make(random));
    await offer(stage, `${name}_${first}`, tools);
    for (let from = 0; from < tools.length; from += callsAtOnce) {
      const wanted = tools.slice(from, from + callsAtOnce).map(({ parameters }, index) => ({
        name: `${name}_${first}_${from + index}`,
        arguments: parameters,
      }));
      for (const told of await answersTo(stage, wanted)) outcomes[outcomeOf(told)] += 1;
    }
  }
  const seconds = (performance.now() - begun) / 1000;
  const loop = (await service.ask('read')) as Record<string, number>;
  const figures = {
    loop_delay_most_ms: round(loop.event_loop_delay_most_ms ?? 0, 1),
    loop_delay_p99_ms: round(loop.event_loop_delay_p99_ms ?? 0, 1),
    calls_per_second: round(calls / seconds, 1),
    ...outcomes,
  };
  console.log(`${name}: ${JSON.stringify(figures)}`);
  return figures;
}

/** Replaces the tools of the server, and waits until the service knows them. A harmless marker tool shows this. */
async function offer({ mcp, account }: Stage, prefix: string, tools: readonly MadeUpTool[]): Promise<void> {
  const marker = `${prefix}_marker`;
  const listed = tools.map(({ schema }, index) => ({ name: `${prefix}_${index}`, inputSchema: schema }));
  mcp.setPages([[{ name: marker, inputSchema: {} }, ...listed]]);
  const end = performance.now() + listMs;
  while (performance.now() < end) {
    await mcp.announce();
    await delay(100);
    const { servers } = await account.call('GET', '/api/v1/mcp/servers');
    if (servers[0].runtime_info.tools[0]?.name === marker) return;
  }
  throw new Error('The service does not learn of new tools');
}

/**
 * Sends one message whose model calls tools and then answers. @returns the result of each call that the model received
 */
async function answersTo({ model, service, account }: Stage, calls: { name: string; arguments: unknown }[]) {
  model.requests.length = 0;
  model.behave((index) => (index === 0 ? { kind: 'tool_calls', calls } : { kind: 'answer', chunks: ['Done.'] }));
  const { pipelines } = await account.call('GET', '/api/v1/pipelines');
  await ask(service.address, account, pipelines[0].uuid);
  const messages = (model.requests.at(-1)?.body?.messages ?? []) as { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

async function ask(address: string, account: Caller, pipeline: string): Promise<void> {
  key ??= (await account.call('POST', '/api/v1/apikeys', { name: 'tools' })).key.key;
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: pipeline, messages: [{ role: 'user', content: 'Go' }] }),
  });
  if (!response.ok) throw new Error(`The question was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

let key: string | null = null;

function outcomeOf(told: string) {
  if (told === 'done') return 'made';
  if (told.includes('parameters are not right')) return 'wrong_parameters';
  if (told.includes('took longer than')) return 'too_slow';
  if (told.includes('schema cannot be used')) return 'unusable_schema';
  return told.includes('no tool named') ? 'left_out' : 'other';
}
