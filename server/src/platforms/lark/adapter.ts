import type { DeliveryTarget, MessageNames, PlatformAdapter, PlatformContext } from '@parley/sdk';
import { ConnectedAdapter } from '../../kit/connections/connected-adapter.ts';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import type { LarkSettings } from './config.ts';
import { Connection } from './connection.ts';
import type { Timing } from './timing.ts';

/** One bot of Lark. */
export class LarkAdapter extends ConnectedAdapter<Connection> {
  readonly handleWebhook?: Required<PlatformAdapter>['handleWebhook'];

  constructor(settings: LarkSettings, context: PlatformContext, timing: Timing) {
    super(new ConnectionLife(() => new Connection(settings, context, timing)), {
      isStreamed: settings['enable-stream-reply'],
    });
    if (settings['enable-webhook']) this.handleWebhook = async (request) => this.life.up.handleWebhook(request);
  }

  async namesOf(target: DeliveryTarget, senderId: string): Promise<MessageNames> {
    return this.life.up.namesOf(target, senderId);
  }
}
