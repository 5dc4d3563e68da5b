import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { PluginProcessPool } from '../../server/src/plugin-host/supervision/plugin-process-pool.ts';
import type { PluginStarter } from '../../server/src/plugin-host/supervision/running-plugin.ts';
import { callOfListener, makeProgram } from '../../server/src/plugin-host/testing/make-program.ts';
import type { Figures } from '../lib/benchmark.ts';
import { median, round } from '../lib/statistics.ts';

/** As many listeners as the messages of this benchmark pass. */
const links = 5;
/** Between two chains: the processes sleep meanwhile, as with 50 messages a second. Milliseconds. */
const pauseMs = 20;
/** About the bytes of a call of a listener. */
const exchanged = Buffer.alloc(700, 'x');
const main = 'export default { listeners: { received() {} }, tools: { act: () => "" } };';

interface Chain {
  /** Milliseconds. */
  times: number[];
  /** Processor time of this process, milliseconds, the pauses included. */
  processor: number;
}

/**
 * Calls of five listeners one after the other, and the same number of bytes sent to five processes that return them: what
 * is between the two is ours, the rest is the system's.
 */
export async function chainFigures({ starter, chains }: { starter: PluginStarter; chains: number }): Promise<Figures> {
  const programs = await Promise.all(
    Array.from({ length: links }, (_, index) => makeProgram(main, { id: `example/link-${index}` })),
  );
  const pool = new PluginProcessPool(starter);
  const echoes = Array.from({ length: links }, () =>
    spawn(process.execPath, ['-e', 'process.stdin.on("data", (bytes) => process.stdout.write(bytes))']),
  );
  try {
    for (const program of programs) pool.set(program);
    const call = async () => {
      for (const { id } of programs) await pool.call(callOfListener(id));
    };
    const exchange = async () => {
      for (const echo of echoes) await exchangeWith(echo);
    };
    const nothing = async () => undefined;
    // Processes are started, and code is compiled.
    for (let warm = 0; warm < 200; warm += 1) {
      await call();
      await exchange();
    }
    const rounds = 3;
    const measured = { call: [] as Chain[], exchange: [] as Chain[], nothing: [] as Chain[] };
    for (let turn = 0; turn < rounds; turn += 1) {
      measured.call.push(await run(call, chains));
      measured.exchange.push(await run(exchange, chains));
      measured.nothing.push(await run(nothing, chains));
    }
    const p50 = (all: Chain[]) => round(median(all.map(({ times }) => median(times))), 2);
    const processor = (all: Chain[]) =>
      round(median(all.map((one, turn) => one.processor - (measured.nothing[turn]?.processor ?? 0))) / chains, 2);
    return {
      chain_p50_ms: p50(measured.call),
      chain_processor_ms: processor(measured.call),
      bytes_p50_ms: p50(measured.exchange),
      bytes_processor_ms: processor(measured.exchange),
    };
  } finally {
    await pool.stop();
    for (const echo of echoes) echo.kill();
    for (const program of programs) await program[Symbol.asyncDispose]();
  }
}

async function run(chain: () => Promise<void>, chains: number): Promise<Chain> {
  const before = process.cpuUsage();
  const times: number[] = [];
  for (let index = 0; index < chains; index += 1) {
    const begun = performance.now();
    await chain();
    times.push(performance.now() - begun);
    await delay(pauseMs);
  }
  const { user, system } = process.cpuUsage(before);
  return { times, processor: (user + system) / 1000 };
}

async function exchangeWith({ stdin, stdout }: ChildProcessWithoutNullStreams): Promise<void> {
  const answered = once(stdout, 'data');
  stdin.write(exchanged);
  await answered;
}
