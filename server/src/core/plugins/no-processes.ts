import { ParleyError } from '@parley/sdk';
import type { PluginProcesses } from './plugin-caller.ts';

/** Processes of a service that runs no plugins: calls fail with `plugin_not_running`. */
export const noPluginProcesses: PluginProcesses = {
  set: () => undefined,
  remove: async () => undefined,
  trial: async () => {
    throw notRunning();
  },
  call: async () => {
    throw notRunning();
  },
  // biome-ignore lint/correctness/useYield: it fails before the first item
  stream: async function* () {
    throw notRunning();
  },
  state: () => null,
  stop: async () => undefined,
};

function notRunning(): ParleyError {
  return new ParleyError('plugin_not_running', 'This server runs no plugins');
}
