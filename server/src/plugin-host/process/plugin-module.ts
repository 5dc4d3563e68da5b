import type { Plugin, PluginContributions } from '@parley/sdk';
import { ParleyError } from '@parley/sdk/errors';

/** The kinds of handlers that a module has by name. */
type NamedHandlers = 'tools' | 'commands' | 'listeners' | 'runners' | 'pages' | 'schedules';

/**
 * Finds the default export of a module.
 * @throws ParleyError `plugin_invalid`
 */
export function pluginOf(loaded: unknown): Plugin {
  const plugin = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  if (typeof plugin === 'object' && plugin !== null) return plugin;
  throw new ParleyError('plugin_invalid', 'The module has no object as its default export.');
}

/** @returns undefined when the module has none */
export function handlerOf<Kind extends NamedHandlers>(
  plugin: Plugin,
  kind: Kind,
  name: string,
): Handler<Kind> | undefined {
  const handlers: object = plugin[kind] ?? {};
  if (typeof handlers !== 'object' || !Object.hasOwn(handlers, name)) return undefined;
  // The module has functions of the kind there, if anything.
  const handler = (handlers as Record<string, Handler<Kind>>)[name];
  return typeof handler === 'function' ? handler : undefined;
}
type Handler<Kind extends NamedHandlers> = NonNullable<NonNullable<Plugin[Kind]>[keyof NonNullable<Plugin[Kind]>]>;

/**
 * What the module has handlers for: `tool convert_units`. Pages need none: one may only show what it has.
 * @throws ParleyError `plugin_invalid` that names what has none
 */
export function handlersFor(plugin: Plugin, contributes: PluginContributions): string[] {
  const { tools = [], commands = [], listeners = [], parsers = [], engines = [] } = contributes;
  const { runners = [], pages = [], schedules = [] } = contributes;
  const present: string[] = [];
  const missing: string[] = [];
  const check = (handler: unknown, name: string) => (typeof handler === 'function' ? present : missing).push(name);
  for (const { name } of tools) check(handlerOf(plugin, 'tools', name), `tool ${name}`);
  for (const { name } of commands) check(handlerOf(plugin, 'commands', name), `command ${name}`);
  for (const { point } of listeners) check(handlerOf(plugin, 'listeners', point), `listener ${point}`);
  if (parsers.length > 0) check(plugin.parser, 'parser');
  for (const { capabilities } of engines) {
    const needed = capabilities.includes('doc_ingestion') ? (['ingest', 'remove'] as const) : [];
    for (const method of ['open', 'drop', 'retrieve', ...needed] as const) {
      check(plugin.engine?.[method], `engine ${method}`);
    }
  }
  for (const { name } of runners) check(handlerOf(plugin, 'runners', name), `runner ${name}`);
  for (const { name } of schedules) check(handlerOf(plugin, 'schedules', name), `schedule ${name}`);
  for (const { name } of pages) if (handlerOf(plugin, 'pages', name) !== undefined) present.push(`page ${name}`);
  if (missing.length === 0) return present;
  throw new ParleyError('plugin_invalid', `The module has no handler for: ${missing.join(', ')}`, {
    details: missing.map((name) => ({ path: name, message: 'is required', rule: 'required' })),
  });
}
