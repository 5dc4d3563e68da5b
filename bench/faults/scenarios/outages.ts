import { setTimeout as delay } from 'node:timers/promises';
import { engines } from '../../lib/installation.ts';
import { conclude } from '../lib/conclude.ts';
import { inTime, type Stage } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { twoBots, withEngineStage } from '../lib/with-engine.ts';
import { present } from '../record.ts';
import type { Scenario } from '../scenario.ts';

interface Outage {
  name: string;
  /** Usual length, seconds. */
  seconds: number;
  begin(stage: Stage): Promise<unknown>;
}

const outageKinds: readonly Outage[] = [
  { name: 'refused', seconds: 80, begin: ({ telegram }) => telegram.refuseConnections() },
  { name: 'silence', seconds: 80, begin: ({ telegram }) => telegram.setFaults([{ action: { kind: 'silence' } }]) },
  {
    name: '502',
    seconds: 60,
    begin: ({ telegram }) => telegram.setFaults([{ action: { kind: 'page', status: 502 } }]),
  },
  {
    name: 'dropped after',
    seconds: 30,
    begin: ({ telegram }) => telegram.setFaults([{ action: { kind: 'drop', applied: true } }]),
  },
  {
    name: 'dropped before',
    seconds: 30,
    begin: ({ telegram }) => telegram.setFaults([{ action: { kind: 'drop', applied: false } }]),
  },
];

/** The last one repeats what may not have arrived, so that nothing is missing and something may stand there twice. */
const bots = [...twoBots, { name: 'repeat', streaming: false, record: { uncertain_sends: 'repeat' } }];

/** Users write before and in the first part of an outage, so that it meets answers under way. */
async function endure(stage: Stage, outage: Outage, seconds: number, messages: number, conversations: number) {
  const load = askUntil(stage, { rate: messages / (seconds * 0.75), conversations }, { seconds: seconds * 0.75 });
  await delay(seconds * 100);
  const from = present();
  await outage.begin(stage);
  await delay(seconds * 1000);
  await stage.telegram.acceptConnections();
  await stage.telegram.setFaults([]);
  stage.incidents.push({ from, until: present(), process: null });
  await load;
}

export const outages: Scenario = {
  summary: 'The platform refuses connections, is silent, answers 502 and drops connections.',
  engines,
  isPatient: true,
  run: (options) =>
    withEngineStage(options, { bots }, async (stage) => {
      const { sizes } = options;
      await stage.model.setPace({ before: [20, 100], writing: [100, 1500], chunks: 6 });
      const service = stage.launch();
      await stage.connected(service);
      const slow: string[] = [];
      for (const outage of outageKinds) {
        const seconds = (outage.seconds * sizes['outage-percent']) / 100;
        stage.log(`${outage.name} for ${seconds} s`);
        await inTime(endure(stage, outage, seconds, sizes.messages, sizes.conversations), seconds * 3000, service);
        const begun = performance.now();
        if (!(await stage.drained(service, sizes.patience)))
          slow.push(`not everything was answered after ${outage.name}`);
        stage.log(`everything was answered ${Math.round((performance.now() - begun) / 1000)} s after ${outage.name}`);
      }
      const { verdicts, figures, problems } = await conclude(stage, service, sizes.patience);
      const { asked = 0, delivered = 0 } = verdicts.repeat ?? {};
      if (delivered < asked) problems.push(`repeat: delivered ${delivered} of ${asked}`);
      return { verdicts, figures: { outages: outageKinds.length, ...figures }, problems: [...slow, ...problems] };
    }),
};
