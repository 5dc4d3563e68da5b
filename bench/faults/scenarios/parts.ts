import { engines } from '../../lib/installation.ts';
import type { LaunchedServer } from '../../lib/server-process.ts';
import { shownParts } from '../answer-text.ts';
import type { Evidence } from '../judge.ts';
import { conclude, judgeWhenDrained } from '../lib/conclude.ts';
import type { Stage } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { withEngineStage } from '../lib/with-engine.ts';
import type { Scenario } from '../scenario.ts';
import { killAgainAndAgain } from './kills.ts';

const partsOfAnswer = 5;
/** Questions in a second, as a share of those with answers of one part. */
const rateShare = 0.25;

/**
 * How much longer than elsewhere it takes on PostgreSQL until an answer of the platform is stored: while all these parts are
 * sent, two cores took 12 ms in the middle, 107 ms for one of a hundred and 206 ms for one of a thousand.
 */
const postgresWireFactor = 4;

/** States of messages and parts that a retry is for. */
const doubtful = new Set(['uncertain', 'failed']);

interface ListedDelivery {
  piece: number;
  state: string;
}

/** Parts of an answer that users do not see, although they are not listed as uncertain or failed; from 0. */
function unnamedGaps(id: string, deliveries: readonly ListedDelivery[], { record }: Evidence): number[] {
  const seen = new Set(
    record.visible
      .flatMap(({ text }) => shownParts(text))
      .filter((shown) => shown.id === id && shown.isComplete)
      .map(({ part }) => part - 1),
  );
  return deliveries.filter(({ piece, state }) => !seen.has(piece) && !doubtful.has(state)).map(({ piece }) => piece);
}

/** Retries the first part of each answer that is uncertain or failed, which sends those behind it, too. */
async function retryParts(stage: Stage, service: LaunchedServer, evidence: Evidence): Promise<string[]> {
  const api = stage.api(await service.ready);
  const problems: string[] = [];
  for (const { id, uuid, state, deliveryState } of evidence.listed) {
    if (!doubtful.has(state) && !doubtful.has(deliveryState ?? '')) continue;
    const { answer } = await api.call('GET', `/api/v1/messages/${uuid}`);
    const deliveries = (answer?.deliveries ?? []) as ListedDelivery[];
    for (const piece of unnamedGaps(id, deliveries, evidence))
      problems.push(`${id}: part ${piece} is missing and not named as uncertain`);
    const delivery = deliveries.find((one) => doubtful.has(one.state));
    if (delivery === undefined) {
      problems.push(`${id} names no part that is uncertain`);
      continue;
    }
    await api
      .call('POST', `/api/v1/messages/${uuid}/deliveries/${delivery.piece}/retry`)
      .catch((error: unknown) => problems.push(`${id}, part ${delivery.piece}: ${String(error).slice(0, 200)}`));
  }
  return problems;
}

export const parts: Scenario = {
  summary: 'Kills the service while it sends answers of five parts, then retries what is uncertain.',
  engines,
  run: (options) => {
    const { engine, sizes } = options;
    const wireMs = sizes.wire * (engine === 'postgres' ? postgresWireFactor : 1);
    return withEngineStage(options, { wireMs }, async (stage) => {
      await stage.telegram.setLatency(20, 120);
      await stage.model.setPace({ before: [20, 200], writing: [100, 1000], chunks: 20 });
      const end = new AbortController();
      const { conversations } = sizes;
      const load = askUntil(
        stage,
        { rate: Math.max(1, sizes.rate * rateShare), conversations, parts: partsOfAnswer },
        { signal: end.signal },
      );
      try {
        await killAgainAndAgain(stage, sizes['part-kills'], 0);
      } finally {
        end.abort();
        await load;
      }
      const service = stage.launch();
      await stage.connected(service);
      const { verdicts, figures, problems, evidence } = await judgeWhenDrained(stage, service, sizes.patience);
      problems.push(...(await retryParts(stage, service, evidence)));
      const after = await conclude(stage, service, sizes.patience);
      for (const [bot, { asked, delivered, repeated }] of Object.entries(after.verdicts)) {
        if (delivered < asked) problems.push(`${bot}: ${delivered} of ${asked} are complete after the retries`);
        if (repeated > 0)
          problems.push(`${bot}: the retries repeated parts of ${repeated} answers that were delivered`);
      }
      return { verdicts, figures: { kills: sizes['part-kills'], ...figures }, problems };
    });
  },
};
