import type { Platform } from '@parley/sdk';
import type { FakePlatform } from '@parley/sdk/testing';
import { createLark } from '../../src/platforms/lark/index.ts';
import { FakeLark } from '../../src/platforms/lark/testing/fake-lark.ts';
import { quickTiming as larkTiming } from '../../src/platforms/lark/testing/quick-timing.ts';

/** A platform with a fake, for tests with the whole service. */
export interface FakedPlatform {
  start(): Promise<FakePlatform>;
  /** With the configuration of the fake itself, answers are streamed. */
  streams: boolean;
  /** A configuration as the reference system saves it: numbers and booleans as texts, and fields for display only. */
  saved(fake: FakePlatform): Record<string, unknown>;
  /** With times in which a test need not wait. */
  platform: Platform;
  /** Fakes by how events are delivered. Those of `signed` sign what they post, with the body. */
  deliveries: Record<string, () => Promise<FakePlatform>>;
  signed: readonly string[];
}

/** By the name of the adapter. */
export const fakedPlatforms: Record<string, FakedPlatform> = {
  lark: {
    start: () => FakeLark.start(),
    streams: true,
    saved: (fake) => {
      const { app_id, app_secret, bot_name, api_base_url } = fake.config();
      return {
        app_id,
        app_secret,
        bot_name,
        'enable-webhook': 'false',
        webhook_url: 'http://127.0.0.1:5300/bots/1',
        'encrypt-key': '',
        'enable-stream-reply': 'false',
        app_type: 'self',
        bot_added_welcome: '',
        lark_tenant_key: '',
        bot_account_id: 'Parley',
        api_base_url,
      };
    },
    platform: createLark(larkTiming),
    deliveries: { socket: () => FakeLark.start(), webhook: () => FakeLark.start({ mode: 'webhook' }) },
    signed: ['webhook'],
  },
};
