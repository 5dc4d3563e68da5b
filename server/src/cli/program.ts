import { styleText } from 'node:util';
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addApiKeyCommands } from './commands/api-key.ts';
import { addConfigCommands } from './commands/config.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPluginCommands } from './commands/plugin.ts';
import { addReplicasCommand } from './commands/replicas.ts';
import { addSendCommand } from './commands/send.ts';
import { addSetUpLinkCommand } from './commands/set-up-link.ts';
import { addStartCommand } from './commands/start.ts';
import { addUserCommands } from './commands/user.ts';
import type { CommandContext } from './context.ts';
import { examples } from './examples.ts';
import { hasColors } from './terminal.ts';

/** Every command with its arguments. Faults are thrown and printed by {@link run}, not here. */
export function createProgram(context: CommandContext): Command {
  const { stdout, stderr } = context.terminal;
  const program = new Command('parley')
    .description('Parley, a self-hosted bot platform. Settings come from the environment and parley.yaml.')
    .version(manifest.version, '-V, --version', 'print the version')
    .option('--json', 'print one JSON document instead of text, also for errors')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => {
        if (!context.output.isJson) stderr.write(text);
      },
      outputError: () => {},
      getOutHasColors: () => hasColors(context.terminal, stdout),
      getErrHasColors: () => hasColors(context.terminal, stderr),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
    })
    .addHelpText(
      'after',
      examples(
        './parley start',
        './parley set-up-link',
        './parley user create admin@example.com',
        './parley api-key create "nightly report" --scope read',
        './parley config show',
      ),
    );
  addStartCommand(program, context);
  addSetUpLinkCommand(program, context);
  addUserCommands(program, context);
  addApiKeyCommands(program, context);
  addConfigCommands(program, context);
  addMigrateCommand(program, context);
  addReplicasCommand(program, context);
  addPluginCommands(program, context);
  addSendCommand(program, context);
  return program;
}
