import type { PluginContributions } from '@parley/sdk';
import type { ActivePlugin } from '../../src/core/plugins/active-plugin.ts';
import type { PluginCalls } from '../../src/core/plugins/contributions/plugin-calls.ts';
import type { PluginMessageScope } from '../../src/core/plugins/host/plugin-host-api.ts';
import type { PluginRequest } from '../../src/core/plugins/plugin-caller.ts';
import { type ScriptedPlugin, scriptedPlugins } from './scripted-plugins.ts';

/**
 * A plugin that contributes something, and what its contributions call it by.
 * @param answers what it responds
 */
export function contributingPlugin(
  contributes: PluginContributions,
  answers: ScriptedPlugin['answers'],
  scope: Partial<PluginMessageScope> | null = null,
) {
  const requests: PluginRequest[] = [];
  const { plugins, caller } = scriptedPlugins([
    {
      id: 'example/units',
      contributes,
      answers: (request, call) => {
        requests.push(request);
        return answers?.(request, call);
      },
    },
  ]);
  const [plugin] = plugins.list();
  if (plugin === undefined) throw new Error('there is one');
  const active: ActivePlugin[] = [plugin];
  const points: string[] = [];
  const calls: PluginCalls = {
    plugins: { list: () => active },
    caller,
    host: { during: () => ({ answer: () => Promise.reject(new Error('nothing is asked for')) }) },
    scopeOf: (_message, _plugin, point) => {
      points.push(point);
      // Only what is read of it.
      return scope as PluginMessageScope | null;
    },
  };
  return { plugin, calls, requests, points, /** As after it was disabled. */ disable: () => active.splice(0) };
}
