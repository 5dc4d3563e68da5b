import type { Command } from 'commander';
import { type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';

/** The tables of the database. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the tables of the database up to date, which a start does as well; no server may be running')
    .option('--check', 'change nothing; list pending migrations and exit with 1 when there are any')
    .addHelpText('after', examples('./parley migrate --check', './parley migrate'))
    .action(async ({ check }: { check?: true }) => {
      const config = await readConfig(context);
      const { migrateTables, missingMigrations } = await import('../../administration.ts');
      const { output } = context;
      if (check) {
        const missing = await missingMigrations(config);
        output.note(missing.length === 0 ? 'The tables are up to date.' : 'These migrations are missing:');
        output.result({ missing }, missing);
        if (missing.length > 0) context.exitCode = 1;
        return;
      }
      const applied = await migrateTables(config);
      output.note(applied.length === 0 ? 'The tables are up to date already.' : 'These migrations were applied:');
      output.result({ applied }, applied);
    });
}
