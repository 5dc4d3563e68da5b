import { resolve } from 'node:path';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { type LoadResult, runLoad } from '../lib/conversation-load.ts';
import { type Engine, engines, withInstallation, withRunning } from '../lib/installation.ts';
import type { ServerProcess } from '../lib/server-process.ts';
import { median, percentile, round } from '../lib/statistics.ts';

type Argument = 'rate' | 'seconds' | 'conversations' | 'warmup' | 'rounds';

/** A service under load. */
interface Side {
  load(name: string, seconds: number): Promise<LoadResult>;
}

/** What is compared, milliseconds or microseconds; less is better. */
const measures: Record<string, (result: LoadResult) => number> = {
  ingest_p50: ({ ingest }) => percentile(ingest, 0.5),
  ingest_p99: ({ ingest }) => percentile(ingest, 0.99),
  added_latency_p50: ({ untilModel }) => percentile(untilModel, 0.5),
  added_latency_p99: ({ untilModel }) => percentile(untilModel, 0.99),
  after_model_p50: ({ afterModel }) => percentile(afterModel, 0.5),
  after_model_p99: ({ afterModel }) => percentile(afterModel, 0.99),
  processor_us: ({ processorMicroseconds }) => processorMicroseconds ?? Number.NaN,
};

export const messagesBeside: Benchmark<Argument, 'engine'> = {
  summary: 'The services of this tree and of another one under the same load at the same time, as ratios.',
  place: 'tree',
  defaults: { rate: 25, seconds: 40, conversations: 100, warmup: 10, rounds: 5 },
  choices: { engine: engines },
  run: async ({ rate, seconds, conversations, warmup, rounds }, { engine }, place) => {
    const trees = [undefined, resolve(place)];
    const results: LoadResult[][] = [];
    await withSides(trees, { engine: engine as Engine, rate, conversations }, async (sides) => {
      const both = (name: string, duration: number) => Promise.all(sides.map((side) => side.load(name, duration)));
      await both('warmup', warmup);
      for (let index = 1; index <= rounds; index += 1) {
        const pair = await both(`round${index}`, seconds);
        results.push(pair);
        console.log(
          `round ${index}: ${pair.map(({ answered, asked }) => `${answered} of ${asked}`).join(', ')} answered`,
        );
      }
    });
    const figures = Object.entries(measures).map(([name, measure]) => [name, compared(results, measure)]);
    return { ...(Object.fromEntries(figures) as Figures), rate, seconds, conversations, rounds };
  },
};

/** Medians over the rounds. A ratio above 1: this tree takes longer. */
function compared(results: readonly LoadResult[][], measure: (result: LoadResult) => number): Figures {
  const pairs = results.map((pair) => pair.map(measure) as [this_tree: number, other_tree: number]);
  const ratios = pairs.map(([here, there]) => here / there);
  return {
    this_tree: round(median(pairs.map(([here]) => here)), 1),
    other_tree: round(median(pairs.map(([, there]) => there)), 1),
    ratio: round(median(ratios), 3),
    ratios: ratios.map((ratio) => round(ratio, 2)),
  };
}

/** Starts a service of each tree, and lets them be used together. */
async function withSides(
  [directory, ...others]: readonly (string | undefined)[],
  options: { engine: Engine; rate: number; conversations: number },
  use: (sides: Side[]) => Promise<void>,
  sides: Side[] = [],
): Promise<void> {
  const { engine, rate, conversations } = options;
  const messenger = await startLineMessenger({ honoursTokens: true });
  try {
    const tree = directory === undefined ? {} : { directory };
    await withInstallation({ engine, messengers: [messenger], ...tree }, (installation) =>
      withRunning(installation, (service: ServerProcess) => {
        const load: Side['load'] = (name, seconds) =>
          runLoad(service, messenger, installation.model, { name, rate, seconds, conversations, patience: 120 });
        const started = [...sides, { load }];
        return others.length === 0 ? use(started) : withSides(others, options, use, started);
      }),
    );
  } finally {
    await messenger.close();
  }
}
