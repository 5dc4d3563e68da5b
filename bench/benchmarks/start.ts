import type { Benchmark } from '../lib/benchmark.ts';
import { startService, withFolder } from '../lib/service-process.ts';
import { median, round } from '../lib/statistics.ts';

export const start: Benchmark<'repetitions'> = {
  summary: 'Time from the start of the process to the first 200 of /healthz: first start, and second start.',
  defaults: { repetitions: 7 },
  async run({ repetitions }) {
    const first: number[] = [];
    const second: number[] = [];
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      await withFolder(async (folder) => {
        first.push(await millisecondsToHealthy(folder));
        second.push(await millisecondsToHealthy(folder));
      });
      console.log(`repetition ${repetition}: first ${first.at(-1)} ms, second ${second.at(-1)} ms`);
    }
    return {
      first_start_ms: median(first),
      second_start_ms: median(second),
      second_start_highest_ms: Math.max(...second),
      repetitions,
    };
  },
};

async function millisecondsToHealthy(folder: string): Promise<number> {
  const service = await startService(folder);
  try {
    const { status } = await fetch(`${service.address}/healthz`);
    const took = performance.now() - service.startedAt;
    if (status !== 200) throw new Error(`/healthz was answered ${status}`);
    return round(took);
  } finally {
    await service.stop();
  }
}
