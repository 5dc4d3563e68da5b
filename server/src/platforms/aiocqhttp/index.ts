import type { Platform, PlatformCapabilities } from '@parley/sdk';
import { ArrivalQueues } from '../../kit/retry/arrival-queue.ts';
import { parseTarget } from './chat.ts';
import { OneBotConfig, type OneBotSettings } from './config.ts';
import { oneBotElements } from './render.ts';
import { setupSteps } from './setup-steps.ts';
import { longestText, splitChain } from './split.ts';
import { defaultTiming, type Timing } from './timing.ts';

const capabilities: PlatformCapabilities = {
  // Friends of the account, and groups that it is in.
  proactive: 'known',
  streams: {},
  text_limit: { most: longestText, unit: 'utf16' },
  idempotent_sends: false,
  elements: oneBotElements,
  webhook: false,
  inbound_sockets: true,
};

/** QQ accounts behind a client that speaks OneBot v11. */
export const aiocqhttp: Platform = createOneBot();

/** @param timing overrides of defaults, for tests */
export function createOneBot(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  const queues = new ArrivalQueues();
  return {
    name: 'aiocqhttp',
    label: { en_US: 'OneBot v11 (QQ)', zh_Hans: 'OneBot v11（QQ）', ja_JP: 'OneBot v11（QQ）' },
    description: {
      en_US: 'A QQ account through a client that speaks OneBot v11, such as NapCat or LLBot',
      zh_Hans: '通过支持 OneBot v11 的客户端（如 NapCat、LLBot）接入 QQ 账号',
      ja_JP: 'OneBot v11対応クライアント（NapCat、LLBotなど）を通じたQQアカウント',
    },
    brand: 'qq',
    categories: ['protocol'],
    help_links: {
      en: 'https://napneko.github.io/',
      zh: 'https://napneko.github.io/',
      ja: 'https://napneko.github.io/',
    },
    setup_steps: setupSteps,
    capabilities,
    capabilitiesOf: ({ connection }) => ({ ...capabilities, inbound_sockets: connection !== 'forward' }),
    config: OneBotConfig,
    testable: true,
    load: async () => {
      const [{ OneBotAdapter }, { testConfig }] = await Promise.all([
        import('./adapter.ts'),
        import('./test-config.ts'),
      ]);
      return {
        create: (config, context) => new OneBotAdapter(config as OneBotSettings, context, { timing: complete, queues }),
        // A message of nothing is refused when it is sent.
        split: (chain) => (splitChain(chain).length === 0 ? [chain] : splitChain(chain)),
        parseTarget,
        test: (config, context) => testConfig(config as OneBotSettings, context, complete.actionMs),
      };
    },
  };
}
