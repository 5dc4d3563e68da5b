import type { Platform, PlatformImplementation } from '../../src/platform.ts';
import type { PlatformCapabilities } from '../../src/platform-capabilities.ts';

/** What is known of a platform before its fake is opened. */
export interface PlatformFacts {
  platform: Platform;
  implementation: PlatformImplementation;
  /** As the configuration of this run has them. */
  capabilities: PlatformCapabilities;
  /** As {@link Platform.receives}. */
  receives: 'connection' | 'requests';
}
