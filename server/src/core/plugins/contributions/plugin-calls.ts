import { ParleyError } from '@parley/sdk';
import type { ActivePlugin, ActivePlugins } from '../active-plugin.ts';
import type { PluginHostApi, PluginMessageScope } from '../host/plugin-host-api.ts';
import type { HostCalls, PluginCaller, PluginProgram } from '../plugin-caller.ts';

/** What contributions need to call their plugin. */
export interface PluginCalls {
  plugins: Pick<ActivePlugins, 'list'>;
  caller: PluginCaller;
  host: PluginHostApi;
  /** As `MessagePlugins.scopeOf`. */
  scopeOf: (messageUuid: string, pluginId: string, point: string) => PluginMessageScope | null;
}

/** Most time of a call whose caller sets no limit, milliseconds. */
export const longestCall = 600_000;

/**
 * What the server does for a plugin during a call, with its present permissions.
 * @throws ParleyError `plugin_not_running` when it was disabled or removed
 */
export function hostFor({ plugins, host }: PluginCalls, id: string, scope: PluginMessageScope | null): HostCalls {
  const plugin = plugins.list().find((each) => each.id === id);
  if (plugin === undefined) throw new ParleyError('plugin_not_running', `The plugin ${id} is not running`);
  return host.during(plugin, scope);
}

/** As {@link hostFor}, while its process starts: one that is only tried, before it is installed, has its default settings. */
export function hostWhileStarting(calls: PluginCalls, { id, default_settings = {} }: PluginProgram): HostCalls {
  return {
    answer: async (method, parameters, signal) => {
      const isActive = calls.plugins.list().some((plugin) => plugin.id === id);
      if (!isActive && method === 'settings') return { result: { ...default_settings } };
      return hostFor(calls, id, null).answer(method, parameters, signal);
    },
  };
}

/** The attempt at the message of a call; 1 for a call without a message in progress. */
export function attemptOf(scope: PluginMessageScope | null): number {
  return scope?.attempt ?? 1;
}

/** The name of a plugin, without its author, for the names of tools. */
export function shortName({ id }: Pick<ActivePlugin, 'id'>): string {
  return id.slice(id.indexOf('/') + 1);
}
