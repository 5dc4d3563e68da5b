import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createOneBot } from './index.ts';
import { startFakeOneBot } from './testing/fake-onebot.ts';
import { quickTiming } from './testing/start-adapter.ts';
import { suite } from './testing/suite.ts';

for (const { config, mode, impossible } of suite) {
  platformContract({
    platform: createOneBot(quickTiming),
    config: () => config,
    fake: () => startFakeOneBot({ mode, heartbeatMs: 500 }),
    host: platformHost,
    mode,
    impossible,
  });
}
