import {
  type DeliveryTarget,
  type MessageNames,
  type OutgoingMessage,
  ParleyError,
  type PlatformAdapter,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import type { LarkSettings } from './config.ts';
import { Connection } from './connection.ts';
import type { Timing } from './timing.ts';

/** One bot of Lark. */
export class LarkAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly handleWebhook?: Required<PlatformAdapter>['handleWebhook'];
  readonly #create: () => Connection;
  /** The connection, from the start of its setup. */
  #connection: Connection | null = null;
  #started: Promise<void> | null = null;
  #isUp = false;

  constructor(settings: LarkSettings, context: PlatformContext, timing: Timing) {
    this.#create = () => new Connection(settings, context, timing);
    if (settings['enable-stream-reply'])
      this.stream = async (message, progress) => this.#current().stream(message, progress);
    if (settings['enable-webhook']) this.handleWebhook = (request) => this.#handleWebhook(request);
  }

  async start(): Promise<void> {
    const connection = this.#connection ?? this.#create();
    this.#connection = connection;
    this.#started ??= connection.start();
    try {
      await this.#started;
      if (this.#connection === connection) this.#isUp = true;
    } catch (error) {
      if (this.#connection === connection) await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    this.#started = null;
    this.#isUp = false;
    await connection?.stop();
  }

  accountId(): string | null {
    return this.#connection?.accountId ?? null;
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

  async namesOf(target: DeliveryTarget, senderId: string): Promise<MessageNames> {
    return this.#current().namesOf(target, senderId);
  }

  async probe(): Promise<void> {
    await this.#current().probe();
  }

  async #handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    return this.#current().handleWebhook(request);
  }

  #current(): Connection {
    if (this.#connection === null || !this.#isUp) {
      throw new ParleyError('bot_not_running', 'The bot is not connected to Lark');
    }
    return this.#connection;
  }
}
