import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import { withFolder } from '../../lib/service-process.ts';
import { Everyone, telegramBots } from '../everyone.ts';
import { withGroup } from '../group.ts';
import { copyNewerProgram } from '../newer-program.ts';
import { readSteadily } from '../read-steadily.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** Reads a second. */
const readRate = 100;
/** Between two processes that are replaced, milliseconds. */
const pauseMs = 5000;
/** Most failures that are named. */
const named = 5;

/** Replaces the processes one by one with those of a newer program, and these with the former ones. */
export const upgrade: ReplicaScenario = {
  summary: 'Three processes that are replaced one by one with a program that has one more migration, and back.',
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
        try {
          for (const [name, from] of [
            ['newer', newer],
            ['former', tree],
          ] as const) {
            for (const place of [0, 1, 2]) {
              await delay(pauseMs);
              await group.stop(place);
              await group.start(place, {}, from);
              log(`${place} runs the ${name} program`);
            }
          }
          await delay(pauseMs);
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
        const [migration] = await queryDatabase(
          group.databaseUrl,
          "select count(*) as count from information_schema.columns where column_name = 'next_version'",
        );
        if (Number(migration?.count) !== 1) problems.push('the newer program did not migrate');
        return { figures: { ...figures, reads: requests, failed_requests: failures.length }, problems };
      });
    }),
};
