import { setTimeout as delay } from 'node:timers/promises';
import type { EchoModelPace } from '../fakes/echo-model-program.ts';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import { type Messenger, questionText } from '../fakes/messenger.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { type LoadResult, runLoad } from '../lib/conversation-load.ts';
import { type Engine, engines, type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { median, percentile, round } from '../lib/statistics.ts';

type Argument = 'rounds' | 'seconds' | 'rate' | 'conversations' | 'slow' | 'warmup';

export const slowConversation: Benchmark<Argument, 'engine'> = {
  summary: 'Latency of other users while a model takes half of the measured time for one answer.',
  defaults: { rounds: 3, seconds: 60, rate: 50, conversations: 200, slow: 1, warmup: 10 },
  choices: { engine: engines },
  run: async (numbers, { engine }) => {
    const messenger = await startLineMessenger({ honoursTokens: true });
    const modelMs = (numbers.seconds * 1000) / 2;
    const pace: EchoModelPace = { before: [modelMs, modelMs], between: [0, 0], idPrefix: 'slow-' };
    try {
      return await withInstallation({ engine: engine as Engine, messengers: [messenger], pace }, (installation) =>
        compare(installation, messenger, numbers),
      );
    } finally {
      await messenger.close();
    }
  },
};

function compare(installation: Installation, messenger: Messenger, numbers: Record<Argument, number>) {
  const { rounds, seconds, rate, conversations, slow, warmup } = numbers;
  return withRunning(installation, async (service) => {
    const load = (name: string, length: number): Promise<LoadResult> =>
      runLoad(service, messenger, installation.model, { name, rate, seconds: length, conversations, patience: 60 });
    await load('warmup', warmup);
    const alone: LoadResult[] = [];
    const beside: LoadResult[] = [];
    let slowAsked = 0;
    for (let round = 1; round <= rounds; round++) {
      alone.push(await load(`alone${round}`, seconds));
      // Each slow conversation has an answer in progress and a queued question.
      for (let index = 0; index < slow * 2; index++) {
        const id = `slow-${slowAsked++}`;
        const conversation = `slow-${index % slow}`;
        messenger.say({ id, conversation, text: questionText(id), due: performance.now() });
      }
      beside.push(await load(`beside${round}`, seconds));
      await answeredAll(messenger, seconds);
      console.log(`round ${round}: p99 ${p99(alone.at(-1))} ms alone, ${p99(beside.at(-1))} ms beside`);
    }
    const all = [...alone, ...beside];
    return {
      ratio: round(median(beside.map(p99)) / median(alone.map(p99)), 2),
      alone_p99_ms: median(alone.map(p99)),
      beside_p99_ms: median(beside.map(p99)),
      alone_p50_ms: round(median(alone.map(({ answer }) => percentile(answer, 0.5))), 1),
      beside_p50_ms: round(median(beside.map(({ answer }) => percentile(answer, 0.5))), 1),
      asked: all.reduce((sum, { asked }) => sum + asked, 0),
      answered: all.reduce((sum, { answered }) => sum + answered, 0),
      slow_asked: slowAsked,
      slow_answered: messenger.questions().filter(({ id, answers }) => id.startsWith('slow-') && answers.length > 0)
        .length,
      ...numbers,
    };
  });
}

function p99(result: LoadResult | undefined): number {
  return round(percentile(result?.answer ?? [], 0.99), 1);
}

/** @throws Error if the remaining questions are not answered in time */
async function answeredAll(messenger: Messenger, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 2000;
  while (messenger.answered() < messenger.asked()) {
    if (performance.now() > deadline) throw new Error('Not every question was answered');
    await delay(100);
  }
}
