import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createTelegram } from './index.ts';
import { quickTiming } from './testing/start-adapter.ts';
import { suite } from './testing/suite.ts';
import { startTelegramDriver } from './testing/telegram-driver.ts';

const timing = {
  ...quickTiming,
  pollGraceMs: 100,
  callMs: 800,
  transferMs: 800,
  conflictPauseMs: 200,
  stopMs: 200,
};

for (const { config, mode, impossible } of suite) {
  platformContract({
    platform: createTelegram(timing),
    config: () => ({ 'enable-stream-reply': true, ...config }),
    fake: () => startTelegramDriver(config),
    host: platformHost,
    mode,
    impossible,
  });
}
