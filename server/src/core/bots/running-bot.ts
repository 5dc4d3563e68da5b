import type { PlatformCapabilities } from '@parley/sdk';
import type { InternalPlatform, InternalPlatformAdapter, InternalPlatformImplementation } from '@parley/sdk/internal';
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
