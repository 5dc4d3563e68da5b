import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { launchPlugin } from '../../server/src/plugin-host/supervision/launch-plugin.ts';
import { PluginLog } from '../../server/src/plugin-host/supervision/plugin-log.ts';
import { PluginProcessPool } from '../../server/src/plugin-host/supervision/plugin-process-pool.ts';
import { type PluginStarter, startProcess } from '../../server/src/plugin-host/supervision/running-plugin.ts';
import { callOfTool, type MadeProgram, makeProgram } from '../../server/src/plugin-host/testing/make-program.ts';
import type { Figures } from '../lib/benchmark.ts';
import { median, percentile, round } from '../lib/statistics.ts';
import { chainFigures } from './chain-figures.ts';

const main = `export default {
  tools: { act: ({ text }) => String(text).toUpperCase() },
  listeners: { received() {} },
};`;

/** Time for an idle process to give back what it needed to start, milliseconds. */
const settleMs = 3000;
const together = 10;

const starter: PluginStarter = {
  // Both walls, where the system has them.
  launch: (program) => launchPlugin(program, process.platform === 'linux' ? 'kernel' : 'best'),
  hostWhileStarting: () => ({ answer: async () => ({ result: {} }) }),
};

/** What the processes of plugins cost. */
export async function processFigures({ starts, calls }: { starts: number; calls: number }): Promise<Figures> {
  const programs = await Promise.all(
    Array.from({ length: together }, (_, index) => makeProgram(main, { id: `example/plugin-${index}` })),
  );
  try {
    const [program] = programs;
    if (program === undefined) throw new Error('no plugin was made');
    const ready: number[] = [];
    let privateMegabytes: number | null = null;
    for (let start = 0; start < starts; start += 1) {
      const isLast = start === starts - 1;
      const begun = performance.now();
      const running = await startOne(program);
      ready.push(performance.now() - begun);
      if (isLast) {
        await delay(settleMs);
        privateMegabytes = privateMemory(running.pid);
      }
      await running.stop();
    }
    return {
      ready_p50_ms: round(median(ready), 1),
      ready_ten_ms: round(await startTogether(programs), 1),
      ...(await callFigures(program, { starts, calls })),
      ...(await chainFigures({ starter, chains: 250 })),
      private_mb: privateMegabytes,
    };
  } finally {
    for (const program of programs) await program[Symbol.asyncDispose]();
  }
}

function startOne(program: MadeProgram) {
  return startProcess(program, { starter, log: new PluginLog(), signal: new AbortController().signal });
}

/** @returns time until the last of them is ready, milliseconds */
async function startTogether(programs: readonly MadeProgram[]): Promise<number> {
  const begun = performance.now();
  const running = await Promise.all(programs.map(startOne));
  const time = performance.now() - begun;
  await Promise.all(running.map((one) => one.stop()));
  return time;
}

async function callFigures(
  program: MadeProgram,
  { starts, calls }: { starts: number; calls: number },
): Promise<Figures> {
  const pool = new PluginProcessPool(starter);
  const timed = async () => {
    const begun = performance.now();
    await pool.call(callOfTool(program.id, { text: 'a value' }));
    return performance.now() - begun;
  };
  try {
    const first: number[] = [];
    for (let start = 0; start < starts; start += 1) {
      pool.set(program);
      first.push(await timed());
      await pool.remove(program.id);
    }
    pool.set(program);
    // The first ones are compiled.
    for (let call = 0; call < 1000; call += 1) await timed();
    const times: number[] = [];
    for (let call = 0; call < calls; call += 1) times.push(await timed());
    return { first_call_p95_ms: round(percentile(first, 0.95), 1), call_p50_ms: round(median(times), 3) };
  } finally {
    await pool.stop();
  }
}

/** Memory that a process shares with no other, MB of 1 000 000 bytes; null where the system does not tell. */
function privateMemory(pid: number | undefined): number | null {
  if (process.platform !== 'linux') return null;
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kibibytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].reduce(
    (sum, [, amount]) => sum + Number(amount),
    0,
  );
  return round((kibibytes * 1024) / 1_000_000, 1);
}
