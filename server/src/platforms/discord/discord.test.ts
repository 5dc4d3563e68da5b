import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createDiscord } from './index.ts';
import { startFakeDiscord } from './testing/fake-discord.ts';
import { quickTiming } from './testing/start-adapter.ts';
import { suite } from './testing/suite.ts';

for (const { impossible } of suite) {
  platformContract({
    platform: createDiscord(quickTiming),
    fake: () => startFakeDiscord(),
    host: platformHost,
    impossible,
  });
}
