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
import type { SlackSettings } from './config.ts';
import { type Connection, connect } from './connection.ts';
import type { Timing } from './timing.ts';

/** A bot of a Slack app in one workspace. */
export class SlackAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly #settings: SlackSettings;
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  /** The connection, from the start of its setup. */
  #connection: { made: Promise<Connection>; end: AbortController } | null = null;
  #connected: Connection | null = null;

  constructor(settings: SlackSettings, context: PlatformContext, timing: Timing) {
    this.#settings = settings;
    this.#context = context;
    this.#timing = timing;
    if (settings['enable-stream-reply'])
      this.stream = async ({ target }, progress) => this.#current().stream(target, progress);
  }

  async start(): Promise<void> {
    if (this.#connection === null) {
      const end = new AbortController();
      const made = connect(this.#settings, this.#context, { timing: this.#timing, signal: end.signal });
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

  async send({ target, message_chain }: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    const stream = await this.#current().stream(target, progress);
    return stream.finish(message_chain);
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
    if (this.#connected === null) throw new ParleyError('bot_not_running', 'The bot is not connected to Slack');
    return this.#connected;
  }
}
