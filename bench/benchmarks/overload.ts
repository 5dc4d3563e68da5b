import { setTimeout as delay } from 'node:timers/promises';
import { readLedger } from '../../server/test/long/ledger.ts';
import { type LineMessenger, startLineMessenger } from '../fakes/line-messenger.ts';
import type { OperatorFunctions } from '../fakes/operator-program.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { type ChildProgram, startChildProgram } from '../lib/child-program.ts';
import { effortFigures, runLoad, waitFigures } from '../lib/conversation-load.ts';
import { type Engine, engines, type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { peakMegabytes, residentMegabytes, settledMegabytes } from '../lib/process-usage.ts';
import { signIn } from '../lib/program.ts';
import type { ServerProcess } from '../lib/server-process.ts';
import { round } from '../lib/statistics.ts';

type Argument = 'rate' | 'seconds' | 'conversations' | 'warmup' | 'warmup-rate' | 'cool-down';
type Numbers = Record<Argument, number>;

/** Memory is back when it is so many times what it was. */
const tolerated = 1.1;

export const overload: Benchmark<Argument, 'engine'> = {
  summary: 'Messages faster than they are answered, with an operator at the console, and the memory afterwards.',
  defaults: { rate: 1500, seconds: 30, conversations: 200, warmup: 10, 'warmup-rate': 200, 'cool-down': 120 },
  choices: { engine: engines },
  run: async (numbers, { engine }) => {
    const messenger = await startLineMessenger({ honoursTokens: true });
    const operator = await startChildProgram<OperatorFunctions>(
      new URL('../fakes/operator-program.ts', import.meta.url),
    );
    try {
      return await withInstallation({ engine: engine as Engine, messengers: [messenger] }, (installation) =>
        withRunning(installation, (service) => measure(service, { installation, messenger, operator, numbers })),
      );
    } finally {
      await operator.close();
      await messenger.close();
    }
  },
};

interface Setting {
  installation: Installation;
  messenger: LineMessenger;
  operator: ChildProgram<OperatorFunctions>;
  numbers: Numbers;
}

async function measure(service: ServerProcess, setting: Setting): Promise<Figures> {
  const { installation, messenger, numbers } = setting;
  const { rate, seconds, warmup, 'warmup-rate': warmupRate, 'cool-down': coolDown } = numbers;
  // Not counted.
  await loadBesideOperator(service, setting, { name: 'warmup', rate: warmupRate, seconds: warmup });
  const before = await settledMegabytes(service.pid);
  const repeatedBefore = messenger.deliveries - messenger.asked();
  const { result, visits, signInMs } = await loadBesideOperator(service, setting, { name: 'overload', rate, seconds });
  const { asked, answered } = result;
  console.log(`${answered} of ${asked} answered in ${result.seconds.toFixed(1)} s`);
  for (const failure of visits.failures.slice(0, 5)) console.log(`The console got no answer: ${failure}`);
  const peak = peakMegabytes(service.pid);
  const memory = await megabytesOfSeconds(service.pid, coolDown);
  const after = memory.at(-1) ?? before;
  const backAfter = memory.findIndex((megabytes) => megabytes <= before * tolerated);
  const stored = await storedOf(installation, 'overload');
  return {
    asked,
    stored,
    answered,
    unanswered: asked - answered,
    delivered_again: messenger.deliveries - messenger.asked() - repeatedBefore,
    drain_seconds: round(Math.max(0, result.seconds - seconds), 1),
    messages_per_second: round(answered / result.seconds, 1),
    ...waitFigures('ingest', result.ingest),
    ...waitFigures('answer', result.answer),
    ...pageFigures('dashboard', visits.dashboard),
    ...pageFigures('messages', visits.messages),
    console_slowest_request: { path: visits.slowest.path, ms: round(visits.slowest.milliseconds, 1) },
    console_failures: visits.failures.length,
    console_sign_in_ms: round(signInMs, 1),
    before_mb: round(before, 1),
    peak_mb: peak === null ? null : round(peak, 1),
    after_mb: round(after, 1),
    memory_ratio: round(after / before, 3),
    memory_back_seconds: backAfter < 0 ? null : backAfter,
    ...effortFigures(result),
    ...numbers,
  };
}

function pageFigures(page: string, milliseconds: readonly number[]): Figures {
  const inTime = milliseconds.filter((one) => one <= 200).length;
  return {
    ...waitFigures(`console_${page}`, milliseconds),
    [`console_${page}_in_200_ms`]: `${inTime} of ${milliseconds.length}`,
  };
}

/** Runs a load until all is answered, while an operator signs in and opens pages of the console. */
async function loadBesideOperator(
  service: ServerProcess,
  { installation, messenger, operator, numbers }: Setting,
  { name, rate, seconds }: { name: string; rate: number; seconds: number },
) {
  const { conversations } = numbers;
  const patience = 60 + seconds * 20;
  const { databasePid, model } = installation;
  const signInAndOpenPages = async () => {
    const begun = performance.now();
    const token = await signIn(service.address);
    const signInMs = performance.now() - begun;
    await operator.call.begin(service.address, token);
    return signInMs;
  };
  const [result, signInMs] = await Promise.all([
    runLoad(service, messenger, model, { name, rate, seconds, conversations, patience, databasePid }),
    signInAndOpenPages(),
  ]);
  return { result, signInMs, visits: await operator.call.end() };
}

/** Resident memory now and after each of so many seconds. */
async function megabytesOfSeconds(pid: number, seconds: number): Promise<number[]> {
  const begun = performance.now();
  const samples = [residentMegabytes(pid)];
  for (let second = 1; second <= seconds; second += 1) {
    await delay(Math.max(0, begun + second * 1000 - performance.now()));
    samples.push(residentMegabytes(pid));
  }
  return samples;
}

/** Questions of a load that the ledger has. */
async function storedOf({ place }: Installation, name: string): Promise<number> {
  const ids = (await readLedger(place)).map(({ platform_message_id }) => platform_message_id);
  return new Set(ids.filter((id) => id.startsWith(`${name}-`))).size;
}
