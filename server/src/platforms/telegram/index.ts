import type {
  ConnectionReport,
  DeliveryTarget,
  Platform,
  PlatformContext,
  WebhookRequest,
  WebhookResponse,
} from '@parley/sdk';
import { ConnectedAdapter } from '../../kit/connections/connected-adapter.ts';
import { MadeConnectionLife } from '../../kit/connections/connection-life.ts';
import { parseTarget } from './chat.ts';
import { TelegramConfig, type TelegramSettings } from './config.ts';
import { type Connection, connect, identify, receive } from './connection.ts';
import { telegramElements } from './render.ts';
import { setupSteps } from './setup-steps.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** Telegram bots, over long polling or a webhook. */
export const telegram: Platform = createTelegram();

/** @param timing overrides of defaults, for tests */
export function createTelegram(timing: Partial<Timing> = {}): Platform {
  const complete = { ...defaultTiming, ...timing };
  return {
    name: 'telegram',
    label: { en_US: 'Telegram', zh_Hans: 'Telegram', ja_JP: 'Telegram' },
    description: {
      en_US: 'A Telegram bot in private chats and groups',
      zh_Hans: '通过 @BotFather 创建的 Telegram 机器人，支持私聊与群组',
      ja_JP: '@BotFatherで作成したボット。Telegramの個人チャットとグループに対応',
    },
    brand: 'telegram',
    categories: ['popular'],
    help_links: {
      en: 'https://core.telegram.org/bots#how-do-i-create-a-bot',
      zh: 'https://core.telegram.org/bots#how-do-i-create-a-bot',
      ja: 'https://core.telegram.org/bots#how-do-i-create-a-bot',
    },
    setup_steps: setupSteps,
    capabilities: {
      // A user must have written to the bot first, and a group must have added it.
      proactive: 'known',
      streams: {
        person: { mode: 'replace', interval_ms: complete.personEditMs },
        group: { mode: 'replace', interval_ms: complete.groupEditMs },
      },
      // https://core.telegram.org/bots/api#sendmessage
      text_limit: { most: 4096, unit: 'utf16' },
      idempotent_sends: false,
      elements: telegramElements,
      webhook: true,
      registers_webhook: true,
      // https://core.telegram.org/bots/api#sendchataction
      typing_ms: 5000,
    },
    receives: (config) => ((config as Partial<TelegramSettings>)['enable-webhook'] ? 'requests' : 'connection'),
    config: TelegramConfig,
    testable: true,
    load: async () => ({
      create: (config, context) => new TelegramAdapter(config as TelegramSettings, context, complete),
      parseTarget: (_sessionType, targetId) => parseTarget(targetId),
      test: (config, context) => identify(config as TelegramSettings, context, complete),
    }),
  };
}

class TelegramAdapter extends ConnectedAdapter<Connection> {
  readonly #settings: TelegramSettings;
  readonly #context: PlatformContext;

  constructor(settings: TelegramSettings, context: PlatformContext, timing: Timing) {
    const life = new MadeConnectionLife((signal) => {
      const report = reportChanges((change) => context.reportConnection(change));
      return connect(settings, context, { timing, report, signal });
    });
    super(life, { isStreamed: settings['enable-stream-reply'] });
    this.#settings = settings;
    this.#context = context;
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.life.up.showTyping(target);
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    if (this.isUnstarted) return receive(this.#settings, this.#context, request);
    return this.life.up.handleWebhook(request);
  }
}

/** Reports changes only, not every successful poll. */
function reportChanges(report: (change: ConnectionReport) => void): (change: ConnectionReport) => void {
  let last = JSON.stringify({ state: 'connected' });
  return (change) => {
    const next = JSON.stringify(change);
    if (next === last) return;
    last = next;
    report(change);
  };
}
