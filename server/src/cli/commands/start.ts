import { type Command, Option } from 'commander';
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
    .addOption(new Option('--compile', 'load the service for the compile cache, and end').hideHelp())
    .addHelpText('after', examples('./parley start', 'PARLEY_PORT=8080 ./parley start'))
    .action(async ({ compile = false, ...options }: StartOptions & { compile?: boolean }) => {
      const { main } = await import('../../main.ts');
      if (compile) return;
      if (context.output.isJson) {
        const report = {
          ready: (record: object) => context.output.result(record, []),
          failed: (error: unknown) => void context.output.failure(failureOf(error)),
        };
        await main(report, options);
      } else await main(undefined, options);
      // Starting leaves 10 MB behind that nothing needs again; without `--expose-gc` they stay until the heap is full.
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    });
}
