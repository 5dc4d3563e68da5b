import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Figures } from '../lib/benchmark.ts';
import { type LoadResult, runLoad } from '../lib/conversation-load.ts';
import { withInstallation, withRunning } from '../lib/installation.ts';
import { median, percentile, round } from '../lib/statistics.ts';
import { callsOf, enablePlugins, installPlugins, pluginIds } from './install-plugins.ts';

export interface MessageLoad {
  /** Messages a second. */
  rate: number;
  /** Of a turn. */
  seconds: number;
  /** Before each turn, not counted. */
  warmup: number;
  rounds: number;
  /** Folder for a profile of the service. */
  profileFolder?: string;
}

interface Round {
  without: LoadResult;
  with: LoadResult;
}

const listeners = 5;
const conversations = 100;

/** What passing listeners add to a message: the same service with and without them, in turns. */
export async function messageFigures({ profileFolder, ...load }: MessageLoad): Promise<Figures> {
  const messenger = await startLineMessenger({ honoursTokens: true });
  const ids = pluginIds(listeners);
  const rounds: Round[] = [];
  const options = { engine: 'sqlite', messengers: [messenger], ...(profileFolder && { profileFolder }) } as const;
  try {
    await withInstallation(options, (installation) =>
      withRunning(installation, async (service) => {
        const { key, model } = installation;
        await installPlugins(service.address, key, ids);
        const turn = async (name: string, enabled: boolean) => {
          await enablePlugins(service.address, key, { ids, enabled });
          const common = { rate: load.rate, conversations, patience: 120 };
          // Starts the processes.
          await runLoad(service, messenger, model, { ...common, name: `warmup-${name}`, seconds: load.warmup });
          const before = enabled ? await callsOf(service.address, key, ids) : 0;
          const result = await runLoad(service, messenger, model, { ...common, name, seconds: load.seconds });
          const calls = enabled ? (await callsOf(service.address, key, ids)) - before : 0;
          console.log(`${name}: ${result.answered} of ${result.asked} answered, ${calls} calls of listeners`);
          if (enabled && calls < result.asked * listeners) throw new Error('Not every listener was called');
          return result;
        };
        for (let index = 1; index <= load.rounds; index += 1) {
          // Whichever comes first may have it easier.
          const begun = index % 2 === 0 ? await turn(`with-${index}`, true) : null;
          const without = await turn(`without-${index}`, false);
          rounds.push({ without, with: begun ?? (await turn(`with-${index}`, true)) });
        }
      }),
    );
  } finally {
    await messenger.close();
  }
  return figuresOf(rounds);
}

function figuresOf(rounds: readonly Round[]): Figures {
  const added = (measure: (result: LoadResult) => number) =>
    median(rounds.map((round) => measure(round.with) - measure(round.without)));
  const each = (side: keyof Round, measure: (result: LoadResult) => number) =>
    round(median(rounds.map((one) => measure(one[side]))), 2);
  const p50 = ({ answer }: LoadResult) => percentile(answer, 0.5);
  const p99 = ({ answer }: LoadResult) => percentile(answer, 0.99);
  const processor = ({ processorMicroseconds }: LoadResult) => (processorMicroseconds ?? Number.NaN) / 1000;
  return {
    added_p50_ms: round(added(p50), 2),
    added_p99_ms: round(added(p99), 2),
    added_processor_ms: round(added(processor), 3),
    without_plugins: {
      answer_p50_ms: each('without', p50),
      answer_p99_ms: each('without', p99),
      processor_ms: each('without', processor),
    },
    with_plugins: {
      answer_p50_ms: each('with', p50),
      answer_p99_ms: each('with', p99),
      processor_ms: each('with', processor),
    },
  };
}
