import { join } from 'node:path';
import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import type { Authenticator } from '../core/accounts/authenticator.ts';
import type { PluginCalls } from '../core/plugins/contributions/plugin-calls.ts';
import { InstalledPlugins } from '../core/plugins/installed-plugins.ts';
import { noPluginProcesses } from '../core/plugins/no-processes.ts';
import { PageFrames } from '../core/plugins/pages/page-frames.ts';
import { PageRequests } from '../core/plugins/pages/page-requests.ts';
import type {
  HostCalls,
  PluginIsolation,
  PluginLogLine,
  PluginProcesses,
  PluginProgram,
} from '../core/plugins/plugin-caller.ts';
import { PluginInstallations } from '../core/plugins/plugin-installations.ts';
import { PluginInstaller } from '../core/plugins/plugin-installer.ts';
import { PluginService, type PluginTasks } from '../core/plugins/plugin-service.ts';
import { PluginsOfReplicas, type PluginsOfReplicasOptions } from '../core/plugins/plugins-of-replicas.ts';
import { StoredPackages, type StoredPackagesOptions } from '../core/plugins/stored-packages.ts';
import type { CallHandlers } from '../core/replicas/peer-calls.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { KeyedTurns } from '../lib/keyed-turns.ts';
import { PluginFetch } from '../plugin-host/package/plugin-fetch.ts';
import { PluginFolders } from '../plugin-host/package/plugin-folders.ts';
import { findIsolation, launchPlugin } from '../plugin-host/supervision/launch-plugin.ts';
import { PluginProcessPool } from '../plugin-host/supervision/plugin-process-pool.ts';
import { KyselyPackageRecords } from '../storage/plugins/kysely-package-records.ts';
import { KyselyPluginStore } from '../storage/plugins/kysely-plugin-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { SharedParts } from './parts.ts';

interface ProcessParts {
  /** In place of processes. */
  given: PluginProcesses | undefined;
  /** What a plugin may ask for while it starts. */
  hostWhileStarting: (program: PluginProgram) => HostCalls;
}

/** The processes of plugins, and the latest lines of their logs, oldest first. */
export function createProcesses(
  { pluginIsolation, withoutPlugins }: Config,
  { given, hostWhileStarting }: ProcessParts,
): { processes: PluginProcesses; pluginLogs: (id: string, limit: number) => readonly PluginLogLine[] } {
  if (given !== undefined || withoutPlugins) return { processes: given ?? noPluginProcesses, pluginLogs: () => [] };
  const pool = new PluginProcessPool({
    launch: (program) => launchPlugin(program, pluginIsolation),
    hostWhileStarting,
  });
  return { processes: pool, pluginLogs: (id, limit) => pool.log(id).slice(-limit) };
}

/** How long a host of packages may be silent, milliseconds. */
const silenceMs = 60_000;

type PluginParts = Pick<SharedParts, 'config' | 'secrets' | 'addresses'> & {
  logger: Logger;
  tasks: PluginTasks;
  /** Where packages are stored. */
  blobs: StoredPackagesOptions['blobs'];
  processes: PluginProcesses;
  /** Deletes what a plugin stored for itself. */
  removePluginData: (id: string) => Promise<void>;
};

/** Plugins: their records, their files, and which of them may be called. */
export function createPlugins(
  { database, engine }: Storage,
  { config, secrets, addresses, tasks, blobs, logger, processes, removePluginData }: PluginParts,
) {
  const store = new KyselyPluginStore(database, engine);
  const packages = new PluginFolders(join(config.dataDir, 'plugins'));
  const storedPackages = new StoredPackages({
    records: new KyselyPackageRecords(database),
    blobs,
    packages,
    plugins: store,
  });
  const downloads = new PluginFetch({
    // The operator's settings name the hosts, so these may be private.
    fetch: createGuardedFetch({ policy: 'saved', idleTimeoutMs: silenceMs }),
    hosts: config.pluginHosts,
    catalogue: config.pluginCatalogue,
  });
  const { pluginIsolation: setting, withoutPlugins: isOff } = config;
  let isolation: Promise<PluginIsolation | null> | undefined;
  const turns = new KeyedTurns();
  const activePlugins = new InstalledPlugins(store, {
    packages,
    storedPackages,
    processes,
    secrets,
    logger,
    turns,
    isOff,
  });
  const pluginInstaller = new PluginInstaller(store, {
    plugins: activePlugins,
    packages,
    storedPackages,
    processes,
    maximumExtensions: config.maxExtensions,
    turns,
  });
  return {
    activePlugins,
    pluginPackages: packages,
    storedPackages,
    pluginInstaller,
    pluginDownloads: downloads,
    plugins: new PluginService(store, {
      plugins: activePlugins,
      packages,
      isolation: async () => {
        isolation ??= findIsolation(setting);
        return { setting, isolation: await isolation, without_plugins: isOff };
      },
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

/** What each replica has of its own, for requests to any of them. */
export function createPluginsOfReplicas(
  { replica }: Storage,
  options: Omit<PluginsOfReplicasOptions, 'replica'> & { callHandlers: CallHandlers },
): PluginsOfReplicas {
  const pluginsOfReplicas = new PluginsOfReplicas({ ...options, replica: () => replica.id });
  pluginsOfReplicas.answer(options.callHandlers);
  return pluginsOfReplicas;
}

/** Pages of plugins: their frames, and their requests. */
export function createPages({
  authenticator,
  plugins,
  activePlugins: active,
  pluginCalls: calls,
  pageKey: key,
}: Pick<ReturnType<typeof createPlugins>, 'plugins' | 'activePlugins'> & {
  authenticator: Authenticator;
  pluginCalls: PluginCalls;
  /** Signs the addresses of frames. */
  pageKey: Buffer;
}) {
  return {
    pageFrames: new PageFrames({ plugins, active, authenticator, key }),
    pageRequests: new PageRequests({ plugins, calls }),
  };
}
