import type { Platform } from '@parley/sdk';
import { LarkConfig, type LarkSettings } from './config.ts';
import { icon } from './icon.ts';
import { larkElements, split } from './render.ts';
import { setupSteps } from './setup-steps.ts';
import { parseTarget } from './target.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** Lark and Feishu bots, over a long connection or a webhook. */
export const lark: Platform = createLark();

/** @param timing overrides of defaults, for tests */
export function createLark(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  const card = {
    mode: 'replace',
    interval_ms: complete.cardUpdateMs,
    text_limit: { most: 20_000, unit: 'bytes' },
  } as const;
  const streams = {
    person: { ...card, duration_ms: complete.cardStreamMs },
    group: { ...card, duration_ms: complete.cardStreamMs },
  };
  const capabilities: Platform['capabilities'] = {
    // Users in the range of the app, and groups that the bot is in.
    proactive: 'any',
    streams,
    // Rich text takes 30 KB of JSON, in which characters may be escaped twice.
    text_limit: { most: 12_000, unit: 'bytes' },
    idempotent_sends: true,
    idempotency_ms: 3_600_000,
    elements: larkElements,
    webhook: true,
  };
  return {
    name: 'lark',
    label: { en_US: 'Lark', zh_Hans: '飞书', ja_JP: 'Lark' },
    description: {
      en_US: 'A bot of Lark or Feishu, in private chats and groups',
      zh_Hans: '飞书或 Lark 机器人，支持私聊与群组',
      ja_JP: 'LarkまたはFeishuのボット。個人チャットとグループに対応',
    },
    categories: ['popular', 'china'],
    icon,
    help_links: {
      en: 'https://open.larksuite.com/document/client-docs/bot-v3/bot-overview',
      zh: 'https://open.feishu.cn/document/client-docs/bot-v3/bot-overview',
      ja: 'https://open.larksuite.com/document/client-docs/bot-v3/bot-overview',
    },
    setup_steps: setupSteps,
    capabilities,
    capabilitiesOf: (config) => {
      const { app_type, 'enable-webhook': webhook, 'enable-stream-reply': isStreamed } = config as LarkSettings;
      return {
        ...capabilities,
        webhook,
        streams: isStreamed ? streams : {},
        ...(app_type === 'isv' ? { reply_context: true } : {}),
      };
    },
    receives: (config) => ((config as Partial<LarkSettings>)['enable-webhook'] ? 'requests' : 'connection'),
    config: LarkConfig,
    config_aliases: {
      lark_tenant_key: null,
      bot_added_welcome: 'welcome_text',
    },
    testable: true,
    login: {
      label: { en_US: 'Sign in with Lark', zh_Hans: '飞书扫码登录', ja_JP: 'Larkでサインイン' },
      description: {
        en_US: 'Scan a QR code in the Lark app. An app with a bot is created for you, and its credentials are saved.',
        zh_Hans: '使用飞书扫描二维码，将自动创建带机器人的应用并保存其凭证。',
        ja_JP: 'LarkアプリでQRコードをスキャンすると、ボット付きのアプリが作成され、認証情報が保存されます。',
      },
    },
    load: async () => {
      const { LarkAdapter } = await import('./adapter.ts');
      const [{ test }, { login }, { verifyAddress }] = await Promise.all([
        import('./connection-test.ts'),
        import('./login.ts'),
        import('./webhook.ts'),
      ]);
      return {
        create: (config, context) => new LarkAdapter(config as LarkSettings, context, complete),
        split: (chain) => split(chain),
        parseTarget,
        verifyAddress: async (config, request) => {
          const { 'enable-webhook': webhook, 'encrypt-key': key } = config as LarkSettings;
          return webhook ? verifyAddress(key.trim(), request) : null;
        },
        test: (config, context) => test(config as LarkSettings, context, complete),
        login: (config, context) => login(config as LarkSettings, context, complete),
      };
    },
  };
}
