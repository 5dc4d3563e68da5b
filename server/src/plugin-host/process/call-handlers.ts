import { Buffer } from 'node:buffer';
import type { Plugin, PluginCall, PluginEngine, PluginListener, PluginMessageCall, PluginPoint } from '@parley/sdk';
import { ParleyError } from '@parley/sdk/errors';
import type { AboutMessage, PluginMethod, PluginMethods } from '../../core/plugins/plugin-protocol.ts';
import type { ChannelAnswer } from '../channel/channel.ts';
import type { CallScope } from './call-scope.ts';
import { chainOf } from './module-host.ts';
import { handlerOf } from './plugin-module.ts';

/** What a handler needs besides its parameters. */
export interface HandlerContext {
  call: PluginCall;
  scope: CallScope;
  /** What the server streams with the request. */
  bytes: AsyncIterable<Uint8Array>;
}

type Handled = Exclude<PluginMethod, 'start'>;
type Handlers = {
  [Method in Handled]: (
    plugin: Plugin,
    parameters: PluginMethods[Method]['parameters'],
    context: HandlerContext,
  ) => Promise<ChannelAnswer>;
};

/**
 * Calls the handler of a module for a request of the server.
 * @param parameters of the method, as the server sends them
 * @throws ParleyError `not_found` when there is no such handler; what the handler throws
 */
export async function handle(
  plugin: Plugin,
  method: string,
  parameters: unknown,
  context: HandlerContext,
): Promise<ChannelAnswer> {
  if (!Object.hasOwn(handlers, method)) throw missing(method);
  // The server sends the parameters of the method.
  const handler = handlers[method as Handled] as (...values: unknown[]) => Promise<ChannelAnswer>;
  return await handler(plugin, parameters, context);
}

const handlers: Handlers = {
  tool: async (plugin, { name, parameters, ...about }, { call, scope }) => {
    const tool = handlerOf(plugin, 'tools', name) ?? fail(`tool ${name}`);
    const result = await tool(parameters, { ...forMessage(call, about), progress: () => scope.progress({}) });
    return { result: typeof result === 'string' ? { text: result } : result };
  },
  command: async (plugin, { name, parameters, privilege, prefix, ...about }, { call }) => {
    const command = handlerOf(plugin, 'commands', name) ?? fail(`command ${name}`);
    return { result: chainOf(await command({ parameters, privilege, prefix }, forMessage(call, about))) };
  },
  listener: async (plugin, { point, event, ...about }, { call }) => {
    const listener = handlerOf(plugin, 'listeners', point) ?? fail(`listener ${point}`);
    // The event is that of the point.
    const result = await (listener as PluginListener<PluginPoint>)(event as never, forMessage(call, about));
    return { result: result ?? null };
  },
  parser: async (plugin, { file, limits }, { call, scope, bytes }) => {
    if (plugin.parser === undefined) throw missing('parser');
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    const progress = (done: number, total: number) => scope.progress({ done, total });
    return { result: await plugin.parser({ ...file, bytes: Buffer.concat(parts) }, { ...call, progress, limits }) };
  },
  engine_open: async (plugin, { collection }, { call }) => {
    await engineOf(plugin).open(collection, call);
    return { result: null };
  },
  engine_drop: async (plugin, { collection }, { call }) => {
    await engineOf(plugin).drop(collection, call);
    return { result: null };
  },
  engine_ingest: async (plugin, request, { call, scope, bytes: content }) => {
    const engine = engineOf(plugin);
    if (engine.ingest === undefined) throw missing('engine ingest');
    const progress = (stage: 'chunking' | 'embedding', done: number, total: number) =>
      scope.progress({ stage, done, total });
    return { result: await engine.ingest({ ...request, content, progress }, call) };
  },
  engine_remove: async (plugin, { collection, document_id }, { call }) => {
    const engine = engineOf(plugin);
    if (engine.remove === undefined) throw missing('engine remove');
    await engine.remove(collection, document_id, call);
    return { result: null };
  },
  engine_retrieve: async (plugin, request, { call }) => ({ result: await engineOf(plugin).retrieve(request, call) }),
  runner: async (plugin, { name, request, ...about }, { call }) => {
    const runner = handlerOf(plugin, 'runners', name) ?? fail(`runner ${name}`);
    return { result: null, items: runner(request, forMessage(call, about)) };
  },
  page: async (plugin, { name, ...request }, { call }) => {
    const page = handlerOf(plugin, 'pages', name) ?? fail(`page ${name}`);
    return { result: (await page(request, call)) ?? null };
  },
  schedule: async (plugin, { name, due_at }, { call }) => {
    const schedule = handlerOf(plugin, 'schedules', name) ?? fail(`schedule ${name}`);
    await schedule({ due_at }, call);
    return { result: null };
  },
};

function forMessage(call: PluginCall, { message, attempt }: AboutMessage): PluginMessageCall {
  return { ...call, message, attempt };
}

function engineOf({ engine }: Plugin): PluginEngine {
  if (engine === undefined) throw missing('engine');
  return engine;
}

function missing(name: string): ParleyError {
  return new ParleyError('not_found', `The module has no handler for: ${name}`);
}

function fail(name: string): never {
  throw missing(name);
}
