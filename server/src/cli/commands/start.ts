import type { Command } from 'commander';
import type { StartOptions } from '../../main.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { failureOf } from '../failure.ts';

/** The service itself. */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('run the service until it is stopped')
    .option('--new-database', 'make a new database although the data folder holds files of an earlier one')
    .option('--without-plugins', 'start no plugins')
    .addHelpText('after', examples('./parley start', 'PARLEY_PORT=8080 ./parley start'))
    .action(async (options: StartOptions) => {
      const { main } = await import('../../main.ts');
      if (context.output.isJson) {
        const report = {
          ready: (record: object) => context.output.result(record, []),
          failed: (error: unknown) => void context.output.failure(failureOf(error)),
        };
        await main(report, options);
      } else await main(undefined, options);
      // As `start.js` does, and for the same reason.
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    });
}
