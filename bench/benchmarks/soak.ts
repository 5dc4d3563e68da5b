import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Messenger } from '../fakes/messenger.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { effortFigures, runLoad, waitFigures } from '../lib/conversation-load.ts';
import { type Engine, engines, type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { peakMegabytes, residentMegabytes, settledMegabytes } from '../lib/process-usage.ts';
import { median, round, slope } from '../lib/statistics.ts';

/** Memory at a time after the start. */
interface Sample {
  minute: number;
  megabytes: number;
}

const sampleMs = 2000;

export const soak: Benchmark<'minutes' | 'rate' | 'conversations' | 'settled-minute', 'engine'> = {
  summary: 'Resident memory of the service under a steady load, after a minute and at the end.',
  defaults: { minutes: 20, rate: 100, conversations: 200, 'settled-minute': 5 },
  choices: { engine: engines },
  run: async (numbers, { engine }) => {
    if (numbers.minutes <= numbers['settled-minute']) throw new Error('--minutes must be more than --settled-minute');
    const messenger = await startLineMessenger({ honoursTokens: true });
    try {
      return await withInstallation({ engine: engine as Engine, messengers: [messenger] }, (installation) =>
        watch(installation, messenger, numbers),
      );
    } finally {
      await messenger.close();
    }
  },
};

function watch(
  installation: Installation,
  messenger: Messenger,
  numbers: Record<'minutes' | 'rate' | 'conversations' | 'settled-minute', number>,
) {
  const { minutes, rate, conversations, 'settled-minute': settledMinute } = numbers;
  return withRunning(installation, async (service) => {
    const idle = await settledMegabytes(service.pid);
    const samples: Sample[] = [];
    const begun = performance.now();
    const sampler = setInterval(() => {
      const minute = (performance.now() - begun) / 60_000;
      const megabytes = residentMegabytes(service.pid);
      if (Math.floor(minute) > Math.floor(samples.at(-1)?.minute ?? 0)) {
        console.log(`minute ${Math.floor(minute)}: ${megabytes.toFixed(1)} MB, ${messenger.answered()} answered`);
      }
      samples.push({ minute, megabytes });
    }, sampleMs);
    const load = { name: 'soak', rate, seconds: minutes * 60, conversations, patience: 60 };
    const result = await runLoad(service, messenger, installation.model, load).finally(() => clearInterval(sampler));
    const within = (from: number, to: number) => samples.filter(({ minute }) => minute >= from && minute < to);
    const level = (from: number) => median(within(from, from + 1).map(({ megabytes }) => megabytes));
    const settled = within(settledMinute, minutes);
    const [early, late] = [level(settledMinute), level(minutes - 1)];
    return {
      early_mb: round(early, 1),
      late_mb: round(late, 1),
      difference_mb: round(late - early, 1),
      growth_mb_per_minute: round(slope(settled.map(({ minute: x, megabytes: y }) => ({ x, y }))), 3),
      idle_mb: round(idle, 1),
      peak_mb: round(peakMegabytes(service.pid) ?? Math.max(...samples.map(({ megabytes }) => megabytes)), 1),
      afterwards_mb: round(await settledMegabytes(service.pid), 1),
      ...waitFigures('ingest', result.ingest),
      ...waitFigures('answer', result.answer),
      ...effortFigures(result),
      asked: result.asked,
      answered: result.answered,
      sent: result.sent,
      ...numbers,
    };
  });
}
