import {
  type ConnectionReport,
  type DeliveryTarget,
  type OutgoingMessage,
  ParleyError,
  type Platform,
  type PlatformAdapter,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import { parseTarget } from './chat.ts';
import { TelegramConfig, type TelegramSettings } from './config.ts';
import { type Connection, connect, identify } from './connection.ts';
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
    config: TelegramConfig,
    testable: true,
    load: async () => ({
      create: (config, context) => new TelegramAdapter(config as TelegramSettings, context, complete),
      parseTarget: (_sessionType, targetId) => parseTarget(targetId),
      test: (config, context) => identify(config as TelegramSettings, context, complete),
    }),
  };
}

class TelegramAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly #settings: TelegramSettings;
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  /** The connection, from the start of its setup. */
  #connection: { made: Promise<Connection>; end: AbortController } | null = null;
  #connected: Connection | null = null;

  constructor(settings: TelegramSettings, context: PlatformContext, timing: Timing) {
    this.#settings = settings;
    this.#context = context;
    this.#timing = timing;
    if (settings['enable-stream-reply'])
      this.stream = async ({ target }, progress) => this.#current().stream(target, progress);
  }

  async start(): Promise<void> {
    if (this.#connection === null) {
      const end = new AbortController();
      const report = reportChanges((change) => this.#context.reportConnection(change));
      const made = connect(this.#settings, this.#context, { timing: this.#timing, report, signal: end.signal });
      this.#connection = { made, end };
    }
    const connection = this.#connection;
    try {
      const connected = await connection.made;
      if (this.#connection === connection) this.#connected = connected;
    } catch (error) {
      if (this.#connection === connection) this.#connection = null;
      throw error;
    }
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    this.#connected = null;
    if (connection === null) return;
    connection.end.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    const made = await connection.made.catch(() => null);
    await made?.stop();
  }

  accountId(): string | null {
    return this.#connected?.accountId ?? null;
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#current().send(message.target, message.message_chain, progress);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.#current().awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.#current().fetchMedia(value, signal);
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.#current().showTyping(target);
  }

  async probe(): Promise<void> {
    await this.#current().probe();
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    return this.#current().handleWebhook(request);
  }

  #current(): Connection {
    if (this.#connected === null) throw new ParleyError('bot_not_running', 'The bot is not connected to Telegram');
    return this.#connected;
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
