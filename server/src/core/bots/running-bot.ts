import type { PlatformCapabilities } from '@parley/sdk';
import type { InternalPlatform, InternalPlatformAdapter, InternalPlatformImplementation } from '@parley/sdk/internal';
import type { BotSockets } from './bot-sockets.ts';
import type { StreamBudget } from './stream-budget.ts';

/** A bot whose connection to its platform is up. */
export interface RunningBot {
  uuid: string;
  platform: InternalPlatform;
  /** Those of its configuration. */
  capabilities: PlatformCapabilities;
  /** Its configuration, with secrets in clear. */
  config: Record<string, unknown>;
  implementation: InternalPlatformImplementation;
  adapter: InternalPlatformAdapter;
  streamBudget: StreamBudget;
}

/** A bot that its platform can call. */
export interface ListeningBot extends RunningBot {
  /** Takes the websockets that its platform opens. */
  sockets: Pick<BotSockets, 'accept'>;
}

/** Bots whose messages a replica may claim: all but some, or some only, and those that are disabled or deleted. */
export type ClaimableBots = ({ except: readonly string[] } | { only: readonly string[] }) & {
  /** Of these only messages that are for this replica alone, as long as it lives. Default false. */
  homeOnly?: boolean;
};
