import { type Config, type ConfigSources, shownSettings } from '../config/index.ts';
import { StatisticsService } from '../core/statistics/statistics-service.ts';
import type { ConfiguredExtension } from '../core/system/configured-extension.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { SystemInfoService } from '../core/system/system-info.ts';
import { SystemStatusService } from '../core/system/system-status.ts';
import { WizardService } from '../core/system/wizard.ts';
import { KyselyStatisticsStore } from '../storage/statistics/kysely-statistics-store.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyStorageMeter } from '../storage/system/kysely-storage-meter.ts';

export interface SystemParts {
  config: Config;
  metadata: MetadataStore;
  /** The source of each setting; settings without an entry count as defaults. */
  sources: Partial<ConfigSources>;
  /** Of the server. */
  version: string;
  extensions: readonly ConfiguredExtension[];
}

/** What there is to know about the server. */
export function createSystem(storage: Storage, { config, metadata, sources, version, extensions }: SystemParts) {
  const wizard = new WizardService(metadata);
  const systemStatus = new SystemStatusService({
    facts: {
      version,
      node_version: process.version,
      platform: `${process.platform}-${process.arch}`,
      engine: storage.engine,
      extensions: [...extensions],
      settings: shownSettings(config, sources).map(({ variable, value, ...setting }) => ({
        ...setting,
        environment_variable: variable,
        value: Array.isArray(value) ? [...value] : (value as Exclude<typeof value, readonly string[]>),
      })),
    },
    meter: new KyselyStorageMeter(storage, config),
    memoryBytes: () => process.memoryUsage.rss(),
  });
  return {
    wizard,
    systemInfo: new SystemInfoService(wizard, config),
    systemStatus,
    statistics: new StatisticsService(new KyselyStatisticsStore(storage.database)),
  };
}
