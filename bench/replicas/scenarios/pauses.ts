import { setTimeout as delay } from 'node:timers/promises';
import { type Line, openLine } from '../../../server/test/postgres/open-line.ts';
import { present } from '../../faults/record.ts';
import type { LaunchedServer } from '../../lib/server-process.ts';
import { Everyone, telegramBots } from '../everyone.ts';
import { type Group, withGroup } from '../group.ts';
import { lateSends, type Pause } from '../late-sends.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** Where a process stands when it is stopped. */
const points = ['transaction', 'commit', 'send', 'edit', 'poll', 'cut'] as const;
type Point = (typeof points)[number];

/** How long a process stands still, or its database is away, milliseconds: others take over meanwhile. */
const pauseMs = 30_000;
/** How long is waited for a point, milliseconds. */
const patienceMs = 20_000;
/** Stops a process at a point, or cuts it off, for a while. @returns null when it did not get to that point */
async function pause(group: Group, service: LaunchedServer, way: Line, point: Point): Promise<Pause | null> {
  const { pid } = service;
  const stopped = Promise.withResolvers<number>();
  const stop = () => {
    process.kill(pid, 'SIGSTOP');
    stopped.resolve(present());
  };
  if (point === 'cut') {
    const from = present();
    way.cut();
    await delay(pauseMs);
    way.mend();
    return { pid, from, until: present() };
  }
  let takeBack = () => {};
  if (point === 'transaction' || point === 'commit') {
    takeBack = way.after(point === 'commit' ? 'commit' : 'update "messages"', stop);
  } else {
    void group.stage.telegram.nextRequest(point, pid, patienceMs).then((hasCome) => {
      if (hasCome) stop();
    });
  }
  const from = await Promise.race([stopped.promise, delay(patienceMs + 1000, null)]);
  takeBack();
  if (from === null) return null;
  await delay(pauseMs);
  process.kill(pid, 'SIGCONT');
  return { pid, from, until: present() };
}

/** Stops processes in their tracks, and cuts them off from the database, at points where they must not go on afterwards. */
export const pauses: ReplicaScenario = {
  summary: 'Three processes of which one stands still for 30 s, or loses its database, in the middle of its work.',
  run: async ({ sizes, log, tree }) => {
    const ways: Line[] = [];
    // The texts of statements tell where a process stands: named ones are sent once.
    const environment = { PARLEY_DATABASE_NAMED_STATEMENTS: 'false' };
    const options = { bots: telegramBots, log, environment, ...(tree === undefined ? {} : { tree }) };
    return await withGroup(options, async (group) => {
      const { stage } = group;
      await stage.telegram.setLatency(50, 200);
      await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      try {
        for (const place of [0, 1, 2]) {
          const way = await openLine(group.databaseUrl);
          ways.push(way);
          await group.start(place, { PARLEY_DATABASE_URL: way.url });
        }
        const everyone = await Everyone.enter(group, sizes.conversations);
        const end = new AbortController();
        const load = everyone.askUntil(sizes.rate, end.signal);
        const done: Pause[] = [];
        const reached: Record<string, number> = {};
        try {
          for (let index = 0; index < sizes.pauses; index += 1) {
            const point = points[index % points.length] as Point;
            const place = await senderOf(group, point);
            const service = group.running.get(place) as LaunchedServer;
            const one = await pause(group, service, ways[place] as Line, point);
            log(one === null ? `${place} did not get to: ${point}` : `${place} stood still at: ${point}`);
            if (one !== null) {
              done.push(one);
              reached[point] = (reached[point] ?? 0) + 1;
              stage.incidents.push({ from: one.from, until: one.until, process: one.pid });
            }
            await delay(5000);
          }
        } finally {
          end.abort();
          await load;
        }
        const { problems, verdict: _, ...figures } = await everyone.judge(sizes.patience);
        const { conflicts, sends } = await stage.telegram.record();
        await everyone.close();
        const isStanding = (pid: number, at: number) =>
          done.some((one) => one.pid === pid && one.from <= at && at <= one.until);
        const polls = conflicts.filter(({ at, earlier }) => !isStanding(earlier, at));
        if (polls.length > 0) problems.push(`${polls.length} polls of a bot by two processes that worked`);
        const late = lateSends(sends, done);
        if (late.length > 0) problems.push(`${late.length} sends of a process after others had taken over`);
        if (done.length === 0) problems.push('no process stood still');
        return { figures: { ...figures, pauses: done.length, points: reached, late_sends: late.length }, problems };
      } finally {
        for (const way of ways) way.close();
      }
    });
  },
};

/** Place of the process that has the bot of a point. */
async function senderOf({ stage, running }: Group, point: Point): Promise<number> {
  const { pollers } = await stage.telegram.status();
  const pid = pollers[point === 'edit' ? 'stream' : 'plain'];
  const found = [...running].find(([, service]) => service.pid === pid);
  return found?.[0] ?? 0;
}
