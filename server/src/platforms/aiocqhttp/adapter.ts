import {
  type DeliveryTarget,
  type MessageNames,
  type OutgoingMessage,
  ParleyError,
  type PlatformAdapter,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
  type SocketDecision,
  type SocketRequest,
} from '@parley/sdk';
import type { OneBotSettings } from './config.ts';
import { Connection } from './connection.ts';
import { fetchMedia } from './media.ts';
import { lookUpNames } from './names.ts';
import type { Timing } from './timing.ts';

/** A bot that speaks OneBot v11 with a QQ client. */
export class OneBotAdapter implements PlatformAdapter {
  readonly #settings: OneBotSettings;
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  #connection: { made: Connection; opened: Promise<void> } | null = null;

  constructor(settings: OneBotSettings, context: PlatformContext, timing: Timing) {
    this.#settings = settings;
    this.#context = context;
    this.#timing = timing;
  }

  async start(): Promise<void> {
    if (this.#connection === null) {
      const made = new Connection(this.#settings, this.#context, this.#timing);
      this.#connection = { made, opened: made.open() };
    }
    const connection = this.#connection;
    try {
      await connection.opened;
    } catch (error) {
      if (this.#connection === connection) await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null) return;
    await connection.made.close();
    await connection.opened.catch(() => undefined);
  }

  accountId(): string | null {
    return this.#connection?.made.clients.account ?? null;
  }

  acceptSocket(request: SocketRequest): SocketDecision {
    return this.#connection?.made.reverse?.accept(request) ?? { status: 404 };
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#current().sender.send(message, progress);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.#current().sender.awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const connection = this.#current();
    const lookUp: Connection['lookUp'] = (...call) => connection.lookUp(...call);
    return fetchMedia(value, { context: this.#context, ids: connection.ids, lookUp }, signal);
  }

  async namesOf(target: DeliveryTarget, senderId: string, signal: AbortSignal): Promise<MessageNames> {
    const connection = this.#current();
    return lookUpNames(target, senderId, {
      ids: connection.ids,
      lookUp: (action, params) => connection.lookUp(action, params, signal),
    });
  }

  /** Checks that the client responds. */
  async probe(): Promise<void> {
    await this.#current().lookUp('get_login_info', {}, AbortSignal.timeout(this.#timing.actionMs));
  }

  #current(): Connection {
    if (this.#connection === null) throw new ParleyError('bot_not_running', 'The bot is not started');
    return this.#connection.made;
  }
}
