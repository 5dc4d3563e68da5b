import { runCrash } from '../crash/crash-run.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { type Engine, engines } from '../lib/installation.ts';
import { percentile, round } from '../lib/statistics.ts';

type Argument = 'kills' | 'conversations' | 'rate' | 'longest-life' | 'patience';

export const crash: Benchmark<Argument, 'engine'> = {
  summary: 'Kills the service at random times under load, and checks whether messages were lost or answered twice.',
  defaults: { kills: 100, conversations: 200, rate: 500, 'longest-life': 1500, patience: 120 },
  choices: { engine: engines },
  run: async ({ kills, conversations, rate, 'longest-life': longestLife, patience }, { engine }) => {
    const log = (line: string) => console.log(line);
    const begun = performance.now();
    const result = await runCrash({ engine: engine as Engine, kills, conversations, rate, longestLife, patience, log });
    const lastSets = (share: number) => (result.lastSets.length === 0 ? null : percentile(result.lastSets, share));
    return {
      kills: result.kills,
      kills_at_start: result.killsAtStart,
      kills_after_commit: result.killsAfterCommit.length,
      operations_of_sets_before_them: result.killsAfterCommit.map(({ operations }) => operations),
      unacknowledged_after_commit: result.killsAfterCommit.map(({ unacknowledged }) => unacknowledged),
      operations_of_last_sets_p10: lastSets(0.1),
      operations_of_last_sets_p50: lastSets(0.5),
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
