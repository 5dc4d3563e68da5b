import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import { withFolder } from '../../lib/service-process.ts';
import { Everyone, telegramBots } from '../everyone.ts';
import { withGroup } from '../group.ts';
import { contraction, copyNewerProgram, expansion, migrateWith } from '../newer-program.ts';
import { readSteadily } from '../read-steadily.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** Reads a second. */
const readRate = 100;
/** Between two processes that are replaced, milliseconds. */
const pauseMs = 5000;
/** Most failures that are named. */
const named = 5;

/**
 * Replaces the processes one by one with those of a newer program, these with the former ones, and these with newer ones for good:
 * then its command removes what only the former program needs.
 */
export const upgrade: ReplicaScenario = {
  summary: 'Three processes that are replaced one by one with a program that has more migrations, back, and for good.',
  run: ({ sizes, log, tree }) =>
    withFolder(async (folder) => {
      const newer = join(folder, 'newer');
      await copyNewerProgram(newer, tree);
      const options = { bots: telegramBots, log, ...(tree === undefined ? {} : { tree }) };
      return await withGroup(options, async (group) => {
        const { stage, balancer } = group;
        await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
        await Promise.all([0, 1, 2].map((place) => group.start(place)));
        const everyone = await Everyone.enter(group, sizes.conversations);
        const end = new AbortController();
        const load = everyone.askUntil(sizes.rate, end.signal);
        const reading = readSteadily(`${balancer.address}/api/v1/pipelines`, {
          rate: readRate,
          headers: { 'x-api-key': stage.key },
          signal: end.signal,
        });
        const faults: string[] = [];
        const migrate = async (expected: { applied: string[]; waiting: string[] }) => {
          const migrated = await migrateWith(newer, group.databaseUrl);
          if (JSON.stringify(migrated) !== JSON.stringify(expected)) {
            faults.push(`parley migrate said ${JSON.stringify(migrated)}`);
          }
        };
        try {
          for (const [name, from] of [
            ['newer', newer],
            ['former', tree],
            ['newer', newer],
          ] as const) {
            for (const place of [0, 1, 2]) {
              await delay(pauseMs);
              await group.stop(place);
              await group.start(place, {}, from);
              log(`${place} runs the ${name} program`);
              if (place === 0) await migrate({ applied: [], waiting: [contraction] });
            }
          }
          await migrate({ applied: [contraction], waiting: [] });
          await delay(pauseMs);
          const late = group.stage.launch({ PARLEY_DATA_DIR: join(folder, 'late'), PARLEY_PORT: '0' }, tree);
          const isStarted = await late.ready.then(
            () => true,
            () => false,
          );
          await late.kill();
          if (isStarted) faults.push('the former program started after the tables were narrowed');
        } finally {
          end.abort();
          await Promise.all([load, reading]);
        }
        const { problems, verdict: _, ...figures } = await everyone.judge(sizes.patience);
        await everyone.close();
        const { requests, failed } = await reading;
        if (failed.length > 0) problems.push(`${failed.length} reads failed: ${failed.slice(0, named).join(', ')}`);
        const { failures } = balancer;
        if (failures.length > 0) {
          problems.push(`${failures.length} requests failed: ${failures.slice(0, named).join('; ')}`);
        }
        problems.push(...faults);
        const names = `'${expansion}', '${contraction}'`;
        const applied = await queryDatabase(group.databaseUrl, `select name from migrations where name in (${names})`);
        if (applied.length !== 2) problems.push('the newer program did not migrate');
        return { figures: { ...figures, reads: requests, failed_requests: failures.length }, problems };
      });
    }),
};
