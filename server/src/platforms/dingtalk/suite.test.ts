import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createDingTalk } from './index.ts';
import { FakeDingTalk } from './testing/fake-dingtalk.ts';
import { quickTiming } from './testing/quick-timing.ts';
import { suite } from './testing/suite.ts';

for (const { config, mode, impossible } of suite) {
  platformContract({
    platform: createDingTalk(quickTiming),
    config: () => ({ ...config }),
    fake: () => FakeDingTalk.start({ mode, patienceMs: 300 }),
    host: platformHost,
    mode,
    impossible,
  });
}
