import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Messenger } from '../fakes/messenger.ts';
import { startTelegramMessenger } from '../fakes/telegram-messenger.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import {
  type ConversationLoad,
  effortFigures,
  type LoadResult,
  runLoad,
  waitFigures,
} from '../lib/conversation-load.ts';
import { type Engine, engines, type Installation, withInstallation, withRunning } from '../lib/installation.ts';
import { round } from '../lib/statistics.ts';

type Argument = 'rate' | 'seconds' | 'conversations' | 'warmup' | 'calm-rate' | 'calm-seconds';
type Numbers = Record<Argument, number>;

export const messages: Benchmark<Argument, 'engine' | 'platform' | 'profile'> = {
  summary: 'Messages through the default pipeline at a steady rate, then at a low one to measure the added latency.',
  defaults: { rate: 500, seconds: 60, conversations: 200, warmup: 10, 'calm-rate': 50, 'calm-seconds': 20 },
  choices: { engine: engines, platform: ['lines', 'telegram'], profile: ['no', 'yes'] },
  run: async (numbers, { engine, platform, profile }) => {
    const messenger =
      platform === 'telegram' ? await startTelegramMessenger() : await startLineMessenger({ honoursTokens: true });
    const profileFolder = profile === 'yes' ? await mkdtemp(join(tmpdir(), 'parley-profile-')) : undefined;
    try {
      return await withInstallation(
        { engine: engine as Engine, messengers: [messenger], ...(profileFolder && { profileFolder }) },
        (installation) => measure(installation, messenger, numbers),
      );
    } finally {
      await messenger.close();
      if (profileFolder !== undefined) console.log(`The profile is in ${profileFolder}`);
    }
  },
};

function measure(installation: Installation, messenger: Messenger, numbers: Numbers) {
  const { rate, seconds, conversations, warmup } = numbers;
  return withRunning(installation, async (service) => {
    const load = async (more: Pick<ConversationLoad, 'name' | 'rate' | 'seconds'>): Promise<LoadResult> => {
      const patience = 60 + more.seconds * 5;
      const result = await runLoad(service, messenger, installation.model, { ...more, conversations, patience });
      console.log(`${more.name}: ${result.answered} of ${result.asked} answered in ${result.seconds.toFixed(1)} s`);
      return result;
    };
    // Warm-up, not counted.
    await load({ name: 'warmup', rate, seconds: warmup });
    const busy = await load({ name: 'busy', rate, seconds });
    const calm = await load({ name: 'calm', rate: numbers['calm-rate'], seconds: numbers['calm-seconds'] });
    return {
      messages_per_second: round(busy.answered / busy.seconds, 1),
      ...waitFigures('ingest', busy.ingest),
      ...waitFigures('answer', busy.answer),
      ...waitFigures('added_latency', calm.untilModel),
      ...waitFigures('after_model', calm.afterModel),
      ...effortFigures(busy),
      asked: busy.asked,
      answered: busy.answered,
      sent: busy.sent,
      ...numbers,
    };
  });
}
