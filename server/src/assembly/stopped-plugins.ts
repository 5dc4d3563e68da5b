import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import { noPluginProcesses } from '../core/plugins/no-processes.ts';
import type { PluginProcesses } from '../core/plugins/plugin-caller.ts';
import type { TaskContext } from '../core/tasks/task-run.ts';
import { KyselyPluginValues } from '../storage/plugins/kysely-plugin-values.ts';
import type { Storage } from '../storage/storage.ts';
import { createAddresses } from './addresses.ts';
import { createFiles } from './files.ts';
import { createPlugins } from './plugins.ts';
import { createSecrets } from './secrets.ts';

/** A task whose progress is discarded. */
export const silentTask: TaskContext = {
  task_id: 0,
  signal: new AbortController().signal,
  setAction: () => undefined,
  log: () => undefined,
  setMetadata: () => undefined,
};

/** The start of a version is for the server to try. */
const processes: PluginProcesses = { ...noPluginProcesses, trial: async () => undefined };

/**
 * Plugins of an installation whose server is stopped: none of them runs, and work is done when it is started.
 * @param warn what a server would write to its log
 */
export async function openStoppedPlugins(storage: Storage, given: Config, warn: Logger['warn']) {
  const config = { ...given, withoutPlugins: true };
  const { secrets, metadata } = await createSecrets(storage, config);
  const { blobs } = await createFiles(storage, { config, metadata });
  const quiet = () => undefined;
  const { activePlugins, plugins, pluginInstaller, pluginPackages } = createPlugins(storage, {
    config,
    secrets,
    addresses: createAddresses().addresses,
    blobs,
    logger: { debug: quiet, info: quiet, warn, error: warn },
    processes,
    removePluginData: (id) => new KyselyPluginValues(storage.database, storage.engine).removeAll(id),
    tasks: {
      start: async (_, work) => {
        await work(silentTask);
        return { id: silentTask.task_id };
      },
    },
  });
  await activePlugins.open();
  return { plugins, installer: pluginInstaller, packages: pluginPackages };
}
