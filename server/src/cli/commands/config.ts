import type { Command } from 'commander';
import type { ShownSetting } from '../../config/index.ts';
import { type CommandContext, configOptions, readConfig } from '../context.ts';
import { examples } from '../examples.ts';
import { table } from '../table.ts';

/** Settings, read and not changed. */
export function addConfigCommands(program: Command, context: CommandContext): void {
  const config = program.command('config').description('check and show the settings');

  config
    .command('check')
    .description('check the settings and list every error; exits with 1 when there is one')
    .addHelpText('after', examples('./parley config check', 'PARLEY_CONFIG_FILE=next.yaml ./parley config check'))
    .action(async () => {
      await readConfig(context);
      context.output.note('The settings are good.');
      context.output.result({ valid: true }, []);
    });

  config
    .command('show')
    .description('show every setting, its value and its source; secrets only as set or not set')
    .addHelpText('after', examples('./parley config show', './parley config show --json'))
    .action(async () => {
      const settings = await readSettings(context);
      const rows = settings.map(({ variable, source, secret, is_set, value }) => [
        variable,
        source,
        secret ? (is_set ? '(set)' : '(not set)') : is_set ? shown(value) : '(none)',
      ]);
      context.output.result({ settings }, table(['SETTING', 'FROM', 'VALUE'], rows));
    });
}

async function readSettings({ terminal }: CommandContext): Promise<ShownSetting[]> {
  const { loadConfigWithSources, shownSettings } = await import('../../config/index.ts');
  const { config, sources } = loadConfigWithSources(configOptions(terminal));
  return shownSettings(config, sources);
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
