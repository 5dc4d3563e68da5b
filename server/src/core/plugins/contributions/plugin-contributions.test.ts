import type { PluginContributions as Contributed } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { expect, it, vi } from 'vitest';
import { pluginManifest } from '../../../../test/factories/plugin-package.ts';
import { scriptedPlugins } from '../../../../test/factories/scripted-plugins.ts';
import { Signal } from '../../../lib/signal.ts';
import { ExtensionRegistries } from '../../extensions/extension-registries.ts';
import type { ActivePlugin } from '../active-plugin.ts';
import type { PluginCalls } from './plugin-calls.ts';
import { PluginContributions } from './plugin-contributions.ts';

const command = (name: string, aliases?: string[]): Contributed => ({
  commands: [{ name, description: 'Does it.', ...(aliases === undefined ? {} : { aliases }) }],
});

function set(...contributed: Contributed[]) {
  const scripted = scriptedPlugins(contributed.map((contributes) => ({ contributes })));
  const active: ActivePlugin[] = [...scripted.plugins.list()];
  const plugins = { ...scripted.plugins, list: () => active, changed: new Signal() };
  const registries = new ExtensionRegistries('runner');
  const logger = { ...silentLogger, error: vi.fn() };
  const calls: PluginCalls = { ...scripted, plugins, host: { during: vi.fn() }, scopeOf: () => null };
  const contributions = new PluginContributions(plugins, registries, calls, logger);
  plugins.changed.emit();
  return {
    contributions,
    registries,
    logger,
    names: () => registries.commands.list().map(({ name }) => name),
    /** Another version of a plugin; null removes it. */
    change: (number: number, contributes: Contributed | null) => {
      const id = `example/plugin-${number}`;
      const index = active.findIndex((plugin) => plugin.id === id);
      const [plugin] = active.splice(index, 1);
      if (plugin !== undefined && contributes !== null) {
        active.splice(index, 0, { ...plugin, manifest: { ...plugin.manifest, contributes } });
      }
      plugins.changed.emit();
    },
    changed: () => plugins.changed.emit(),
  };
}

it('everything of a plugin is registered, and goes with it', () => {
  const { tools: _, listeners: __, ...contributes } = pluginManifest().contributes;
  const { registries, contributions, change } = set(contributes);
  const sizes = () => [
    registries.commands.list().length,
    registries.parsers.list().length,
    registries.knowledgeEngines.list().length,
    registries.runners.list().length,
  ];
  expect(sizes()).toEqual([1, 1, 1, 1]);
  expect(registries.parsers.get('example/plugin-1')).toBeDefined();
  expect(contributions.clashOf('example/plugin-1')).toBeNull();
  change(1, null);
  expect(sizes()).toEqual([0, 0, 0, 0]);
});

it('a name that another plugin has is reported, once, and nothing of the plugin is registered', () => {
  const clashing = { ...command('other', ['convert']), runners: [{ name: 'r', label: { en_US: 'R' } }] };
  const { contributions, registries, logger, names, changed } = set(command('convert'), clashing, command('third'));
  changed();
  expect(names()).toEqual(['convert', 'third']);
  expect(registries.runners.list()).toEqual([]);
  expect(contributions.clashOf('example/plugin-1')).toBeNull();
  expect(contributions.clashOf('example/plugin-2')).toContain('convert');
  expect(logger.error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ plugin: 'example/plugin-2' }),
    expect.any(String),
  );
});

it('a plugin is registered once the name is free', () => {
  const { contributions, names, change } = set(command('convert'), command('convert'));
  change(1, command('other'));
  expect(names()).toEqual(['other', 'convert']);
  expect(contributions.clashOf('example/plugin-2')).toBeNull();
});

it('a plugin that is removed clashes no more', () => {
  const { contributions, change } = set(command('convert'), command('convert'));
  change(2, null);
  expect(contributions.clashOf('example/plugin-2')).toBeNull();
});

it('another version takes the place of the one before; without a change everything stays', () => {
  const { registries, names, change, changed } = set(command('convert'));
  const before = registries.commands.get('convert');
  changed();
  expect(registries.commands.get('convert')).toBe(before);
  change(1, command('convert', ['c']));
  expect(registries.commands.get('c')).not.toBe(before);
  expect(registries.commands.get('c')).toBe(registries.commands.get('convert'));
  change(1, command('measure'));
  expect(names()).toEqual(['measure']);
});

it('a built-in command keeps its name', () => {
  const builtIn = { name: 'help', description: 'Helps.', run: () => 'Help' };
  const { registries, contributions, change } = set(command('convert'));
  registries.commands.add(builtIn);
  change(1, command('help'));
  expect(registries.commands.get('help')).toBe(builtIn);
  expect(contributions.clashOf('example/plugin-1')).toContain('help');
  change(1, null);
  expect(registries.commands.list()).toEqual([builtIn]);
});
