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
        beat(one),
        one.version,
        one.address ?? '',
        one.is_reachable === null ? '' : one.is_reachable ? 'yes' : 'no',
        one.started_at,
        String(one.bots),
        one.duties.join(', '),
        one.taken_over_by ?? '',
        String(one.takeovers),
        one.differing_settings.join(', '),
      ]);
      const headings = ['ID', 'STATE', 'LAST BEAT', 'VERSION', 'ADDRESS', 'REACHABLE', 'STARTED', 'BOTS', 'DUTIES'];
      headings.push('TAKEN OVER BY', 'TAKEOVERS', 'DIFFERING SETTINGS');
      context.output.result({ replicas }, table(headings, rows));
    });
}

/** How old the last beat is; empty where there is none to watch. */
function beat({ is_beating, beat_age_ms }: { is_beating: boolean | null; beat_age_ms: number | null }): string {
  if (is_beating === null) return '';
  return beat_age_ms === null ? 'none' : `${(beat_age_ms / 1000).toFixed(1)} s`;
}
