import { setTimeout as delay } from 'node:timers/promises';
import { Everyone, telegramBots } from '../everyone.ts';
import { withGroup } from '../group.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** Between two kills, milliseconds. */
const killMs = 10_000;
/** After which every second one is started again, milliseconds. */
const awayMs = 20_000;

/** Kills one of three processes again and again. */
export const kills: ReplicaScenario = {
  summary: 'Three processes of which one is killed every 10 s, and started again at once or after 20 s in turns.',
  run: ({ sizes, log, tree }) =>
    withGroup({ bots: telegramBots, log, ...(tree === undefined ? {} : { tree }) }, async (group) => {
      const { stage } = group;
      await stage.telegram.setLatency(20, 120);
      await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      await Promise.all([0, 1, 2].map((place) => group.start(place)));
      const everyone = await Everyone.enter(group, sizes.conversations);
      const end = new AbortController();
      const load = everyone.askUntil(sizes.rate, end.signal);
      const starting: Promise<unknown>[] = [];
      let count = 0;
      try {
        for (let seconds = killMs / 1000; seconds <= sizes.seconds; seconds += killMs / 1000) {
          await delay(killMs);
          const places = [...group.running.keys()];
          if (places.length < 2) continue;
          const place = places[Math.floor(Math.random() * places.length)] ?? 0;
          await group.kill(place);
          count += 1;
          const isLater = count % 2 === 0;
          log(`killed ${place}, which starts again ${isLater ? 'after 20 s' : 'at once'}`);
          starting.push(delay(isLater ? awayMs : 0).then(() => group.start(place)));
        }
      } finally {
        end.abort();
        await load;
        await Promise.all(starting);
      }
      const outcome = await everyone.judge(sizes.patience);
      const { conflicts } = await stage.telegram.record();
      await everyone.close();
      const { problems, verdict, ...figures } = outcome;
      if (conflicts.length > 0) problems.push(`${conflicts.length} polls of a bot by two processes`);
      return { figures: { kills: count, ...figures, polls_of_two: conflicts.length }, problems };
    }),
};
