import {
  type ConnectionReport,
  type DeliveryTarget,
  type OutgoingMessage,
  ParleyError,
  type PlatformAdapter,
  type PlatformContext,
  type PlatformImplementation,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import { loadMarkdownReader } from '../../kit/markdown/markdown-reader.ts';
import { checkAccount } from './check-account.ts';
import type { DiscordSettings } from './config.ts';
import { Connection } from './connection.ts';
import { createFormat, type Format } from './markdown.ts';
import { splitChain } from './render.ts';
import { parseTarget } from './target.ts';
import type { Timing } from './timing.ts';

/** The code of the platform. Configurations were checked against its schema. */
export async function loadDiscord(timing: Timing): Promise<PlatformImplementation> {
  const format = createFormat(await loadMarkdownReader(['http', 'https', 'mailto']));
  return {
    create: (config, context) => new DiscordAdapter(config as DiscordSettings, context, { timing, format }),
    split: (chain) => {
      const parts = splitChain(chain, format);
      return parts.length < 2 ? [chain] : parts;
    },
    parseTarget,
    test: (config, context) => checkAccount(config as DiscordSettings, context, timing),
  };
}

class DiscordAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly #settings: DiscordSettings;
  readonly #context: PlatformContext;
  readonly #options: { timing: Timing; format: Format };
  #connection: { made: Connection; started: Promise<void> } | null = null;

  constructor(settings: DiscordSettings, context: PlatformContext, options: { timing: Timing; format: Format }) {
    this.#settings = settings;
    this.#context = context;
    this.#options = options;
    if (settings['enable-stream-reply'])
      this.stream = async (message, progress) => this.#current().stream(message, progress);
  }

  async start(): Promise<void> {
    if (this.#connection === null) {
      const report = (change: ConnectionReport) => this.#context.reportConnection(change);
      const made = new Connection(this.#settings, this.#context, { ...this.#options, report });
      this.#connection = { made, started: made.start() };
    }
    const connection = this.#connection;
    try {
      await connection.started;
    } catch (error) {
      if (this.#connection === connection) await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    await connection?.made.stop(new ParleyError('bot_not_running', 'The bot was stopped'));
  }

  accountId(): string | null {
    return this.#connection?.made.accountId ?? null;
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#current().send(message, progress);
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

  #current(): Connection {
    if (this.#connection === null) throw new ParleyError('bot_not_running', 'The bot is not connected to Discord');
    return this.#connection.made;
  }
}
