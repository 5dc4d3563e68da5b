import type { components } from '@parley/client';
import type { PluginManifest } from '@parley/sdk';

type Pipeline = Pick<components['schemas']['Pipeline'], 'uuid' | 'name' | 'extensions_preferences' | 'config'>;

/** Whether a pipeline can be bound to a plugin: its messages reach tools, commands and listeners. */
export function isBound({ contributes }: PluginManifest): boolean {
  return (contributes.tools ?? contributes.commands ?? contributes.listeners) !== undefined;
}

/** The pipelines whose messages reach a plugin: those that use it, all plugins, or its runner. @param id `author/name` */
export function pipelinesUsing<One extends Pipeline>(pipelines: readonly One[], manifest: PluginManifest): One[] {
  const { id, contributes } = manifest;
  const runners = (contributes.runners ?? []).map(({ name }) => name);
  return pipelines.filter(({ extensions_preferences: { enable_all_plugins, plugins }, config }) => {
    const isNamed = enable_all_plugins || plugins.some(({ author, name }) => `${author}/${name}` === id);
    return (isBound(manifest) && isNamed) || runners.includes(runnerOf(config));
  });
}

function runnerOf(config: Record<string, unknown>): string {
  // Of each pipeline the server has a complete configuration.
  const { ai } = config as { ai?: { runner?: { runner?: unknown } } };
  return String(ai?.runner?.runner ?? '');
}
