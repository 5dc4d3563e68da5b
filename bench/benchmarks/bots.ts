import { fakedPlatforms } from '../../server/test/factories/faked-platforms.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { allRunning, apiOf, closeFakes, createBot, type FakedBot, patience } from '../lib/faked-bots.ts';
import { settledMegabytes } from '../lib/process-usage.ts';
import { createAccount } from '../lib/program.ts';
import { startService, withFolder, withService } from '../lib/service-process.ts';
import { median, percentile, round } from '../lib/statistics.ts';

type Argument = 'bots' | 'rounds' | 'messages';

export const bots: Benchmark<Argument> = {
  summary:
    'Many bots over all platforms with a fake: how long they take to start and stop, their memory, and one that fails.',
  defaults: { bots: 50, rounds: 3, messages: 100 },
  run: (numbers) => withFolder((folder) => measure(folder, numbers)),
};

async function measure(folder: string, numbers: Record<Argument, number>): Promise<Figures> {
  await withService(folder, ({ address }) => createAccount(address));
  const without = await lives(folder, numbers, []);
  const made = await makeBots(folder, numbers.bots);
  try {
    const withBots = await lives(folder, numbers, made);
    const answers = await answersAround(folder, made, numbers.messages);
    const memory = median(withBots.memory) - median(without.memory);
    return {
      started_ms: round(median(withBots.started)),
      started_most_ms: round(Math.max(...withBots.started)),
      stopped_ms: round(median(withBots.stopped)),
      stopped_most_ms: round(Math.max(...withBots.stopped)),
      memory_without_bots_mb: round(median(without.memory), 1),
      memory_of_a_bot_mb: round(memory / made.length, 2),
      ...answers,
      ...numbers,
    };
  } finally {
    await closeFakes(made);
  }
}

/** Starts and stops the service a few times. */
async function lives(folder: string, { rounds }: Record<Argument, number>, made: readonly FakedBot[]) {
  const [started, stopped, memory]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < rounds; index += 1) {
    const service = await startService(folder);
    const ready = performance.now();
    await allRunning(await apiOf(service), made);
    started.push(performance.now() - ready);
    memory.push(await settledMegabytes(service.pid));
    const stopping = performance.now();
    await service.stop();
    stopped.push(performance.now() - stopping);
  }
  return { started, stopped, memory };
}

/** Each bot has a fake of its own; the platforms take turns. */
async function makeBots(folder: string, count: number): Promise<FakedBot[]> {
  const service = await startService(folder);
  const api = await apiOf(service);
  const platforms = Object.entries(fakedPlatforms);
  const made: FakedBot[] = [];
  for (let index = 0; index < count; index += 1) {
    const [adapter, { start }] = platforms[index % platforms.length] as (typeof platforms)[number];
    const fake = await start(index);
    made.push(await createBot(api, { name: `${adapter} ${index}`, adapter, fake, address: service.address }));
  }
  await allRunning(api, made);
  await service.stop();
  return made;
}

/** How long answers take, before and while the platform of the first bot is gone. */
async function answersAround(folder: string, made: readonly FakedBot[], messages: number): Promise<Figures> {
  const service = await startService(folder);
  try {
    await allRunning(await apiOf(service), made);
    const [first, ...others] = made;
    await answers(others, Math.min(messages, 10));
    const before = await answers(others, messages);
    await first?.fake.goAway();
    const during = await answers(others, messages);
    await first?.fake.comeBack();
    return {
      answer_p95_ms: round(percentile(before, 0.95)),
      answer_p95_beside_failure_ms: round(percentile(during, 0.95)),
      failure_ratio: round(percentile(during, 0.95) / percentile(before, 0.95), 2),
    };
  } finally {
    await service.stop();
  }
}

/** Milliseconds until each of so many messages is answered, one after the other. */
async function answers(made: readonly FakedBot[], messages: number): Promise<number[]> {
  const waits: number[] = [];
  for (let index = 0; index < messages; index += 1) {
    const { fake } = made[index % made.length] as FakedBot;
    const shown = fake.sent().length;
    const began = performance.now();
    await fake.deliver({ text: `Message ${index}` });
    for (const end = began + patience; fake.sent().length === shown; ) {
      if (performance.now() > end) throw new Error('An answer did not come in time');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    waits.push(performance.now() - began);
  }
  return waits;
}
