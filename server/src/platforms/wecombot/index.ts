import type { Platform } from '@parley/sdk';
import { ArrivalQueues } from '../../kit/retry/arrival-queue.ts';
import { WecomBotConfig, type WecomBotSettings } from './config.ts';
import { longestText, socketElements, splitChain, webhookElements } from './render.ts';
import { setupSteps } from './setup-steps.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** AI bots of WeCom, over a long connection or a webhook. */
export const wecombot: Platform = createWecomBot();

/** @param timing overrides of defaults, for tests */
export function createWecomBot(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  const queues = new ArrivalQueues();
  const { refreshMs, streamMs: duration_ms, unansweredMs } = complete;
  const replaced = { mode: 'replace', interval_ms: refreshMs, duration_ms } as const;
  const pulled = { mode: 'pull', interval_ms: Math.min(refreshMs, 500), duration_ms } as const;
  const text_limit = { most: longestText, unit: 'bytes' } as const;
  const capabilities: Platform['capabilities'] = {
    // Users who wrote to the bot, and groups that it is in.
    proactive: 'known',
    streams: { person: replaced, group: replaced },
    text_limit,
    idempotent_sends: false,
    reply_context: true,
    elements: socketElements,
    webhook: true,
  };
  return {
    name: 'wecombot',
    label: { en_US: 'WeCom AI bot', zh_Hans: '企业微信智能机器人', ja_JP: 'WeCom AIボット' },
    description: {
      en_US: 'A smart bot of WeCom, in private chats and groups',
      zh_Hans: '企业微信智能机器人，支持单聊与群聊',
      ja_JP: 'WeComのスマートロボット。個人チャットとグループに対応',
    },
    categories: ['china'],
    help_links: {
      en: 'https://developer.work.weixin.qq.com/document/path/101039',
      zh: 'https://developer.work.weixin.qq.com/document/path/101039',
      ja: 'https://developer.work.weixin.qq.com/document/path/101039',
    },
    setup_steps: setupSteps,
    capabilities,
    capabilitiesOf: (config) => {
      const { 'enable-webhook': isWebhook, 'enable-stream-reply': isStreamed } = config as WecomBotSettings;
      const mode = isWebhook ? pulled : replaced;
      const streams = isStreamed ? { person: mode, group: mode } : {};
      if (!isWebhook) return { ...capabilities, webhook: false, streams };
      return {
        ...capabilities,
        proactive: 'none',
        streams,
        // One in the stream of the question, and one reply.
        text_limit: { ...text_limit, messages: 2 },
        elements: webhookElements,
        typing_ms: Math.floor(unansweredMs / 2),
      };
    },
    receives: (config) => ((config as Partial<WecomBotSettings>)['enable-webhook'] ? 'requests' : 'connection'),
    config: WecomBotConfig,
    testable: true,
    load: async () => {
      const { WecomBotAdapter } = await import('./adapter.ts');
      const [{ test }, { verifyAddress }] = await Promise.all([import('./connection-test.ts'), import('./webhook.ts')]);
      return {
        create: (config, context) =>
          new WecomBotAdapter(config as WecomBotSettings, context, { timing: complete, queues }),
        split: splitChain,
        verifyAddress: async (config, request) => {
          const settings = config as WecomBotSettings;
          return settings['enable-webhook'] ? verifyAddress(settings, request) : null;
        },
        test: (config, context) => test(config as WecomBotSettings, context),
      };
    },
  };
}
