import { setTimeout as delay } from 'node:timers/promises';
import { engines } from '../../lib/installation.ts';
import { conclude } from '../lib/conclude.ts';
import { inTime } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { withEngineStage } from '../lib/with-engine.ts';
import type { Scenario } from '../scenario.ts';

/** Limit of a stop, seconds. */
const limitSeconds = 5;

export const stops: Scenario = {
  summary: 'Asks the service to stop while answers take longer than its limit.',
  engines,
  run: (options) =>
    withEngineStage(
      options,
      { environment: { PARLEY_SHUTDOWN_TIMEOUT_SECONDS: String(limitSeconds) } },
      async (stage) => {
        const { sizes } = options;
        await stage.telegram.setLatency(20, 120);
        await stage.model.setPace({ before: [100, 1000], writing: [500, 9000], chunks: 12 });
        const end = new AbortController();
        const load = askUntil(stage, sizes, { signal: end.signal });
        let longestStop = 0;
        const late: string[] = [];
        try {
          for (let index = 0; index < sizes.stops; index += 1) {
            const service = stage.launch();
            await inTime(service.ready, 90_000, service);
            await inTime(delay(1000 + Math.random() * 3000), 10_000, service);
            const { code, signal, seconds } = await stage.terminate(service);
            longestStop = Math.max(longestStop, seconds);
            if (code !== 0) late.push(`stop ${index + 1} ended with ${signal ?? `code ${code}`}`);
            else if (seconds > limitSeconds + sizes.grace) late.push(`stop ${index + 1} took ${seconds.toFixed(1)} s`);
          }
        } finally {
          end.abort();
          await load;
        }
        await stage.model.setPace({ before: [20, 200], writing: [200, 1000], chunks: 12 });
        const service = stage.launch();
        await stage.connected(service);
        const { verdicts, figures, problems } = await conclude(stage, service, sizes.patience);
        return {
          verdicts,
          figures: { stops: sizes.stops, longest_stop_seconds: Number(longestStop.toFixed(1)), ...figures },
          problems: [...late, ...problems],
        };
      },
    ),
};
