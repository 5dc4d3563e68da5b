import { engines } from '../../lib/installation.ts';
import type { LaunchedServer } from '../../lib/server-process.ts';
import { conclude } from '../lib/conclude.ts';
import type { Stage } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { withEngineStage } from '../lib/with-engine.ts';
import type { Scenario } from '../scenario.ts';
import { killAgainAndAgain } from './kills.ts';

const partsOfAnswer = 5;
/** Questions in a second, as a share of those with answers of one part. */
const rateShare = 0.25;

interface ListedDelivery {
  piece: number;
  state: string;
}

/** Retries each part that is listed as uncertain or failed. @returns messages retried, and what went wrong */
async function retryParts(stage: Stage, service: LaunchedServer): Promise<{ retried: number; problems: string[] }> {
  const api = stage.api(await service.ready);
  const { listed } = await stage.evidence(service);
  const doubtful = listed.filter(({ state, deliveryState }) =>
    [state, deliveryState].some((one) => one === 'uncertain' || one === 'failed'),
  );
  const problems: string[] = [];
  for (const { id, uuid } of doubtful) {
    const { answer } = await api.call('GET', `/api/v1/messages/${uuid}`);
    const deliveries = ((answer?.deliveries ?? []) as ListedDelivery[]).filter(
      ({ state }) => state === 'uncertain' || state === 'failed',
    );
    if (deliveries.length === 0) problems.push(`${id} names no part that is uncertain`);
    for (const { piece } of deliveries) {
      await api
        .call('POST', `/api/v1/messages/${answer.message.uuid}/deliveries/${piece}/retry`)
        .catch((error: unknown) => problems.push(`${id}, part ${piece}: ${String(error).slice(0, 200)}`));
    }
  }
  return { retried: doubtful.length, problems };
}

export const parts: Scenario = {
  summary: 'Kills the service while it sends answers of five parts, then retries what is uncertain.',
  engines,
  run: (options) =>
    withEngineStage(options, {}, async (stage) => {
      const { sizes } = options;
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
      const isDrained = await stage.drained(service, sizes.patience);
      const { retried, problems: refused } = await retryParts(stage, service);
      const { verdicts, figures, problems } = await conclude(stage, service, sizes.patience);
      if (!isDrained) problems.push(`not everything was answered within ${sizes.patience} s`);
      for (const [bot, { asked, delivered }] of Object.entries(verdicts)) {
        if (delivered < asked) problems.push(`${bot}: ${delivered} of ${asked} are complete after the retries`);
      }
      const shown = refused.length > 3 ? [...refused.slice(0, 3), `${refused.length - 3} more like these`] : refused;
      return {
        verdicts,
        figures: { kills: sizes['part-kills'], retried, ...figures },
        problems: [...shown, ...problems],
      };
    }),
};
