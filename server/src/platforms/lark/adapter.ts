import type { DeliveryTarget, MessageNames, PlatformAdapter, PlatformContext } from '@parley/sdk';
import { ConnectedAdapter } from '../../kit/connections/connected-adapter.ts';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import { requireStoredAccount } from '../../kit/webhooks/signed-request.ts';
import type { LarkSettings } from './config.ts';
import { Connection } from './connection.ts';
import type { Timing } from './timing.ts';

/** One bot of Lark. */
export class LarkAdapter extends ConnectedAdapter<Connection> {
  readonly handleWebhook?: Required<PlatformAdapter>['handleWebhook'];
  /** Takes requests where the bot is not connected. */
  #receiver: Connection | null = null;

  constructor(settings: LarkSettings, context: PlatformContext, timing: Timing) {
    const create = () => new Connection(settings, context, timing);
    super(new ConnectionLife(create), { isStreamed: settings['enable-stream-reply'] });
    if (!settings['enable-webhook']) return;
    this.handleWebhook = async (request) => {
      if (!this.isUnstarted) return this.life.up.handleWebhook(request);
      // An app of the store has none before its first message.
      if (settings.app_type !== 'isv') requireStoredAccount(context);
      this.#receiver ??= create();
      return this.#receiver.handleWebhook(request);
    };
  }

  override async stop(): Promise<void> {
    await Promise.all([super.stop(), this.#receiver?.stop()]);
  }

  async namesOf(target: DeliveryTarget, senderId: string): Promise<MessageNames> {
    return this.life.up.namesOf(target, senderId);
  }
}
