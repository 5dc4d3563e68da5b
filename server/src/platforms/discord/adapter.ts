import type {
  ConnectionReport,
  DeliveryTarget,
  OutgoingMessage,
  PlatformAdapter,
  PlatformContext,
  PlatformImplementation,
  SendProgress,
  SentMessage,
} from '@parley/sdk';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
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
  readonly #life: ConnectionLife<Connection>;

  constructor(settings: DiscordSettings, context: PlatformContext, options: { timing: Timing; format: Format }) {
    const report = (change: ConnectionReport) => context.reportConnection(change);
    this.#life = new ConnectionLife(() => new Connection(settings, context, { ...options, report }));
    if (settings['enable-stream-reply'])
      this.stream = async (message, progress) => this.#life.up.stream(message, progress);
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  accountId(): string | null {
    return this.#life.present?.accountId ?? null;
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#life.up.send(message, progress);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.#life.up.awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.#life.up.fetchMedia(value, signal);
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.#life.up.showTyping(target);
  }

  async probe(): Promise<void> {
    await this.#life.up.probe();
  }
}
