import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../faults/lib/stage.ts';
import { ask } from '../../faults/lib/users.ts';
import { present } from '../../faults/record.ts';
import { round } from '../../lib/statistics.ts';
import { type Group, withGroup } from '../group.ts';
import type { ReplicaScenario } from '../scenario.ts';

const bots = Array.from({ length: 20 }, (_, index) => ({ name: `bot${index}`, streaming: false }));

/** How long it may take, seconds. */
const limits = { killed: 15, restarted: 3, stopped: 2 };
type End = keyof typeof limits;

/** How long is waited for at most, milliseconds. */
const patienceMs = 60_000;

async function polledBy(group: Group): Promise<Map<string, number | null>> {
  return new Map(Object.entries((await group.stage.telegram.status()).pollers));
}

/** Waits until bots are polled by processes that run. @returns when */
async function polled(group: Group, names: readonly string[]): Promise<number> {
  await untilTrue(group, async () => {
    const pollers = await polledBy(group);
    const running = new Set([...group.running.values()].map(({ pid }) => pid));
    return names.every((name) => running.has(pollers.get(name) ?? 0));
  });
  return present();
}

/** Waits until a question is answered. @returns when its answer was there */
async function answered(group: Group, id: string): Promise<number> {
  let at: number | null = null;
  await untilTrue(group, async () => {
    const { sends } = await group.stage.telegram.record();
    at = sends.find(({ questions, appliedAt }) => appliedAt !== null && questions.includes(id))?.appliedAt ?? null;
    return at !== null;
  });
  return at ?? present();
}

async function untilTrue({ running }: Group, condition: () => Promise<boolean>): Promise<void> {
  const [service] = running.values();
  if (service === undefined) throw new Error('No process runs');
  await until(condition, patienceMs, service);
}

/** Ends the process at a place. @returns seconds until all its bots are polled and a message that it had is answered */
async function takeOver(group: Group, place: number, how: End): Promise<number> {
  const { stage, running } = group;
  const { pid } = running.get(place) ?? { pid: 0 };
  const own = [...(await polledBy(group))].flatMap(([name, poller]) => (poller === pid ? [name] : []));
  const first = own[0] ?? bots[0]?.name ?? '';
  const begun = present();
  // It waits for the model when its process ends; a stop waits for the answer.
  const question = await ask(stage, first, 7);
  await delay(100);
  const from = how === 'stopped' ? begun : present();
  const ending = how === 'stopped' ? group.stop(place) : group.kill(place);
  if (how !== 'stopped') await ending;
  if (how === 'restarted') await group.start(place);
  const taken = Math.max(await polled(group, own), await answered(group, question));
  await ending;
  return (taken - from) / 1000;
}

export const takeover: ReplicaScenario = {
  summary: 'Two processes with 20 bots, of which one is killed, killed and restarted, and stopped, again and again.',
  run: ({ sizes, log, tree }) =>
    withGroup({ bots, log, ...(tree === undefined ? {} : { tree }) }, async (group) => {
      await group.stage.model.setPace({ before: [200, 300], writing: [0, 0], chunks: 1 });
      await Promise.all([0, 1].map((place) => group.start(place)));
      await polled(
        group,
        bots.map(({ name }) => name),
      );
      const times: Record<End, number[]> = { killed: [], restarted: [], stopped: [] };
      let place = 0;
      for (let index = 0; index < sizes.takeovers; index += 1) {
        for (const how of ['stopped', 'restarted', 'killed'] as const) {
          const seconds = await takeOver(group, place, how);
          times[how].push(seconds);
          log(`${how}: ${seconds.toFixed(1)} s`);
          if (how !== 'restarted') await group.start(place);
          // The next one ends the other process, which has all bots by then.
          if (how !== 'restarted') place = 1 - place;
          await delay(2000);
        }
      }
      const { conflicts } = await group.stage.telegram.record();
      const worst = Object.fromEntries(Object.entries(times).map(([how, all]) => [how, round(Math.max(...all), 1)]));
      const late = Object.entries(limits).flatMap(([how, limit]) =>
        (worst[how] ?? 0) > limit ? [`${how}: ${worst[how]} s, of ${limit}`] : [],
      );
      const problems = conflicts.length > 0 ? [`${conflicts.length} polls of a bot by two processes`] : [];
      return { figures: { takeover_s: worst, polls_of_two: conflicts.length }, problems, late };
    }),
};
