import type { Figures } from '../lib/benchmark.ts';
import { settledMegabytes } from '../lib/process-usage.ts';
import { createProgram } from '../lib/program.ts';
import { startService, withFolder } from '../lib/service-process.ts';
import { median, round } from '../lib/statistics.ts';
import { installPlugins, pluginIds } from './install-plugins.ts';

/** A service without anything to do. */
interface Idle {
  /** From the start of the process to the first 200 of `/healthz`. */
  start: number;
  megabytes: number;
}

const installed = 10;

/**
 * What installed plugins cost a service that does nothing: starts with ten of them and with none, in turns.
 * @param beside a tree whose service, with no plugins, takes part; empty for none
 */
export async function idleFigures({ repetitions, beside }: { repetitions: number; beside: string }): Promise<Figures> {
  return withFolder((none) =>
    withFolder((ten) =>
      withFolder(async (other) => {
        await setUp(none, 0);
        await setUp(ten, installed);
        if (beside !== '') await setUp(other, 0, beside);
        const all: Record<'none' | 'ten' | 'other', Idle[]> = { none: [], ten: [], other: [] };
        for (let repetition = 1; repetition <= repetitions; repetition += 1) {
          all.none.push(await idle(none));
          all.ten.push(await idle(ten));
          if (beside !== '') all.other.push(await idle(other, beside));
          const shown = Object.entries(all).flatMap(([name, results]) =>
            results.slice(-1).map(({ start, megabytes }) => `${name} ${round(start)} ms, ${round(megabytes, 1)} MB`),
          );
          console.log(`start ${repetition}: ${shown.join('; ')}`);
        }
        const between = (one: readonly Idle[], than: readonly Idle[], measure: (result: Idle) => number) =>
          round(median(one.map((result, index) => measure(result) - measure(than[index] as Idle))), 1);
        const memory = ({ megabytes }: Idle) => megabytes;
        return {
          service_ten_mb: between(all.ten, all.none, memory),
          ...(beside !== '' && { service_none_mb: between(all.none, all.other, memory) }),
          start_ten_ms: between(all.ten, all.none, ({ start }) => start),
        };
      }),
    ),
  );
}

/** The next start has data, plugins and compiled modules. */
async function setUp(folder: string, plugins: number, directory?: string): Promise<void> {
  const service = await startService(folder, {}, directory);
  try {
    const { headers } = await createProgram(service.address);
    await installPlugins(service.address, headers['x-api-key'], pluginIds(plugins));
  } finally {
    await service.stop();
  }
}

async function idle(folder: string, directory?: string): Promise<Idle> {
  const service = await startService(folder, {}, directory);
  try {
    const { status } = await fetch(`${service.address}/healthz`);
    const start = performance.now() - service.startedAt;
    if (status !== 200) throw new Error(`/healthz was answered ${status}`);
    return { start, megabytes: await settledMegabytes(service.pid) };
  } finally {
    await service.stop();
  }
}
