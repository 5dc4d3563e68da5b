import { platformContract } from '@parley/sdk/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { telegram } from './index.ts';
import { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';
import { ada } from './testing/fixtures.ts';

describe('the contract', () => {
  let fake: FakeTelegram;
  beforeAll(async () => {
    fake = await startFakeTelegram();
    fake.addChat(ada.id);
  });
  afterAll(() => fake.close());

  platformContract({
    platform: telegram,
    config: () => ({ token: fake.token, api_base_url: fake.apiBaseUrl, 'enable-stream-reply': true }),
    chat: {
      target: { session_type: 'person', session_id: String(ada.id) },
      texts: () => fake.messages.map(({ text = '' }) => text),
    },
  });
});
