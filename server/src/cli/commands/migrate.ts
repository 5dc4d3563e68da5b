import type { Command } from 'commander';
import { type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';

/** The tables of the database. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description(
      'bring the tables of the database up to date; a start does so as well, but removes nothing on PostgreSQL',
    )
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
      const { applied, waiting } = await migrateTables(config);
      if (applied.length > 0) output.note('These migrations were applied:');
      else if (waiting.length === 0) output.note('The tables are up to date already.');
      output.result({ applied, waiting }, applied);
      if (waiting.length === 0) return;
      output.note(`These wait until replicas of earlier versions have stopped: ${waiting.join(', ')}`);
      context.exitCode = 1;
    });
}
