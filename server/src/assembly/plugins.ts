import { join } from 'node:path';
import { InstalledPlugins } from '../core/plugins/installed-plugins.ts';
import type { PluginLogLine, PluginProcesses } from '../core/plugins/plugin-caller.ts';
import { PluginInstallations } from '../core/plugins/plugin-installations.ts';
import { PluginInstaller } from '../core/plugins/plugin-installer.ts';
import { PluginService } from '../core/plugins/plugin-service.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { KeyedTurns } from '../lib/keyed-turns.ts';
import { PluginFetch } from '../plugin-host/package/plugin-fetch.ts';
import { PluginFolders } from '../plugin-host/package/plugin-folders.ts';
import { KyselyPluginStore } from '../storage/plugins/kysely-plugin-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { SharedParts } from './parts.ts';

/** How long a host of packages may be silent, milliseconds. */
const silenceMs = 60_000;

type PluginParts = Pick<SharedParts, 'config' | 'secrets' | 'addresses' | 'tasks' | 'logger'> & {
  processes: PluginProcesses;
  /** The latest lines of the log of a plugin, oldest first. */
  pluginLogs: (id: string, limit: number) => readonly PluginLogLine[];
  /** Deletes what a plugin stored for itself. */
  removePluginData: (id: string) => Promise<void>;
};

/** Plugins: their records, their files, and which of them may be called. */
export function createPlugins(
  { database, engine }: Storage,
  { config, secrets, addresses, tasks, logger, processes, pluginLogs, removePluginData }: PluginParts,
) {
  const store = new KyselyPluginStore(database, engine);
  const packages = new PluginFolders(join(config.dataDir, 'plugins'));
  const downloads = new PluginFetch({
    // The operator's settings name the hosts, so these may be private.
    fetch: createGuardedFetch({ policy: 'saved', idleTimeoutMs: silenceMs }),
    hosts: config.pluginHosts,
    catalogue: config.pluginCatalogue,
  });
  const activePlugins = new InstalledPlugins(store, { packages, processes, secrets, logger });
  const turns = new KeyedTurns();
  const pluginInstaller = new PluginInstaller(store, { plugins: activePlugins, packages, processes, turns });
  return {
    activePlugins,
    pluginInstaller,
    pluginDownloads: downloads,
    plugins: new PluginService(store, {
      plugins: activePlugins,
      packages,
      processes,
      logs: pluginLogs,
      removeData: removePluginData,
      tasks,
      secrets,
      addresses,
      turns,
    }),
    pluginInstallations: new PluginInstallations({
      plugins: activePlugins,
      installer: pluginInstaller,
      packages,
      downloads,
      tasks,
    }),
  };
}
