import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import { present } from '../../faults/record.ts';
import { round } from '../../lib/statistics.ts';
import { Everyone, telegramBots } from '../everyone.ts';
import { type Group, withGroup } from '../group.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** How long the database is away, milliseconds. */
const awayMs = 20_000;
/** Within which processes work again, seconds. */
const limit = 10;

/** Seconds until each process is ready again. */
async function ready(group: Group): Promise<number> {
  const begun = present();
  const places = group.running.size;
  while (group.balancer.targets().length < places) {
    if (present() - begun > 60_000) throw new Error('The processes are not ready again');
    await delay(50);
  }
  return (present() - begun) / 1000;
}

/** Takes the database away from all processes: none takes over from another one. */
export const database: ReplicaScenario = {
  summary: 'Two processes whose database is away for 20 s, is restarted, and crashes.',
  run: ({ sizes, log, tree }) =>
    withGroup({ bots: telegramBots, log, ...(tree === undefined ? {} : { tree }) }, async (group) => {
      const { stage, server } = group;
      await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      await Promise.all([0, 1].map((place) => group.start(place)));
      const everyone = await Everyone.enter(group, sizes.conversations);
      const end = new AbortController();
      const load = everyone.askUntil(sizes.rate, end.signal);
      const back: Record<string, number> = {};
      const began = new Date().toISOString();
      try {
        for (const [name, way, pause] of [
          ['away', 'stop', awayMs],
          ['restarted', 'stop', 0],
          ['crashed', 'crash', 0],
        ] as const) {
          await delay(5000);
          const from = present();
          await server.tell(way);
          // Meanwhile they notice.
          await delay(pause);
          await server.tell('start');
          back[name] = round(await ready(group), 1);
          log(`${name}: ready again after ${back[name]} s`);
          stage.incidents.push({ from, until: present(), process: null });
        }
        await delay(5000);
      } finally {
        end.abort();
        await load;
      }
      const { problems, verdict: _, ...figures } = await everyone.judge(sizes.patience);
      await everyone.close();
      const taken = await queryDatabase(
        group.databaseUrl,
        `select id from replicas where ended_by is not null and ended_by <> id and ended_at > '${began}'`,
      );
      if (taken.length > 0) problems.push(`${taken.length} processes were taken over`);
      for (const [name, seconds] of Object.entries(back)) {
        if (seconds > limit) problems.push(`${name}: ready again after ${seconds} s`);
      }
      return { figures: { ...figures, takeovers: taken.length, back_s: back }, problems };
    }),
};
