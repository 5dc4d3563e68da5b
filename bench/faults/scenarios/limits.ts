import { engines } from '../../lib/installation.ts';
import { openLoop } from '../../lib/open-loop.ts';
import { earlySends } from '../early-sends.ts';
import { conclude } from '../lib/conclude.ts';
import type { StageBot } from '../lib/stage.ts';
import { ask, chatsOf } from '../lib/users.ts';
import { withEngineStage } from '../lib/with-engine.ts';
import type { FaultRule } from '../record.ts';
import type { Scenario } from '../scenario.ts';

/** Pauses that the platform asks for, seconds. */
const pauses = [3, 90, 600];
/** How long every send is refused with a short pause, milliseconds. */
const shortRefusals = 20_000;
/** Values of `retry_after` that say nothing sensible. */
const oddPauses = [0, -5, 'soon'];
const conversationsOfBot = 10;
/** About what Telegram allows. @see https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
const defaultRates = { chatPerSecond: 1, chatBurst: 3, botPerSecond: 30, botBurst: 30, penaltySeconds: 3 };

/** A long ban of a bot ends with its pause; short ones are asked for again and again for a while. */
function ruleOf(bot: string, pause: number): FaultRule {
  const isLong = pause > 60;
  return {
    bot,
    methods: ['send', 'edit'],
    action: { kind: 'limit', retryAfter: pause, countsDown: isLong },
    forMs: isLong ? pause * 1000 : shortRefusals,
  };
}

export const limits: Scenario = {
  summary: 'The platform asks bots for pauses of 3, 90 and 600 s, side by side and in real time.',
  engines,
  isPatient: true,
  run: (options) => {
    const { sizes } = options;
    const tried = pauses.filter((pause) => pause <= sizes['longest-pause']);
    const kinds = ['plain', 'stream'] as const;
    const limited = tried.flatMap((pause) => kinds.map((kind) => ({ pause, kind, name: `${kind}-${pause}` })));
    const bots: StageBot[] = [
      ...limited.map(({ name, kind }) => ({ name, streaming: kind === 'stream' })),
      { name: 'odd', streaming: false },
      { name: 'paced', streaming: true },
    ];
    return withEngineStage(options, { bots }, async (stage) => {
      await stage.model.setPace({ before: [20, 100], writing: [100, 1500], chunks: 6 });
      await stage.telegram.setRates('paced', defaultRates);
      const service = stage.launch();
      await stage.connected(service);
      const conversations = conversationsOfBot * bots.length;
      const oddChats = chatsOf(stage, 'odd', conversations);
      await stage.telegram.setFaults([
        ...limited.map(({ name, pause }) => ruleOf(name, pause)),
        ...oddPauses.map(
          (retryAfter, index): FaultRule => ({
            bot: 'odd',
            chats: oddChats.filter((_, place) => place % oddPauses.length === index),
            methods: ['send'],
            action: { kind: 'limit', retryAfter },
            forMs: 5000,
          }),
        ),
      ]);
      const perBot = Math.ceil(sizes.messages / kinds.length);
      await openLoop({ rate: sizes.rate, seconds: (perBot * bots.length) / sizes.rate }, (index) => {
        const { name } = bots[index % bots.length] as StageBot;
        const chats = chatsOf(stage, name, conversations);
        // A place in the list.
        void ask(stage, name, chats[Math.floor(index / bots.length) % chats.length] as number);
      });
      const patience = Math.max(...tried) + sizes.patience;
      const { verdicts, figures, problems, evidence } = await conclude(stage, service, patience);
      const early = earlySends(evidence.record.sends);
      for (const [bot, sends] of Map.groupBy(early, ({ bot }) => bot))
        problems.push(`${bot}: early sends ${sends.length}`);
      for (const [bot, { asked, delivered, extra_model_calls: extra, uncertain }] of Object.entries(verdicts)) {
        if (delivered < asked) problems.push(`${bot}: delivered ${delivered} of ${asked}`);
        if (extra > 0) problems.push(`${bot}: ${extra} calls of the model too many`);
        if (uncertain > 0) problems.push(`${bot}: uncertain ${uncertain}`);
      }
      return { verdicts, figures: { ...figures, early_sends: early.length }, problems };
    });
  },
};
