import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ParleyError } from '@parley/sdk';
import type { PluginIsolation, PluginProgram } from '../../core/plugins/plugin-caller.ts';
import { type LaunchedProcess, launchConfinedNode } from '../../kit/launcher/launch-process.ts';

/** Most files that the process has open: a dozen of Node.js, and some of the plugin. */
const openFiles = 64;

/** Which walls a plugin needs: the second one where the system has it, or always. */
export type PluginIsolationSetting = 'best' | 'kernel';

export interface LaunchedPlugin {
  child: LaunchedProcess['child'];
  /**
   * Resolves when the program is about to start.
   * @throws ParleyError `plugin_isolation_missing` when a wall is missing that the setting requires
   */
  isolation: Promise<PluginIsolation>;
}

/**
 * Starts the process of a plugin, which waits for the connection on its standard input and output.
 * @throws ParleyError `internal` when its program has not been built, `plugin_isolation_missing` off Linux
 */
export function launchPlugin(program: PluginProgram, setting: PluginIsolationSetting): LaunchedPlugin {
  const isRequired = setting === 'kernel';
  if (isRequired && process.platform !== 'linux') throw isolationMissing();
  const bootstrap = builtFile('plugin-process.mjs');
  const { folder, main, limits } = program;
  const { child, protection } = launchConfinedNode({
    args: [...runtimeArguments(limits), ...permissionArguments(folder, bootstrap), bootstrap, join(folder, main)],
    env: pluginEnvironment,
    read: [folder, bootstrap],
    launcher: builtFile('launcher.js'),
    isRequired,
    memoryBytes: limits.memory_mb << 20,
    openFiles,
  });
  const isolation = protection.then((protectedBy): PluginIsolation => {
    if (protectedBy === 'none' && isRequired) throw isolationMissing();
    return protectedBy === 'landlock' ? 'landlock' : 'permission-model';
  });
  // The process may end before anyone waits for it.
  isolation.catch(() => undefined);
  return { child, isolation };
}

/**
 * Finds what isolates plugins on this system, by a process that only says its version.
 * @returns null where the setting requires more
 */
export async function findIsolation(setting: PluginIsolationSetting): Promise<PluginIsolation | null> {
  const launcher = builtFile('launcher.js');
  const { child, protection } = launchConfinedNode({
    args: ['--version'],
    env: pluginEnvironment,
    read: [launcher],
    launcher,
    isRequired: false,
    memoryBytes: 128 << 20,
    openFiles,
  });
  child.stdout.resume();
  child.stderr.resume();
  const [protectedBy] = await Promise.all([protection, once(child, 'close')]);
  if (protectedBy === 'landlock') return 'landlock';
  return setting === 'kernel' ? null : 'permission-model';
}

/** The configuration of OpenSSL is none of the files that the process may read, and Node.js ends without it. */
export const pluginEnvironment = { OPENSSL_CONF: '/dev/null' };

export function runtimeArguments({ memory_mb }: PluginProgram['limits']): string[] {
  return [
    '--no-warnings',
    `--max-old-space-size=${memory_mb}`,
    // Less memory for objects that live shortly: an idle plugin holds less.
    '--max-semi-space-size=2',
    // A signal would open the inspector.
    '--disable-sigusr1',
  ];
}

/** The permission model of Node.js, and what it does not hold for. */
export function permissionArguments(folder: string, bootstrap: string): string[] {
  return [
    '--permission',
    `--allow-fs-read=${folder}/`,
    `--allow-fs-read=${bootstrap}`,
    // It lets any database be opened.
    '--no-experimental-sqlite',
    '--no-experimental-ffi',
    '--no-experimental-websocket',
    '--no-addons',
    '--disable-proto=delete',
  ];
}

function isolationMissing(): ParleyError {
  return new ParleyError(
    'plugin_isolation_missing',
    'this system cannot isolate plugins by the kernel, as the setting plugin_isolation requires',
  );
}

/** Beside the service as it is built; from source, in the folder that `npm start` and `npm test` build. */
export function builtFile(name: string): string {
  const isSource = import.meta.url.endsWith('.ts');
  const path = fileURLToPath(new URL(isSource ? `../../../dist/${name}` : `./${name}`, import.meta.url));
  if (existsSync(path)) return path;
  throw new ParleyError(
    'internal',
    `the program of plugins is not built: ${path} is missing. In the checkout, run: node scripts/prepare.mjs cli`,
  );
}
