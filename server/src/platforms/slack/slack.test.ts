import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createSlack } from './index.ts';
import { startFakeSlack } from './testing/fake-slack.ts';
import { quickTiming } from './testing/quick-timing.ts';
import { suite } from './testing/suite.ts';

for (const { config, mode, impossible } of suite) {
  platformContract({
    platform: createSlack(quickTiming),
    config: () => config,
    fake: () => startFakeSlack(mode),
    host: platformHost,
    mode,
    impossible,
  });
}
