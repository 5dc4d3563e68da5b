import type { Platform, PlatformCapabilities } from '@parley/sdk';
import { DingTalkConfig, type DingTalkSettings, defaultCardUpdateMs } from './config.ts';
import { dingTalkElements, longestText, split } from './render.ts';
import { setupSteps } from './setup-steps.ts';
import { parseTarget } from './target.ts';
import { defaultTiming, type Timing } from './timing.ts';

const help = 'https://open.dingtalk.com/document/orgapp/robot-overview';

/** Robots of DingTalk, over its stream connection. */
export const dingtalk: Platform = createDingTalk();

/** @param timing overrides of defaults, for tests */
export function createDingTalk(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  const capabilities: PlatformCapabilities = {
    // Users of the company, and groups that the robot is in.
    proactive: 'any',
    streams: streamsEvery(defaultCardUpdateMs),
    text_limit: { most: longestText, unit: 'bytes' },
    // Cards are recognized by their ids, messages are not.
    idempotent_sends: false,
    reply_context: true,
    elements: dingTalkElements,
    answers_quote: false,
    webhook: false,
  };
  return {
    name: 'dingtalk',
    label: { en_US: 'DingTalk', zh_Hans: '钉钉', ja_JP: 'DingTalk' },
    description: {
      en_US: 'A robot of DingTalk, in private chats and groups',
      zh_Hans: '钉钉机器人，支持单聊与群聊',
      ja_JP: 'DingTalkのロボット。個人チャットとグループに対応',
    },
    categories: ['popular', 'china'],
    help_links: { en: help, zh: help, ja: help },
    setup_steps: setupSteps,
    capabilities,
    capabilitiesOf: (config) => {
      const { 'enable-stream-reply': isStreamed, card_update_ms } = config as DingTalkSettings;
      return { ...capabilities, streams: isStreamed ? streamsEvery(card_update_ms) : {} };
    },
    config: DingTalkConfig,
    config_aliases: { 'card_ auto_layout': 'card_auto_layout' },
    testable: true,
    load: async () => {
      const [{ ConnectedAdapter }, { ConnectionLife }, { Connection }, { test }] = await Promise.all([
        import('../../kit/connections/connected-adapter.ts'),
        import('../../kit/connections/connection-life.ts'),
        import('./connection.ts'),
        import('./connection-test.ts'),
      ]);
      return {
        create: (config, context) => {
          const settings = config as DingTalkSettings;
          const isStreamed = settings['enable-stream-reply'];
          return new ConnectedAdapter(new ConnectionLife(() => new Connection(settings, context, complete)), {
            isStreamed,
          });
        },
        split: (chain) => split(chain),
        parseTarget,
        test: (config, context) => test(config as DingTalkSettings, context, complete),
      };
    },
  };
}

/** @param interval_ms between two updates of a card */
function streamsEvery(interval_ms: number): PlatformCapabilities['streams'] {
  const card = { mode: 'replace', interval_ms } as const;
  return { person: card, group: card };
}
