import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeTelegram } from '../../server/src/platforms/telegram/testing/fake-telegram.ts';
import { type HeldOpen, prepareHalfSentBodies } from '../fakes/half-sent-bodies.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { openLoop } from '../lib/open-loop.ts';
import { residentMegabytes, settledMegabytes } from '../lib/process-usage.ts';
import { caller, createProgram, type Program } from '../lib/program.ts';
import { type ServerProcess, startServer } from '../lib/server-process.ts';
import { withFolder, withService } from '../lib/service-process.ts';
import { percentile, round } from '../lib/statistics.ts';

type Argument = 'bodies' | 'connections' | 'kilobytes' | 'ramp' | 'rate' | 'seconds';

export const openRoutes: Benchmark<Argument, 'path'> = {
  summary: 'Half-sent bodies on routes without authentication, and silent connections: memory, and latency of others.',
  defaults: { bodies: 800, connections: 2000, kilobytes: 1000, ramp: 5, rate: 100, seconds: 20 },
  choices: { path: ['all', 'bot', 'unknown-bot', 'account', 'nothing'] },
  run: (numbers, { path }) =>
    withFolder(async (folder) => {
      const telegram = await startFakeTelegram();
      try {
        const [program, bot] = await withService(folder, async ({ address }) => {
          const made = await createProgram(address);
          return [made, await createBot(address, made, telegram)] as const;
        });
        const paths = {
          bot: [`/bots/${bot}`],
          'unknown-bot': ['/bots/00000000-0000-4000-8000-000000000000'],
          account: ['/api/v1/user/auth', '/api/v1/user/init', '/api/v1/user/reset-password'],
          nothing: ['/nothing', '/healthz'],
        };
        const chosen = path === 'all' ? Object.values(paths).flat() : paths[path as keyof typeof paths];
        const serve = (service: ServerProcess) => measure(service, program, chosen, numbers);
        const service = await withService(
          folder,
          async (started) => {
            await listening(`${started.address}/bots/${bot}`);
            return await serve(started);
          },
          await publicAddress(),
        );
        const answer = { headers: { 'content-type': 'application/json' }, body: '{"code":0}' };
        const bare = await startServer(['bench/lib/bare-server.ts'], { BARE_ANSWERS: JSON.stringify({ '*': answer }) });
        const bareFigures = await serve(bare).finally(() => bare.stop());
        return { service, bare: bareFigures, ...numbers };
      } finally {
        await telegram.close();
      }
    }),
};

/** Settings with a public URL, which webhooks require. */
async function publicAddress(): Promise<Record<string, string>> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { PARLEY_PORT: `${port}`, PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}` };
}

async function createBot(
  address: string,
  { headers, pipelinePath }: Program,
  telegram: { token: string; apiBaseUrl: string },
): Promise<string> {
  const { uuid } = await caller(address, { ...headers }).call('POST', '/api/v1/platform/bots', {
    name: 'Benchmark',
    description: '',
    adapter: 'telegram',
    enable: true,
    adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl, 'enable-webhook': true },
    use_pipeline_uuid: pipelinePath.split('/').at(-1),
  });
  return uuid;
}

/** Waits until a bot accepts webhooks: until then they are 503. */
async function listening(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { status, body } = await fetch(url, { method: 'POST', body: '{}' });
    await body?.cancel();
    if (status === 401) return;
    await delay(100);
  }
  throw new Error('The bot does not listen');
}

/** Sends requests at a steady rate, without and with the attack, and measures the memory of the server. */
async function measure(
  server: ServerProcess,
  { pipelinePath, headers }: Program,
  paths: HeldOpen['paths'],
  { bodies, connections, kilobytes, ramp, rate, seconds }: Record<Argument, number>,
): Promise<Figures> {
  const url = `${server.address}${pipelinePath}`;
  const held = await prepareHalfSentBodies({
    address: server.address,
    paths,
    bodies,
    bodyBytes: kilobytes * 1000,
    connections,
    ramp,
  });
  // Warm-up.
  await askSteadily(url, headers, { rate, seconds: 3 });
  const before = await askSteadily(url, headers, { rate, seconds });
  const memoryBefore = await settledMegabytes(server.pid);
  let most = memoryBefore;
  const sampler = setInterval(() => {
    most = Math.max(most, residentMegabytes(server.pid));
  }, 50);
  try {
    const opened = held.open();
    const during = await askSteadily(url, headers, { rate, seconds });
    await opened;
    const { answered, closed } = await held.state();
    return {
      memory_before_mb: round(memoryBefore, 1),
      memory_growth_mb: round(most - memoryBefore, 1),
      p50_before_ms: round(percentile(before, 0.5), 1),
      p50_during_ms: round(percentile(during, 0.5), 1),
      p99_before_ms: round(percentile(before, 0.99), 1),
      p99_during_ms: round(percentile(during, 0.99), 1),
      p99_ratio: round(percentile(during, 0.99) / percentile(before, 0.99), 2),
      answered,
      closed,
    };
  } finally {
    clearInterval(sampler);
    await held.close();
  }
}

/** @returns the latency of each request from its due time, milliseconds */
async function askSteadily(
  url: string,
  headers: Record<string, string>,
  load: { rate: number; seconds: number },
): Promise<number[]> {
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  await openLoop(load, (_index, due) => {
    const ask = async () => {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A request of others was answered ${response.status}`);
      times.push(performance.now() - due);
    };
    asked.push(ask());
  });
  await Promise.all(asked);
  return times;
}
