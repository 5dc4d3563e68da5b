import type { Logger } from '@parley/sdk';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import type { ExtensionRegistries, ExtensionSet } from '../../extensions/extension-registries.ts';
import type { ActivePlugin, ActivePlugins } from '../active-plugin.ts';
import type { PluginCalls } from './plugin-calls.ts';
import { commandsOf } from './plugin-commands.ts';
import { enginesOf } from './plugin-engine.ts';
import { parsersOf } from './plugin-parser.ts';
import { runnersOf } from './plugin-runners.ts';

interface Registered {
  /** What they follow from. */
  manifest: string;
  set: ExtensionSet;
}

/** Registers what plugins add beside built-in extensions, and removes it with them. */
export class PluginContributions {
  readonly #plugins: ActivePlugins;
  readonly #registries: ExtensionRegistries;
  readonly #calls: PluginCalls;
  readonly #logger: Logger;
  readonly #registered = new Map<string, Registered>();
  readonly #clashes = new Map<string, string>();

  constructor(plugins: ActivePlugins, registries: ExtensionRegistries, calls: PluginCalls, logger: Logger) {
    this.#plugins = plugins;
    this.#registries = registries;
    this.#calls = calls;
    this.#logger = logger;
    plugins.changed.listen(() => this.follow());
  }

  /** Why nothing of a plugin but its tools, listeners, pages and schedules is registered; null when all of it is. */
  clashOf(id: string): string | null {
    return this.#clashes.get(id) ?? null;
  }

  /** Registers and removes until it is as the plugins are. */
  follow(): void {
    const active = new Map(this.#plugins.list().map((plugin) => [plugin.id, plugin]));
    for (const [id, { manifest, set }] of this.#registered) {
      const plugin = active.get(id);
      if (plugin !== undefined && manifestOf(plugin) === manifest) continue;
      this.#registries.remove(set);
      this.#registered.delete(id);
    }
    for (const plugin of active.values()) {
      if (!this.#registered.has(plugin.id)) this.#register(plugin);
    }
    for (const id of this.#clashes.keys()) if (!active.has(id)) this.#clashes.delete(id);
  }

  #register(plugin: ActivePlugin): void {
    const set: ExtensionSet = {
      commands: commandsOf(plugin, this.#calls),
      parsers: parsersOf(plugin, this.#calls),
      knowledgeEngines: enginesOf(plugin, this.#calls),
      runners: runnersOf(plugin, this.#calls),
    };
    try {
      this.#registries.add(set);
      this.#registered.set(plugin.id, { manifest: manifestOf(plugin), set });
      this.#clashes.delete(plugin.id);
    } catch (error) {
      // Another plugin, or an extension, has the name.
      const clash = error instanceof Error ? error.message : String(error);
      if (clash === this.clashOf(plugin.id)) return;
      this.#clashes.set(plugin.id, clash);
      this.#logger.error({ plugin: plugin.id, error }, 'the contributions of a plugin were refused');
    }
  }
}

function manifestOf({ manifest }: ActivePlugin): string {
  return canonicalJson(manifest);
}
