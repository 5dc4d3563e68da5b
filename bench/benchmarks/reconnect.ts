import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fakedPlatforms } from '../../server/test/factories/faked-platforms.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { allRunning, apiOf, closeFakes, createBot, type FakedBot, patience } from '../lib/faked-bots.ts';
import { settledMegabytes } from '../lib/process-usage.ts';
import { createAccount } from '../lib/program.ts';
import { launchServer } from '../lib/server-process.ts';
import { nodeOptions, serviceEnvironment, withFolder } from '../lib/service-process.ts';
import { median, round } from '../lib/statistics.ts';

type Argument = 'bots' | 'rounds';

/** How long a connection lasts until the pauses after its end begin anew, milliseconds, and some more. */
const stableMs = 31_000;

/** What a process holds. */
interface Held {
  sockets: number;
  /** What keeps its event loop alive, such as timers, by kind. */
  resources: Record<string, number>;
}

export const reconnect: Benchmark<Argument> = {
  summary: 'Connections of many bots that are cut at once, again and again: how long they are gone, and what is left.',
  defaults: { bots: 50, rounds: 10 },
  run: (numbers) =>
    withFolder(async (folder) => {
      const service = launchServer(
        [...nodeOptions, 'bench/service/start.ts'],
        { ...serviceEnvironment(folder), PARLEY_CONFIG_FILE: '/dev/null' },
        {
          channel: true,
        },
      );
      try {
        const address = await service.ready;
        await createAccount(address);
        const api = await apiOf({ address });
        const made = await makeBots(api, address, numbers.bots);
        const heldBy = async () => held(service.pid, (await service.ask('resources')) as string[]);
        try {
          // The first round opens what stays, such as connections that are used again.
          await cutAll(made);
          await allRunning(api, made);
          const memory = await settledMegabytes(service.pid);
          const before = await calm(heldBy);
          const gone: number[] = [];
          for (let index = 0; index < numbers.rounds; index += 1) {
            await delay(stableMs);
            gone.push(await cutAll(made));
            await allRunning(api, made);
          }
          const memoryAfter = await settledMegabytes(service.pid);
          const after = await calm(heldBy);
          return {
            back_ms: round(median(gone)),
            back_most_ms: round(Math.max(...gone)),
            cuts: numbers.rounds * made.length,
            sockets_before: before.sockets,
            sockets_after: after.sockets,
            resources_before: before.resources,
            resources_after: after.resources,
            memory_growth_mb: round(memoryAfter - memory, 1),
            ...numbers,
          };
        } finally {
          await closeFakes(made);
        }
      } finally {
        await service.kill();
      }
    }),
};

/** Bots of every platform to which the service connects, in turns; each has a fake of its own. */
async function makeBots(api: Awaited<ReturnType<typeof apiOf>>, address: string, count: number): Promise<FakedBot[]> {
  const deliveries = Object.entries(fakedPlatforms).flatMap(([adapter, { deliveries: known }]) =>
    Object.entries(known).flatMap(([mode, { fake }]) => (mode === 'webhook' ? [] : [{ adapter, fake }])),
  );
  const made: FakedBot[] = [];
  const candidates = new Set(deliveries);
  for (let index = 0; made.length < count; index += 1) {
    const candidate = [...candidates][index % candidates.size];
    if (candidate === undefined) throw new Error('No platform has connections');
    const { adapter } = candidate;
    const fake = await candidate.fake(index);
    const bot = await createBot(api, { name: `${adapter} ${index}`, adapter, fake, address });
    await allRunning(api, [bot]);
    if (fake.connections().open > 0) made.push(bot);
    else {
      // It has no connection, being a webhook.
      candidates.delete(candidate);
      await api.call('DELETE', `/api/v1/platform/bots/${bot.uuid}`);
      await fake.close();
    }
  }
  return made;
}

/** Cuts the connections of all at once. @returns after how many milliseconds all were back */
async function cutAll(made: readonly FakedBot[]): Promise<number> {
  await Promise.all(made.map(({ fake }) => fake.goAway()));
  const began = performance.now();
  await Promise.all(made.map(({ fake }) => fake.comeBack()));
  const isBack = () => made.every(({ fake }) => fake.connections().open > 0);
  while (!isBack()) {
    if (performance.now() - began > patience) throw new Error('Not all connections were back in time');
    await delay(10);
  }
  return performance.now() - began;
}

/** What is held once it stays the same, or the least of what was seen for twenty seconds. */
async function calm(look: () => Promise<Held>): Promise<Held> {
  let least = await look();
  for (let same = 0, looks = 0; same < 10 && looks < 80; looks += 1) {
    await delay(250);
    const next = await look();
    same = next.sockets === least.sockets ? same + 1 : 0;
    if (next.sockets <= least.sockets) least = next;
  }
  return least;
}

function held(pid: number, active: readonly string[]): Held {
  const resources: Record<string, number> = {};
  for (const name of active) resources[name] = (resources[name] ?? 0) + 1;
  const folder = `/proc/${pid}/fd`;
  const sockets = readdirSync(folder).filter((entry) => {
    try {
      return readlinkSync(`${folder}/${entry}`).startsWith('socket:');
    } catch {
      return false;
    }
  });
  return { sockets: sockets.length, resources };
}
