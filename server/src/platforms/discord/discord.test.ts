import { fakePlatformContext, platformContract } from '@parley/sdk/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createDiscord } from './index.ts';
import { type FakeDiscord, startFakeDiscord } from './testing/fake-discord.ts';
import { quickTiming } from './testing/start-adapter.ts';

describe('the contract', () => {
  let fake: FakeDiscord;
  beforeAll(async () => {
    fake = await startFakeDiscord();
  });
  afterAll(() => fake.close());

  platformContract({
    platform: createDiscord(quickTiming),
    config: () => fake.config(),
    context: () => fakePlatformContext(platformHost.clients(fake.config())),
    chat: {
      target: {
        session_type: 'group',
        get session_id() {
          return fake.world.general.id;
        },
      },
      texts: () => fake.sent().map(({ text }) => text),
    },
  });
});
