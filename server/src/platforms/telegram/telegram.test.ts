import { platformContract } from '@parley/sdk/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { telegram } from './index.ts';
import { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';

describe('the contract', () => {
  let fake: FakeTelegram;
  beforeAll(async () => {
    fake = await startFakeTelegram();
  });
  afterAll(() => fake.close());

  platformContract({
    platform: telegram,
    config: () => ({ token: fake.token, api_base_url: fake.apiBaseUrl, 'enable-stream-reply': true }),
  });
});
