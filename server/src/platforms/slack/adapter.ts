import type {
  DeliveryTarget,
  MessageNames,
  OutgoingMessage,
  PlatformAdapter,
  PlatformContext,
  SendProgress,
  SentMessage,
  WebhookRequest,
  WebhookResponse,
} from '@parley/sdk';
import { ConnectionLife, MadeConnection, madeBy } from '../../kit/connections/connection-life.ts';
import type { SlackSettings } from './config.ts';
import { type Connection, connect } from './connection.ts';
import type { Timing } from './timing.ts';

/** A bot of a Slack app in one workspace. */
export class SlackAdapter implements PlatformAdapter {
  readonly stream?: Required<PlatformAdapter>['stream'];
  readonly #life: ConnectionLife<MadeConnection<Connection>>;

  constructor(settings: SlackSettings, context: PlatformContext, timing: Timing) {
    this.#life = new ConnectionLife(
      () => new MadeConnection((signal) => connect(settings, context, { timing, signal })),
    );
    if (settings['enable-stream-reply'])
      this.stream = async (message, progress) => madeBy(this.#life).stream(message, progress);
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  accountId(): string | null {
    return this.#life.present?.made?.accountId ?? null;
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    const stream = await madeBy(this.#life).stream(message, progress);
    return stream.finish(message.message_chain);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await madeBy(this.#life).awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return madeBy(this.#life).fetchMedia(value, signal);
  }

  async namesOf(target: DeliveryTarget, senderId: string): Promise<MessageNames> {
    return madeBy(this.#life).namesOf(target, senderId);
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await madeBy(this.#life).showTyping(target);
  }

  async probe(): Promise<void> {
    await madeBy(this.#life).probe();
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    return madeBy(this.#life).handleWebhook(request);
  }
}
