import type { Command } from 'commander';
import type { ConfigField, ConfigSource } from '../../config/index.ts';
import { type CommandContext, configOptions, readConfig } from '../context.ts';
import { examples } from '../examples.ts';
import { table } from '../table.ts';

/** A setting as it is shown. The value of a secret is not. */
interface ShownSetting {
  /** Its key in the file. */
  name: string;
  /** Its name in the environment. */
  variable: string;
  source: ConfigSource;
  secret: boolean;
  is_set: boolean;
  /** Null for a secret. */
  value: unknown;
}

/** Settings, read and not changed. */
export function addConfigCommands(program: Command, context: CommandContext): void {
  const config = program.command('config').description('check and show the settings');

  config
    .command('check')
    .description('check the settings and tell every fault; exits with 1 when there is one')
    .addHelpText('after', examples('parley config check', 'PARLEY_CONFIG_FILE=next.yaml parley config check'))
    .action(async () => {
      await readConfig(context);
      context.output.note('The settings are good.');
      context.output.result({ valid: true }, []);
    });

  config
    .command('show')
    .description('show every setting, its value and where it came from; secrets only as set or not set')
    .addHelpText('after', examples('parley config show', 'parley config show --json'))
    .action(async () => {
      const settings = await shownSettings(context);
      const rows = settings.map(({ variable, source, secret, is_set, value }) => [
        variable,
        source,
        secret ? (is_set ? '(set)' : '(not set)') : is_set ? shown(value) : '(none)',
      ]);
      context.output.result({ settings }, table(['SETTING', 'FROM', 'VALUE'], rows));
    });
}

async function shownSettings({ terminal }: CommandContext): Promise<ShownSetting[]> {
  const { configFields, describeSetting, environmentName, fileKey, loadConfigWithSources } = await import(
    '../../config/index.ts'
  );
  const { config, sources } = loadConfigWithSources(configOptions(terminal));
  return configFields.map((field: ConfigField) => {
    const { secret } = describeSetting(field);
    const value = config[field];
    const isSet = value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
    return {
      name: fileKey(field),
      variable: environmentName(field),
      source: sources[field],
      secret,
      is_set: isSet,
      value: secret ? null : value,
    };
  });
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
