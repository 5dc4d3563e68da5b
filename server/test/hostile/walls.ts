import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { PluginProgram } from '../../src/core/plugins/plugin-caller.ts';
import { launchConfinedNode } from '../../src/kit/launcher/launch-process.ts';
import {
  builtFile,
  type LaunchedPlugin,
  launchPlugin,
  permissionArguments,
  pluginEnvironment,
  runtimeArguments,
} from '../../src/plugin-host/supervision/launch-plugin.ts';
import { PluginProcessPool } from '../../src/plugin-host/supervision/plugin-process-pool.ts';

export type Walls = 'both' | 'node' | 'kernel' | 'none';

/** A pool whose processes are behind these walls. */
export function poolBehind(walls: Walls, bareProgram: string): PluginProcessPool {
  const launchers: Record<Walls, (program: PluginProgram) => LaunchedPlugin> = {
    both: (program) => launchPlugin(program, 'kernel'),
    node: (program) => {
      const bootstrap = builtFile('plugin-process.mjs');
      return launchDirectly(program, [...permissionArguments(program.folder, bootstrap), bootstrap]);
    },
    kernel: (program) => launchBehindKernel(program, bareProgram),
    none: (program) => launchDirectly(program, [bareProgram]),
  };
  return new PluginProcessPool({
    launch: launchers[walls],
    hostWhileStarting: () => ({ answer: async () => ({ result: {} }) }),
  });
}

function launchDirectly({ folder, main, limits }: PluginProgram, args: string[]): LaunchedPlugin {
  const child = spawn(process.execPath, [...runtimeArguments(limits), ...args, join(folder, main)], {
    env: pluginEnvironment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return { child, isolation: Promise.resolve('permission-model') };
}

function launchBehindKernel({ folder, main, limits }: PluginProgram, bareProgram: string): LaunchedPlugin {
  const { child, protection } = launchConfinedNode({
    args: [...runtimeArguments(limits), bareProgram, join(folder, main)],
    env: pluginEnvironment,
    read: [folder, bareProgram],
    launcher: builtFile('launcher.js'),
    isRequired: true,
    memoryBytes: limits.memory_mb << 20,
    openFiles: 64,
  });
  return { child, isolation: protection.then(() => 'landlock') };
}

/** Builds the process of a plugin that leaves the plugin all that Node.js has. */
export async function buildBareProgram(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-bare-')));
  const path = join(folder, 'bare-plugin-process.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./bare-plugin-process.ts', import.meta.url)),
    platform: 'node',
    tsconfig: false,
  });
  await bundle.write({ file: path, format: 'esm', codeSplitting: false });
  await bundle.close();
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
