import type { PluginProgram } from '../../core/plugins/plugin-caller.ts';
import type { RunningPlugin, StartOptions } from './running-plugin.ts';

/** As `startProcess`, which is loaded for the first start: its library takes 5 MB, and most services have no plugins. */
export async function startPlugin(program: PluginProgram, options: StartOptions): Promise<RunningPlugin> {
  const { startProcess } = await import('./running-plugin.ts');
  return startProcess(program, options);
}
