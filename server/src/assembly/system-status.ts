import { type Config, type ConfigSources, shownSettings } from '../config/index.ts';
import { SystemStatusService } from '../core/system/system-status.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyStorageMeter } from '../storage/system/kysely-storage-meter.ts';

export interface SystemStatusOptions {
  config: Config;
  /** The source of each setting; settings without an entry count as defaults. */
  sources: Partial<ConfigSources>;
  /** Of the server. */
  version: string;
}

/** What those who manage the server may know about it. */
export function assembleSystemStatus(storage: Storage, { config, sources, version }: SystemStatusOptions) {
  return new SystemStatusService({
    facts: {
      version,
      node_version: process.version,
      platform: `${process.platform}-${process.arch}`,
      engine: storage.engine,
      settings: shownSettings(config, sources).map(({ variable, value, ...setting }) => ({
        ...setting,
        environment_variable: variable,
        value: Array.isArray(value) ? [...value] : (value as Exclude<typeof value, readonly string[]>),
      })),
    },
    meter: new KyselyStorageMeter(storage, config),
    memoryBytes: () => process.memoryUsage.rss(),
  });
}
