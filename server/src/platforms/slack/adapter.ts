import type { DeliveryTarget, MessageNames, PlatformContext, WebhookRequest, WebhookResponse } from '@parley/sdk';
import { ConnectedAdapter } from '../../kit/connections/connected-adapter.ts';
import { MadeConnectionLife } from '../../kit/connections/connection-life.ts';
import type { SlackSettings } from './config.ts';
import { type Connection, connect, receive } from './connection.ts';
import type { Timing } from './timing.ts';

/** A bot of a Slack app in one workspace. */
export class SlackAdapter extends ConnectedAdapter<Connection> {
  readonly #settings: SlackSettings;
  readonly #context: PlatformContext;

  constructor(settings: SlackSettings, context: PlatformContext, timing: Timing) {
    const life = new MadeConnectionLife((signal) => connect(settings, context, { timing, signal }));
    super(life, { isStreamed: settings['enable-stream-reply'] });
    this.#settings = settings;
    this.#context = context;
  }

  async namesOf(target: DeliveryTarget, senderId: string): Promise<MessageNames> {
    return this.life.up.namesOf(target, senderId);
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.life.up.showTyping(target);
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    if (this.isUnstarted) return receive(this.#settings, this.#context, request);
    return this.life.up.handleWebhook(request);
  }
}
