import type {
  DeliveryTarget,
  MessageNames,
  OutgoingMessage,
  PlatformAdapter,
  PlatformContext,
  SendProgress,
  SentMessage,
  SocketDecision,
  SocketRequest,
} from '@parley/sdk';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import type { OneBotSettings } from './config.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { fetchMedia } from './media.ts';
import { lookUpNames } from './names.ts';

/** A bot that speaks OneBot v11 with a QQ client. */
export class OneBotAdapter implements PlatformAdapter {
  readonly #context: PlatformContext;
  readonly #actionMs: number;
  readonly #life: ConnectionLife<Connection>;

  constructor(settings: OneBotSettings, context: PlatformContext, options: ConnectionOptions) {
    this.#context = context;
    this.#actionMs = options.timing.actionMs;
    this.#life = new ConnectionLife(() => new Connection(settings, context, options));
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  accountId(): string | null {
    return this.#life.present?.clients.account ?? null;
  }

  acceptSocket(request: SocketRequest): SocketDecision {
    return this.#life.present?.reverse?.accept(request) ?? { status: 404 };
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.#life.up.sender.send(message, progress);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.#life.up.sender.awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const connection = this.#life.up;
    const lookUp: Connection['lookUp'] = (...call) => connection.lookUp(...call);
    return fetchMedia(value, { context: this.#context, ids: connection.ids, lookUp }, signal);
  }

  async namesOf(target: DeliveryTarget, senderId: string, signal: AbortSignal): Promise<MessageNames> {
    const connection = this.#life.up;
    return lookUpNames(target, senderId, {
      ids: connection.ids,
      lookUp: (action, params) => connection.lookUp(action, params, signal),
    });
  }

  /** Checks that the client responds. */
  async probe(): Promise<void> {
    await this.#life.up.lookUp('get_login_info', {}, AbortSignal.timeout(this.#actionMs));
  }
}
