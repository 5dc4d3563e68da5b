import { engines } from '../../lib/installation.ts';
import { openLoop } from '../../lib/open-loop.ts';
import { percentile } from '../../lib/statistics.ts';
import type { Evidence } from '../judge.ts';
import { conclude } from '../lib/conclude.ts';
import { ask, askUntil } from '../lib/users.ts';
import { withEngineStage } from '../lib/with-engine.ts';
import { present } from '../record.ts';
import type { Scenario } from '../scenario.ts';

/** Seconds in which the flood comes, and in which the others are watched before it. */
const floodSeconds = 10;
/** The flood comes in bursts, one in so many seconds. */
const burstSeconds = 2;
const others = { rate: 10, conversations: 20 };
const floodChat = 99;
/** What storing a message may take in a flood: so many times what it takes without, or so many milliseconds. */
const mostTimes = 3;
const mostMs = 1000;

/** How long it took until messages of the other users were stored, milliseconds each. */
function storedWithin({ record, listed }: Evidence, from: number, until: number): number[] {
  const stored = new Map(listed.map(({ id, createdAt }) => [id, createdAt]));
  return record.questions
    .filter(({ chat, at }) => chat !== floodChat && at >= from && at < until)
    .map(({ id, at }) => Math.max(0, (stored.get(id) ?? Number.POSITIVE_INFINITY) - at));
}

const p99 = (waits: readonly number[]) => Math.round(percentile(waits, 0.99));

export const flood: Scenario = {
  summary: 'One user writes 1000 messages in 10 s to a bot to which 20 others write.',
  engines,
  run: (options) =>
    withEngineStage(options, { bots: [{ name: 'plain', streaming: false }] }, async (stage) => {
      const { sizes } = options;
      await stage.telegram.setLatency(2, 10);
      await stage.model.setPace({ before: [5, 20], writing: [0, 0], chunks: 3 });
      const service = stage.launch();
      await stage.connected(service);
      await askUntil(stage, others, { seconds: 3 });
      const from = present();
      await askUntil(stage, others, { seconds: floodSeconds });
      const begun = present();
      const burst = Math.ceil((sizes.flood * burstSeconds) / floodSeconds);
      const writeBurst = () => {
        for (let index = 0; index < burst; index += 1) void ask(stage, 'plain', floodChat);
      };
      await Promise.all([
        askUntil(stage, others, { seconds: floodSeconds }),
        openLoop({ rate: 1 / burstSeconds, seconds: floodSeconds }, writeBurst),
      ]);
      const ended = present();
      const { verdicts, figures, problems, evidence } = await conclude(stage, service, sizes.patience);
      const before_p99_ms = p99(storedWithin(evidence, from, begun));
      const during_p99_ms = p99(storedWithin(evidence, begun, ended));
      if (during_p99_ms > Math.max(mostMs, before_p99_ms * mostTimes))
        problems.push(`others' messages were stored within ${during_p99_ms} ms, before within ${before_p99_ms} ms`);
      return { verdicts, figures: { before_p99_ms, during_p99_ms, flood: sizes.flood, ...figures }, problems };
    }),
};
