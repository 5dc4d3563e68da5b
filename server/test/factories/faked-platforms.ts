import type { Platform } from '@parley/sdk';
import type { FakePlatform } from '@parley/sdk/testing';
import { createOneBot } from '../../src/platforms/aiocqhttp/index.ts';
import { startFakeOneBot } from '../../src/platforms/aiocqhttp/testing/fake-onebot.ts';
import { quickTiming as oneBotTiming } from '../../src/platforms/aiocqhttp/testing/start-adapter.ts';
import { createDingTalk } from '../../src/platforms/dingtalk/index.ts';
import { FakeDingTalk } from '../../src/platforms/dingtalk/testing/fake-dingtalk.ts';
import { quickTiming as dingTalkTiming } from '../../src/platforms/dingtalk/testing/quick-timing.ts';
import { createDiscord } from '../../src/platforms/discord/index.ts';
import { startFakeDiscord } from '../../src/platforms/discord/testing/fake-discord.ts';
import { quickTiming as discordTiming } from '../../src/platforms/discord/testing/start-adapter.ts';
import { createLark } from '../../src/platforms/lark/index.ts';
import { FakeLark } from '../../src/platforms/lark/testing/fake-lark.ts';
import { quickTiming as larkTiming } from '../../src/platforms/lark/testing/quick-timing.ts';
import { createSlack } from '../../src/platforms/slack/index.ts';
import { startFakeSlack } from '../../src/platforms/slack/testing/fake-slack.ts';
import { quickTiming as slackTiming } from '../../src/platforms/slack/testing/quick-timing.ts';
import { createTelegram } from '../../src/platforms/telegram/index.ts';
import { parrot } from '../../src/platforms/telegram/testing/fixtures.ts';
import { quickTiming as telegramTiming } from '../../src/platforms/telegram/testing/start-adapter.ts';
import { startTelegramDriver } from '../../src/platforms/telegram/testing/telegram-driver.ts';
import { createWecomBot } from '../../src/platforms/wecombot/index.ts';
import { startFakeWecomBot } from '../../src/platforms/wecombot/testing/fake-wecombot.ts';
import { quickTiming as wecomBotTiming } from '../../src/platforms/wecombot/testing/quick-timing.ts';

/** One way in which a platform delivers events. */
export interface FakedDelivery {
  /** Chooses it, beside the configuration of the fake. */
  config: Record<string, unknown>;
  /**
   * @param account which of several bots it has. Default: 0
   * @param pace `real` with the pauses of the platform itself, for load. Default: `quick`
   */
  fake(account?: number, pace?: 'quick' | 'real'): Promise<FakePlatform>;
}

/** A platform with a fake, for tests with the whole service. */
export interface FakedPlatform {
  /** @param account which of several bots it has. Default: 0 */
  start(account?: number): Promise<FakePlatform>;
  /** With the configuration of the fake itself, answers are streamed. */
  streams: boolean;
  /**
   * An answer that was shown in part goes on in the same message after a crash, although sends are not idempotent in
   * general. Default: where they are.
   */
  isContinued?: boolean;
  /** A configuration as the reference system saves it: numbers and booleans as texts, and fields for display only. */
  saved(fake: FakePlatform): Record<string, unknown>;
  /** Between a chat and a thread in targets. Default: `_`. */
  separator?: string;
  /** With times in which a test need not wait. */
  platform: Platform;
  /** Fakes by how events are delivered. */
  deliveries: Record<string, FakedDelivery>;
}

/** By the name of the adapter. */
export const fakedPlatforms: Record<string, FakedPlatform> = {
  aiocqhttp: {
    start: (account = 0) => startFakeOneBot({ account: `${10_000 + account}` }),
    streams: false,
    saved: (fake) => {
      const { host, port, 'access-token': token } = fake.config();
      return { host, port: String(port), 'access-token': token };
    },
    platform: createOneBot(oneBotTiming),
    deliveries: {
      reverse: { config: {}, fake: (account = 0) => startFakeOneBot({ account: `${10_000 + account}` }) },
      forward: {
        config: {},
        fake: (account = 0) => startFakeOneBot({ mode: 'forward', account: `${10_000 + account}` }),
      },
    },
  },
  dingtalk: {
    start: (account = 0) => FakeDingTalk.start({ account: `dingrobot${account}` }),
    streams: true,
    isContinued: true,
    saved: (fake) => {
      const { client_id, client_secret, robot_code, robot_name, api_base_url, oapi_base_url } = fake.config();
      return {
        client_id,
        client_secret,
        robot_code,
        robot_name,
        markdown_card: 'true',
        'enable-stream-reply': 'false',
        'card_ auto_layout': 'false',
        card_template_id: '填写你的卡片template_id',
        bot_account_id: 'Parley',
        api_base_url,
        oapi_base_url,
      };
    },
    platform: createDingTalk(dingTalkTiming),
    deliveries: {
      session: { config: {}, fake: (account = 0) => FakeDingTalk.start({ account: `dingrobot${account}` }) },
      api: { config: {}, fake: (account = 0) => FakeDingTalk.start({ mode: 'api', account: `dingrobot${account}` }) },
    },
  },
  discord: {
    start: (account = 0) => startFakeDiscord({ account: `6000000000000001${account + 10}` }),
    streams: true,
    saved: (fake) => {
      const { client_id, token, api_base_url } = fake.config();
      return { client_id, token, api_base_url, 'enable-stream-reply': 'false', bot_account_id: '1' };
    },
    platform: createDiscord(discordTiming),
    deliveries: {
      gateway: {
        config: {},
        fake: (account = 0) => startFakeDiscord({ account: `6000000000000001${account + 10}` }),
      },
    },
  },
  lark: {
    start: (account = 0) => FakeLark.start({ account: `ou_bot${account}` }),
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
    deliveries: {
      socket: { config: {}, fake: (account = 0) => FakeLark.start({ account: `ou_bot${account}` }) },
      webhook: {
        config: {},
        fake: (account = 0) => FakeLark.start({ mode: 'webhook', account: `ou_bot${account}` }),
      },
    },
  },
  slack: {
    start: async (account = 0) => {
      const fake = await startFakeSlack('socket', `U0BOT${account}`);
      // Optional: without it, messages are found in direct messages only.
      fake.workspace.scopes.add('channels:history');
      return fake;
    },
    streams: true,
    isContinued: true,
    separator: '#',
    saved: (fake) => {
      const { bot_token, app_token, api_base_url } = fake.config();
      return { bot_token, signing_secret: '', app_token, api_base_url, webhook_url: 'http://127.0.0.1:5300/bots/1' };
    },
    platform: createSlack(slackTiming),
    deliveries: {
      webhook: { config: {}, fake: (account = 0) => startFakeSlack('webhook', `U0BOT${account}`) },
      socket: { config: {}, fake: (account = 0) => startFakeSlack('socket', `U0BOT${account}`) },
    },
  },
  telegram: {
    start: (account = 0) => startTelegramDriver({}, { ...parrot, id: parrot.id + account }),
    streams: true,
    separator: '#',
    saved: (fake) => {
      const { token, api_base_url } = fake.config();
      return { token, api_base_url, markdown_card: 'true', 'enable-stream-reply': 'false', bot_account_id: '1' };
    },
    platform: createTelegram(telegramTiming),
    deliveries: { polling: telegramBy(false), webhook: telegramBy(true) },
  },
  wecombot: {
    start: (account = 0) => startFakeWecomBot({ account: `aibBot${account}` }),
    streams: true,
    isContinued: true,
    saved: (fake) => {
      const { BotId, Secret, robot_name, websocket_url } = fake.config();
      return {
        BotId,
        robot_name,
        'enable-webhook': 'false',
        webhook_url: 'http://127.0.0.1:5300/bots/1',
        Secret,
        Corpid: '',
        Token: '',
        EncodingAESKey: '',
        'enable-stream-reply': 'true',
        bot_account_id: 'Parrot',
        websocket_url,
      };
    },
    platform: createWecomBot(wecomBotTiming),
    deliveries: {
      socket: { config: {}, fake: (account = 0) => startFakeWecomBot({ account: `aibBot${account}` }) },
      webhook: {
        config: { 'enable-webhook': true },
        fake: (account = 0, pace = 'quick') =>
          startFakeWecomBot({ mode: 'webhook', account: `aibBot${account}`, ...(pace === 'real' && { pollMs: 1000 }) }),
      },
    },
  },
};

function telegramBy(isWebhook: boolean): FakedDelivery {
  const config = { 'enable-webhook': isWebhook };
  return { config, fake: (account = 0) => startTelegramDriver(config, { ...parrot, id: parrot.id + account }) };
}
