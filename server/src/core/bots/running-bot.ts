import type { PlatformCapabilities } from '@parley/sdk';
import type { InternalPlatform, InternalPlatformAdapter, InternalPlatformImplementation } from '@parley/sdk/internal';

/** A bot whose connection to its platform is up. */
export interface RunningBot {
  uuid: string;
  platform: InternalPlatform;
  /** Those of its configuration. */
  capabilities: PlatformCapabilities;
  implementation: InternalPlatformImplementation;
  adapter: InternalPlatformAdapter;
}
