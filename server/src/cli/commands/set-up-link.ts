import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';

/** The way to the first account. */
export function addSetUpLinkCommand(program: Command, context: CommandContext): void {
  program
    .command('set-up-link')
    .description('print the link that makes the first account of a running server')
    .addHelpText('after', examples('./parley set-up-link'))
    .action(async () => {
      const config = await readConfig(context);
      const { readSetUpLink } = await import('../../administration.ts');
      const link = readSetUpLink(config);
      if (link === null) {
        throw new CommandError(
          'not_found',
          `No set-up link in ${config.dataDir}: an account exists already, or no server runs with this data folder`,
        );
      }
      context.output.result({ setup_link: link }, [link]);
    });
}
