import { setTimeout as delay } from 'node:timers/promises';
import { engines } from '../../lib/installation.ts';
import { conclude } from '../lib/conclude.ts';
import { inTime, type Stage } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { withEngineStage } from '../lib/with-engine.ts';
import type { Scenario } from '../scenario.ts';

const between = (least: number, most: number) => least + Math.random() * (most - least);

/** Kills the service 1 to 4 s after it is ready, again and again, and some more times before it is ready. */
export async function killAgainAndAgain(stage: Stage, kills: number, earlyKills: number): Promise<void> {
  const total = kills + earlyKills;
  let readyMs = 1000;
  for (let index = 0; index < total; index += 1) {
    // Spread evenly: this one is early when the share of early ones so far grows by one with it.
    const isEarly = Math.floor(((index + 1) * earlyKills) / total) > Math.floor((index * earlyKills) / total);
    const begun = performance.now();
    const service = stage.launch();
    if (isEarly) {
      await delay(between(0, readyMs * 0.9));
    } else {
      await inTime(service.ready, 90_000, service);
      readyMs = performance.now() - begun;
      await inTime(delay(between(1000, 4000)), 10_000, service);
    }
    await stage.kill(service);
    if ((index + 1) % 10 === 0) stage.log(`${index + 1} of ${total} kills, ready after ${readyMs.toFixed()} ms`);
  }
}

export const kills: Scenario = {
  summary: 'Kills the service while users write, also before it is ready.',
  engines,
  run: (options) =>
    withEngineStage(options, {}, async (stage) => {
      const { sizes } = options;
      await stage.telegram.setLatency(20, 120);
      await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      const end = new AbortController();
      const load = askUntil(stage, sizes, { signal: end.signal });
      try {
        await killAgainAndAgain(stage, sizes.kills, sizes['early-kills']);
      } finally {
        end.abort();
        await load;
      }
      const service = stage.launch();
      await stage.connected(service);
      const { verdicts, figures, problems, evidence } = await conclude(stage, service, sizes.patience);
      const redelivered = evidence.record.questions.filter(({ handedOut }) => handedOut > 1).length;
      return { verdicts, figures: { kills: sizes.kills + sizes['early-kills'], redelivered, ...figures }, problems };
    }),
};
