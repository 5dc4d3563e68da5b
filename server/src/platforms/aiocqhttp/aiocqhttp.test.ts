import { fakePlatformContext, platformContract } from '@parley/sdk/testing';
import { describe } from 'vitest';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createOneBot } from './index.ts';
import { freePort, startFakeOneBot } from './testing/fake-onebot.ts';
import { quickTiming } from './testing/start-adapter.ts';
import { suite } from './testing/suite.ts';

const platform = createOneBot(quickTiming);

describe('the contract', () => {
  platformContract({
    platform: createOneBot({ ...quickTiming, firstClientMs: 10 }),
    config: async () => ({ port: await freePort() }),
    context: () => fakePlatformContext({ listen: platformHost.listen }),
  });
});

for (const { mode, impossible } of suite) {
  platformContract({
    platform,
    fake: () => startFakeOneBot({ mode: mode === 'forward' ? mode : 'reverse', heartbeatMs: 500 }),
    host: platformHost,
    ...(mode && { mode }),
    impossible,
  });
}
