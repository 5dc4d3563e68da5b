import type { ConnectionReport, DeliveryTarget, PlatformContext, PlatformImplementation } from '@parley/sdk';
import { ConnectedAdapter } from '../../kit/connections/connected-adapter.ts';
import { ConnectionLife } from '../../kit/connections/connection-life.ts';
import { loadMarkdownReader } from '../../kit/markdown/markdown-reader.ts';
import { checkAccount } from './check-account.ts';
import type { DiscordSettings } from './config.ts';
import { Connection } from './connection.ts';
import { createFormat, type Format } from './markdown.ts';
import { splitChain } from './render.ts';
import { parseTarget } from './target.ts';
import type { Timing } from './timing.ts';

/** The code of the platform. Configurations were checked against its schema. */
export async function loadDiscord(timing: Timing): Promise<PlatformImplementation> {
  const format = createFormat(await loadMarkdownReader(['http', 'https', 'mailto']));
  return {
    create: (config, context) => new DiscordAdapter(config as DiscordSettings, context, { timing, format }),
    split: (chain) => {
      const parts = splitChain(chain, format);
      return parts.length < 2 ? [chain] : parts;
    },
    parseTarget,
    test: (config, context) => checkAccount(config as DiscordSettings, context, timing),
  };
}

class DiscordAdapter extends ConnectedAdapter<Connection> {
  constructor(settings: DiscordSettings, context: PlatformContext, options: { timing: Timing; format: Format }) {
    const report = (change: ConnectionReport) => context.reportConnection(change);
    const isStreamed = settings['enable-stream-reply'];
    super(new ConnectionLife(() => new Connection(settings, context, { ...options, report })), { isStreamed });
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.life.up.showTyping(target);
  }
}
