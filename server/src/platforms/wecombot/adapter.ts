import type { PlatformAdapter, PlatformContext } from '@parley/sdk';
import { ConnectedAdapter } from '../../kit/connections/connected-adapter.ts';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import type { WecomBotSettings } from './config.ts';
import { SocketConnection, type SocketConnectionOptions } from './socket-connection.ts';
import { WebhookConnection } from './webhook-connection.ts';

/** One AI bot of WeCom. */
export class WecomBotAdapter extends ConnectedAdapter<SocketConnection | WebhookConnection> {
  readonly handleWebhook?: Required<PlatformAdapter>['handleWebhook'];
  readonly showTyping?: Required<PlatformAdapter>['showTyping'];
  /** Takes requests where the bot is not connected. */
  #receiver: WebhookConnection | null = null;

  constructor(settings: WecomBotSettings, context: PlatformContext, options: SocketConnectionOptions) {
    const { timing } = options;
    const isWebhook = settings['enable-webhook'];
    const connect = () =>
      isWebhook ? new WebhookConnection(settings, context, timing) : new SocketConnection(settings, context, options);
    super(new ConnectionLife<SocketConnection | WebhookConnection>(connect), {
      isStreamed: settings['enable-stream-reply'],
    });
    if (!isWebhook) return;
    this.handleWebhook = async (request) => {
      if (!this.isUnstarted) return this.#webhook.handleWebhook(request);
      this.#receiver ??= new WebhookConnection(settings, context, timing);
      return this.#receiver.handleWebhook(request);
    };
    this.showTyping = async (target) => this.#webhook.noteTyping(target);
  }

  override async stop(): Promise<void> {
    await Promise.all([super.stop(), this.#receiver?.stop()]);
  }

  get #webhook(): WebhookConnection {
    return this.life.up as WebhookConnection;
  }
}
