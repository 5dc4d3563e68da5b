import type { Platform, PlatformCapabilities } from '@parley/sdk';
import { SlackConfig, type SlackSettings } from './config.ts';
import { longestText, slackElements, splitChain } from './render.ts';
import { setupSteps } from './setup-steps.ts';
import { parseTarget } from './target.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** Slack apps, over a webhook or socket mode. */
export const slack: Platform = createSlack();

/** @param timing overrides of defaults, for tests */
export function createSlack(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  // https://docs.slack.dev/apis/web-api/rate-limits: calls of an app in a workspace a minute, chat.update about 50, and
  // chat.appendStream about 100.
  const perMinute = (updates: number) => ({ updates, period_ms: 60_000 });
  const stream = { mode: 'replace', interval_ms: complete.editMs, budget: perMinute(50) } as const;
  const thread_streams = {
    // A text that does not continue what is shown ends the stream, and replaces it by an edit.
    mode: 'replace',
    interval_ms: complete.appendMs,
    budget: perMinute(100),
    duration_ms: complete.streamMs,
  } as const;
  const capabilities: PlatformCapabilities = {
    // Channels that the app is in, and users of the workspace.
    proactive: 'known',
    streams: { person: stream, group: stream },
    thread_streams,
    text_limit: { most: longestText, unit: 'bytes' },
    idempotent_sends: false,
    elements: slackElements,
    webhook: true,
    // https://docs.slack.dev/reference/methods/assistant.threads.setStatus
    typing_ms: 120_000,
  };
  return {
    name: 'slack',
    label: { en_US: 'Slack', zh_Hans: 'Slack', ja_JP: 'Slack' },
    description: {
      en_US: 'A Slack app in direct messages, channels and threads',
      zh_Hans: 'Slack 应用，支持私信、频道与消息列',
      ja_JP: 'Slackアプリ。ダイレクトメッセージ、チャンネル、スレッドに対応',
    },
    categories: ['popular', 'global'],
    help_links: {
      en: 'https://api.slack.com/apps',
      zh: 'https://api.slack.com/apps',
      ja: 'https://api.slack.com/apps',
    },
    setup_steps: setupSteps,
    capabilities,
    // In socket mode, events come over a connection of the bot.
    capabilitiesOf: (config) => {
      const { app_token = '' } = config as Partial<SlackSettings>;
      return { ...capabilities, webhook: app_token.trim() === '' };
    },
    receives: (config) => ((config as Partial<SlackSettings>).app_token?.trim() ? 'connection' : 'requests'),
    config: SlackConfig,
    config_aliases: { webhook_url: null },
    testable: true,
    load: async () => {
      const [{ SlackAdapter }, { SlackApi }, { testConfig }, { verifyAddress }] = await Promise.all([
        import('./adapter.ts'),
        import('./slack-api.ts'),
        import('./identity.ts'),
        import('./webhook.ts'),
      ]);
      return {
        create: (config, context) => new SlackAdapter(config as SlackSettings, context, complete),
        // A message of nothing is refused when it is sent.
        split: (chain) => (splitChain(chain).length === 0 ? [chain] : splitChain(chain)),
        parseTarget,
        verifyAddress: (config, request) => verifyAddress(config as SlackSettings, request),
        test: (config, { fetch, signal }) => {
          const settings = config as SlackSettings;
          return testConfig(settings, new SlackApi(settings, { fetch, closed: signal, timing: complete }));
        },
      };
    },
  };
}
