import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { failureOf } from '../failure.ts';

/** The service itself. */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('run the service until it is told to stop')
    .addHelpText('after', examples('parley start', 'PARLEY_PORT=8080 parley start'))
    .action(async () => {
      const { main } = await import('../../main.ts');
      if (context.output.isJson) {
        await main({
          ready: (record) => context.output.result(record, []),
          failed: (error) => void context.output.failure(failureOf(error)),
        });
      } else await main();
      // As `start.js` does, and for the same reason.
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    });
}
