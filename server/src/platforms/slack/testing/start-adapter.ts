import type { PlatformAdapter } from '@parley/sdk';
import { fakePlatformContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterEach } from 'vitest';
import { platformHost } from '../../../kit/testing/platform-host.ts';
import { createSlack } from '../index.ts';
import { startFakeSlack } from './fake-slack.ts';
import { quickTiming } from './quick-timing.ts';

/** For tests with a fake in socket mode and adapters on it, which end with each test. */
export function slackTests() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async () => {
    const fake = await startFakeSlack('socket');
    closing.push(() => fake.close());
    const platform = createSlack(quickTiming);
    const config = Default(platform.config, fake.config()) as Record<string, unknown>;
    const { create } = await platform.load();
    const begin = async (): Promise<PlatformAdapter> => {
      const adapter = create(config, fakePlatformContext(platformHost.clients(config)));
      closing.push(() => adapter.stop());
      await adapter.start();
      return adapter;
    };
    const adapter = await begin();
    const restart = async () => {
      await adapter.stop();
      return begin();
    };
    return { fake, adapter, restart };
  };
}
