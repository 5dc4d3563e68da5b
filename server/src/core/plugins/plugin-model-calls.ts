import type { ModelCall } from '@parley/sdk';

/** The calls of models that plugins make for no message, such as on a schedule. */
export interface PluginModelCalls {
  record(pluginId: string, call: ModelCall, cost: number | null): Promise<void>;
  /** @param timestamp ISO 8601 UTC. @returns how many were removed */
  removeBefore(timestamp: string): Promise<number>;
}
