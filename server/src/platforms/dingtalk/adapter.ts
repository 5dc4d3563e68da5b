import type {
  DeliveryTarget,
  OutgoingMessage,
  PlatformAdapter,
  PlatformContext,
  SendProgress,
  SentMessage,
} from '@parley/sdk';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import type { DingTalkSettings } from './config.ts';
import { Connection } from './connection.ts';
import type { Timing } from './timing.ts';

/** One robot of DingTalk. */
export class DingTalkAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly #life: ConnectionLife<Connection>;

  constructor(settings: DingTalkSettings, context: PlatformContext, timing: Timing) {
    this.#life = new ConnectionLife(() => new Connection(settings, context, timing));
    if (settings['enable-stream-reply']) {
      this.stream = async (message, progress) => this.#life.up.stream(message, progress);
    }
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

  async probe(): Promise<void> {
    await this.#life.up.probe();
  }
}
