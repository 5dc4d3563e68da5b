import { runCrash } from '../crash/crash-run.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { type Engine, engines } from '../lib/installation.ts';
import { round } from '../lib/statistics.ts';

type Argument = 'kills' | 'conversations' | 'rate' | 'longest-life' | 'patience';

export const crash: Benchmark<Argument, 'engine'> = {
  summary: 'Kills the service at random times under load, and checks whether messages were lost or answered twice.',
  defaults: { kills: 100, conversations: 200, rate: 50, 'longest-life': 1500, patience: 120 },
  choices: { engine: engines },
  run: async ({ kills, conversations, rate, 'longest-life': longestLife, patience }, { engine }) => {
    const log = (line: string) => console.log(line);
    const begun = performance.now();
    const result = await runCrash({ engine: engine as Engine, kills, conversations, rate, longestLife, patience, log });
    return {
      kills: result.kills,
      kills_at_start: result.killsAtStart,
      with_tokens: { ...result.withTokens },
      without_tokens: { ...result.withoutTokens },
      model_requests: result.modelRequests,
      drain_seconds: round(result.drainSeconds, 1),
      seconds: round((performance.now() - begun) / 1000),
      conversations,
      rate,
    };
  },
};
