import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createLark } from './index.ts';
import { FakeLark } from './testing/fake-lark.ts';
import { quickTiming } from './testing/quick-timing.ts';
import { suite } from './testing/suite.ts';

for (const { config, mode, impossible } of suite) {
  platformContract({
    platform: createLark({ ...quickTiming, cardStreamMs: 600 }),
    config: () => ({ ...config }),
    fake: () => FakeLark.start({ mode: mode === 'webhook' ? mode : 'socket', patienceMs: 600 }),
    host: platformHost,
    ...(mode && { mode }),
    impossible,
  });
}
