import {
  type Logger,
  type MessageEvent,
  type MessageReceipt,
  ParleyError,
  type Platform,
  type PlatformAdapter,
  type PlatformContext,
} from '@parley/sdk';
import type { SecretBox } from '../../lib/secret-box.ts';
import { openConfig } from '../secrets/secret-fields.ts';
import type { StoredBot } from './bot.ts';
import type { BotStore } from './bot-store.ts';

/** A bot whose connection to its platform is up. */
export interface RunningBot {
  uuid: string;
  platform: Platform;
  adapter: PlatformAdapter;
}

export interface BotRuntimeOptions {
  platforms: readonly Platform[];
  secrets: SecretBox;
  logger: Logger;
  receive: (botUuid: string, event: MessageEvent) => Promise<MessageReceipt>;
  /** What every adapter may use. */
  facilities: Pick<PlatformContext, 'fetch' | 'storeMedia' | 'readMedia'>;
  /** Address under which platforms reach the service; null when it has none. */
  publicUrl: string | null;
}

/** Holds the connections of all enabled bots. */
export class BotRuntime {
  readonly #store: BotStore;
  readonly #options: BotRuntimeOptions;
  readonly #platforms: ReadonlyMap<string, Platform>;
  readonly #running = new Map<string, RunningBot>();

  constructor(store: BotStore, options: BotRuntimeOptions) {
    this.#store = store;
    this.#options = options;
    this.#platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  }

  /** Starts every enabled bot. One that fails is logged and does not keep the others from starting. */
  async start(): Promise<void> {
    const bots = await this.#store.stored();
    await Promise.all(bots.filter((bot) => bot.enable).map((bot) => this.#startBot(bot)));
  }

  async stop(): Promise<void> {
    const running = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(running.map((bot) => bot.adapter.stop()));
  }

  /** @throws ParleyError `bot_not_running` */
  running(botUuid: string): RunningBot {
    const bot = this.#running.get(botUuid);
    if (bot === undefined) throw new ParleyError('bot_not_running', 'The bot is not connected to its platform');
    return bot;
  }

  isRunning(botUuid: string): boolean {
    return this.#running.has(botUuid);
  }

  platform(name: string): Platform | undefined {
    return this.#platforms.get(name);
  }

  async #startBot(bot: StoredBot): Promise<void> {
    const logger = this.#options.logger;
    const platform = this.#platforms.get(bot.adapter);
    if (platform === undefined) {
      logger.error({ bot: bot.uuid, adapter: bot.adapter }, 'bot not started: there is no such platform');
      return;
    }
    try {
      const { secrets, receive, facilities, publicUrl } = this.#options;
      const config = openConfig(secrets, platform.config, bot.adapter_config, bot.sealed_secrets, `bot/${bot.uuid}`);
      const adapter = platform.create(config, {
        ...facilities,
        bot_uuid: bot.uuid,
        logger,
        receive: (event) => receive(bot.uuid, event),
        reportConnection: (report) => logger.info({ bot: bot.uuid, ...report }, 'the connection of a bot changed'),
        webhook_url: publicUrl === null ? null : `${publicUrl}/bots/${bot.uuid}`,
      });
      await adapter.start();
      this.#running.set(bot.uuid, { uuid: bot.uuid, platform, adapter });
    } catch (error) {
      logger.error({ bot: bot.uuid, adapter: bot.adapter, error }, 'bot not started');
    }
  }
}
