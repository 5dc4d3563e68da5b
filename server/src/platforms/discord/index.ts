import type { Platform } from '@parley/sdk';
import { DiscordConfig } from './config.ts';
import { discordElements } from './elements.ts';
import { setupSteps } from './setup-steps.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** Discord bots, over the gateway. */
export const discord: Platform = createDiscord();

/** @param timing overrides of defaults, for tests */
export function createDiscord(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  return {
    name: 'discord',
    label: { en_US: 'Discord', zh_Hans: 'Discord', ja_JP: 'Discord' },
    description: {
      en_US: 'A Discord bot in servers, threads and direct messages',
      zh_Hans: 'Discord 机器人，支持服务器频道、子区与私信',
      ja_JP: 'Discordのサーバー、スレッド、ダイレクトメッセージで使えるボット',
    },
    brand: 'discord',
    categories: ['popular', 'global'],
    help_links: {
      en: 'https://docs.discord.com/developers/quick-start/getting-started',
      zh: 'https://docs.discord.com/developers/quick-start/getting-started',
      ja: 'https://docs.discord.com/developers/quick-start/getting-started',
    },
    setup_steps: setupSteps,
    capabilities: {
      // Users must share a server with the bot, and a server must have added it.
      proactive: 'known',
      streams: {
        person: { mode: 'replace', interval_ms: complete.editMs },
        group: { mode: 'replace', interval_ms: complete.editMs },
      },
      text_limit: { most: 2000, unit: 'code_points' },
      idempotent_sends: true,
      // A nonce is known for "a few minutes". https://docs.discord.com/developers/resources/message#create-message
      idempotency_ms: 120_000,
      elements: discordElements,
      webhook: false,
      // https://docs.discord.com/developers/resources/channel#trigger-typing-indicator
      typing_ms: 10_000,
    },
    config: DiscordConfig,
    testable: true,
    load: async () => (await import('./adapter.ts')).loadDiscord(complete),
  };
}
