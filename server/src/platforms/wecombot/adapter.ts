import type {
  DeliveryTarget,
  OutgoingMessage,
  PlatformAdapter,
  PlatformContext,
  SendProgress,
  SentMessage,
} from '@parley/sdk';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import type { WecomBotSettings } from './config.ts';
import type { Connection } from './connection.ts';
import { SocketConnection } from './socket-connection.ts';
import type { Timing } from './timing.ts';
import { WebhookConnection } from './webhook-connection.ts';

const noProgress: SendProgress = { handle: null, isInterrupted: false, store: async () => undefined };

/** One AI bot of WeCom. */
export class WecomBotAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly handleWebhook?: Required<PlatformAdapter>['handleWebhook'];
  readonly showTyping?: Required<PlatformAdapter>['showTyping'];
  readonly probe?: Required<PlatformAdapter>['probe'];
  readonly #life: ConnectionLife<Connection>;
  readonly #accountId: string;

  constructor(settings: WecomBotSettings, context: PlatformContext, timing: Timing) {
    const isWebhook = settings['enable-webhook'];
    const Mode = isWebhook ? WebhookConnection : SocketConnection;
    this.#accountId = settings.BotId.trim();
    this.#life = new ConnectionLife<Connection>(() => new Mode(settings, context, timing));
    if (settings['enable-stream-reply']) {
      this.stream = async (message, progress = noProgress) => this.#life.up.stream(message, progress);
    }
    if (isWebhook) {
      this.handleWebhook = async (request) => (this.#life.up as WebhookConnection).handleWebhook(request);
      this.showTyping = async (target) => this.#life.up.showTyping?.(target);
    } else this.probe = async () => this.#life.up.probe?.();
  }

  async start(): Promise<void> {
    await this.#life.start();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  accountId(): string | null {
    return this.#accountId || null;
  }

  async send(message: OutgoingMessage, progress: SendProgress = noProgress): Promise<SentMessage> {
    return this.#life.up.send(message, progress);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.#life.up.awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.#life.up.fetchMedia(value, signal);
  }
}
