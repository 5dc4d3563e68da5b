import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { InspectedPackage } from '../../administration.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { addInstalledPluginCommands } from './installed-plugins.ts';
import { addPluginProjectCommands } from './plugin-projects.ts';

/** Packages of plugins. */
export function addPluginCommands(program: Command, context: CommandContext): void {
  const plugin = program
    .command('plugin')
    .description('write, pack and check plugins, and manage those of a running server');

  plugin
    .command('inspect')
    .description('check a package and show what it adds, what it may do and who signed it; nothing of it is run')
    .argument('<file>', 'the package')
    .addHelpText(
      'after',
      examples('./parley plugin inspect units-1.2.0.zip', './parley plugin inspect units-1.2.0.zip --json'),
    )
    .action(async (file: string) => {
      const { inspectPlugin } = await import('../../administration.ts');
      const inspected = await inspectPlugin(resolve(context.terminal.workingDirectory, file));
      context.output.result(inspected, linesOf(inspected));
    });

  addPluginProjectCommands(plugin, context);
  addInstalledPluginCommands(plugin, context);
}

function linesOf(inspected: InspectedPackage): string[] {
  const { manifest, contributions, permissions, signature, digest, size, unpacked_size, files } = inspected;
  const { id, version, sdk, label, description } = manifest;
  const added = Object.entries(contributions).map(([kind, names]) => `  ${kind}: ${names.join(', ')}`);
  return [
    `${id} ${version}: ${label.en_US}`,
    description.en_US,
    '',
    'Adds:',
    ...added,
    '',
    permissions.length === 0 ? 'Permissions: none' : 'Permissions:',
    ...permissions.map(({ text }) => `  ${text}`),
    '',
    `Versions of @parley/sdk: ${sdk}`,
    `Signature: ${signature === null ? 'none' : `valid, ${signature.algorithm} key ${signature.fingerprint}`}`,
    `SHA-256: ${digest}`,
    `Size: ${size} bytes, unpacked ${unpacked_size} bytes in ${files} ${files === 1 ? 'file' : 'files'}`,
  ];
}
