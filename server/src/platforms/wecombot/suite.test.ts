import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createWecomBot } from './index.ts';
import { startFakeWecomBot } from './testing/fake-wecombot.ts';
import { quickTiming } from './testing/quick-timing.ts';
import { suite } from './testing/suite.ts';

for (const { config, mode, impossible } of suite) {
  platformContract({
    platform: createWecomBot({ ...quickTiming, streamMs: 600 }),
    config: () => config,
    fake: () => startFakeWecomBot({ mode }),
    host: platformHost,
    mode,
    impossible,
  });
}
