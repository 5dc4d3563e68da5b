import { ParleyError, type PluginContributions, type PluginPermissions, type PluginPoint } from '@parley/sdk';
import type { ActivePlugin, ActivePlugins, PluginGrants } from '../../src/core/plugins/active-plugin.ts';
import type { HostCalls, PluginCaller, PluginRequest } from '../../src/core/plugins/plugin-caller.ts';
import type { HostMethod, HostMethods } from '../../src/core/plugins/plugin-protocol.ts';
import { Signal } from '../../src/lib/signal.ts';
import { pluginManifest } from './plugin-package.ts';

/** A call of a plugin, as the function in its place gets it. */
export interface ScriptedCall {
  parameters: Record<string, unknown>;
  /** Asks the server, as the plugin may. */
  ask<Method extends HostMethod>(
    method: Method,
    parameters: HostMethods[Method]['parameters'],
  ): Promise<HostMethods[Method]['result']>;
  signal: AbortSignal;
}
type Script = (event: never, call: ScriptedCall) => unknown;

/** A plugin whose listeners are functions in this process. */
export interface ScriptedPlugin {
  id?: string;
  listeners?: { [Point in PluginPoint]?: Script };
  /** In addition to listeners, which follow from the functions. */
  contributes?: PluginContributions;
  /** Answers every other method. */
  answers?: (request: PluginRequest, call: ScriptedCall) => unknown;
  permissions?: PluginPermissions;
  grants?: Partial<PluginGrants>;
  on_failure?: 'pass' | 'stop';
  listener_seconds?: number;
  settings?: Record<string, unknown>;
}

/** Plugins of functions, and the calls of them, as `<id> <point or method>`. */
export function scriptedPlugins(scripts: readonly ScriptedPlugin[]) {
  const calls: string[] = [];
  const named = scripts.map((script, index) => ({ id: `example/plugin-${index + 1}`, ...script }));
  const find = (id: string) => named.find((script) => script.id === id);
  const plugins: ActivePlugins = {
    list: () => named.map(activePlugin),
    settings: async (id) => find(id)?.settings ?? {},
    changed: new Signal(),
  };
  const run = async (request: PluginRequest): Promise<unknown> => {
    const script = find(request.plugin);
    if (script === undefined) throw new ParleyError('plugin_not_running', 'There is no such plugin');
    // Each method has other parameters.
    const parameters = request.parameters as unknown as Record<string, unknown>;
    const point = parameters.point as PluginPoint | undefined;
    calls.push(`${request.plugin} ${request.method === 'listener' ? point : request.method}`);
    const call = { parameters, signal: request.signal, ask: askThrough(request.host, request.signal) };
    if (request.method !== 'listener') return script.answers?.(request, call);
    return point === undefined ? undefined : script.listeners?.[point]?.(parameters.event as never, call);
  };
  const caller: PluginCaller = {
    call: async (request) => {
      const timeout = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => timeout.reject(new ParleyError('plugin_timeout', 'The plugin did not respond in time')),
        request.timeoutMs,
      );
      const aborted = () => timeout.reject(request.signal.reason);
      request.signal.addEventListener('abort', aborted);
      try {
        // What crosses to a process and back is JSON.
        return json(
          await Promise.race([run({ ...request, parameters: json(request.parameters) as never }), timeout.promise]),
        );
      } finally {
        clearTimeout(timer);
        request.signal.removeEventListener('abort', aborted);
      }
    },
    async *stream(request) {
      yield* (await run(request)) as AsyncIterable<unknown>;
    },
  };
  return { plugins, caller, calls };
}

function json(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function askThrough(host: HostCalls, signal: AbortSignal): ScriptedCall['ask'] {
  return async (method, parameters) => (await host.answer(method, json(parameters), signal)).result as never;
}

function activePlugin(script: ScriptedPlugin & { id: string }): ActivePlugin {
  const points = Object.keys(script.listeners ?? {}) as PluginPoint[];
  const listeners = points.length === 0 ? {} : { listeners: points.map((point) => ({ point })) };
  return {
    id: script.id,
    manifest: {
      ...pluginManifest(),
      id: script.id,
      contributes: { ...listeners, ...script.contributes },
      permissions: script.permissions ?? {},
      limits: script.listener_seconds === undefined ? {} : { listener_seconds: script.listener_seconds },
    },
    grants: { send: [], models: [], knowledge: [], ...script.grants },
    on_failure: script.on_failure ?? 'pass',
    admin_addresses: [],
  };
}
