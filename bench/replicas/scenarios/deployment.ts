import { setTimeout as delay } from 'node:timers/promises';
import { round } from '../../lib/statistics.ts';
import { withDeployment } from '../deployment/deployed.ts';
import { Everyone } from '../everyone.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** Between two stops, and before a stopped replica starts again, milliseconds. */
const pauseMs = 10_000;
/** At most: all users of the web chat have one API key, whose sockets the settings of the file limit. */
const mostConversations = 50;

/** The reference deployment, whose replicas are stopped and started again one after the other. */
export const deployment: ReplicaScenario = {
  summary:
    'The services of deploy/compose.yaml as local processes, of which each replica is stopped and started again.',
  run: ({ sizes, log }) =>
    withDeployment(log, async ({ group, stop, start, health, balancer }) => {
      await group.stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      const everyone = await Everyone.enter(group, Math.min(sizes.conversations, mostConversations));
      const end = new AbortController();
      const load = everyone.askUntil(sizes.rate, end.signal);
      const seconds: number[] = [];
      const killed: number[] = [];
      try {
        for (const place of [...group.running.keys()]) {
          await delay(pauseMs);
          const stopped = await stop(place);
          log(`replica ${place + 1} ended after ${stopped.seconds.toFixed(1)} s`);
          seconds.push(stopped.seconds);
          if (stopped.isKilled) killed.push(place + 1);
          await delay(pauseMs);
          await start(place);
        }
        await delay(pauseMs);
      } finally {
        end.abort();
        await load;
      }
      const { problems, verdict: _, ...figures } = await everyone.judge(sizes.patience);
      const { conflicts } = await group.stage.telegram.record();
      await everyone.close();
      const { checks, unhealthy } = await health();
      if (killed.length > 0) problems.push(`replicas ${killed.join(', ')} had to be killed`);
      if (unhealthy > 0) problems.push(`services became unhealthy ${unhealthy} times`);
      if (conflicts.length > 0) problems.push(`${conflicts.length} polls of a bot by two processes`);
      const stop_s = round(Math.max(...seconds), 1);
      return { figures: { ...figures, stop_s, health_checks: checks, unhealthy, balancer }, problems };
    }),
};
