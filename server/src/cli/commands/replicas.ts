import type { Command } from 'commander';
import { type CommandContext, readConfig } from '../context.ts';
import { examples } from '../examples.ts';
import { table } from '../table.ts';

/** The processes that share the database. */
export function addReplicasCommand(program: Command, context: CommandContext): void {
  program
    .command('replicas')
    .description('list the processes that share the database, and those that ended within a day')
    .addHelpText('after', examples('./parley replicas'))
    .action(async () => {
      const config = await readConfig(context);
      const { listReplicas } = await import('../../administration.ts');
      const replicas = await listReplicas(config);
      const rows = replicas.map((one) => [
        one.id,
        one.state,
        one.is_beating === null ? '' : one.is_beating ? 'yes' : 'no',
        one.version,
        one.address ?? '',
        one.started_at,
        String(one.bots),
        one.duties.join(', '),
        one.taken_over_by ?? '',
        String(one.takeovers),
        one.differing_settings.join(', '),
      ]);
      const headings = ['ID', 'STATE', 'BEATING', 'VERSION', 'ADDRESS', 'STARTED', 'BOTS', 'DUTIES', 'TAKEN OVER BY'];
      headings.push('TAKEOVERS', 'DIFFERING SETTINGS');
      context.output.result({ replicas }, table(headings, rows));
    });
}
