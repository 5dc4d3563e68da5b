import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseFile } from '../../../server/src/storage/storage.ts';
import { dataDirectory, withFolder } from '../../lib/service-process.ts';
import { conclude } from '../lib/conclude.ts';
import { totalOf } from '../lib/outcome.ts';
import { canMakeSmallDisk, makeSmallDisk } from '../lib/small-disk.ts';
import { inTime, type Stage, withStage } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { twoBots } from '../lib/with-engine.ts';
import { present } from '../record.ts';
import type { Scenario, ScenarioOptions, ScenarioOutcome } from '../scenario.ts';

const diskMegabytes = 60;
/** How long the disk stays full, milliseconds. */
const fullMs = 10_000;
/** Within which the service has to say that it cannot store anything, and to go on when it can; milliseconds. */
const noticeMs = 2000;
const recoveryMs = 10_000;

/** @returns milliseconds until `/readyz` answers that status; infinite when it does not in time */
async function untilReadyz(address: string, status: number, milliseconds: number): Promise<number> {
  const begun = present();
  while (present() - begun < milliseconds) {
    const signal = AbortSignal.timeout(1000);
    const answered = await fetch(`${address}/readyz`, { signal }).then(
      (response) => response.body?.cancel().then(() => response.status),
      () => 0,
    );
    if (answered === status) return present() - begun;
    await delay(50);
  }
  return Number.POSITIVE_INFINITY;
}

/** @returns milliseconds until a message appears in a chat; infinite when none does in time */
async function untilSent(stage: Stage, milliseconds: number): Promise<number> {
  const begun = present();
  while (present() - begun < milliseconds) {
    const { lastAppliedAt } = await stage.telegram.status();
    if (lastAppliedAt > begun) return lastAppliedAt - begun;
    await delay(50);
  }
  return Number.POSITIVE_INFINITY;
}

async function fillAgainAndAgain({ sizes, log, tree }: ScenarioOptions, folder: string): Promise<ScenarioOutcome> {
  const disk = await makeSmallDisk(join(folder, 'disk.img'), dataDirectory(folder), diskMegabytes);
  const options = {
    folder,
    databaseUrl: null,
    bots: twoBots,
    log,
    wireMs: sizes.wire,
    ...(tree === undefined ? {} : { tree }),
  };
  try {
    return await withStage(options, async (stage) => {
      await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      const service = stage.launch();
      const address = await stage.connected(service);
      const end = new AbortController();
      const load = askUntil(stage, sizes, { signal: end.signal });
      const wrong: string[] = [];
      let longestRecovery = 0;
      try {
        for (let index = 0; index < sizes.fills; index += 1) {
          await inTime(delay(5000), 10_000, service);
          const from = present();
          await disk.fill();
          log('the disk is full');
          if (!Number.isFinite(await untilReadyz(address, 503, fullMs)))
            wrong.push('/readyz did not answer 503 while the disk was full');
          else if (present() - from > noticeMs + 1000)
            wrong.push(`/readyz answered 503 only after ${Math.round(present() - from)} ms`);
          await inTime(delay(fullMs), fullMs * 2, service);
          await disk.free();
          log('there is space again');
          const waits = await Promise.all([
            untilReadyz(address, 200, recoveryMs * 4),
            untilSent(stage, recoveryMs * 4),
          ]);
          stage.incidents.push({ from, until: present(), process: null });
          longestRecovery = Math.max(longestRecovery, ...waits);
        }
      } finally {
        end.abort();
        await load;
      }
      if (longestRecovery > recoveryMs)
        wrong.push(`the service went on only ${Math.round(longestRecovery)} ms after there was space again`);
      const { verdicts, figures, problems } = await conclude(stage, service, sizes.patience);
      const database = new DatabaseSync(databaseFile({ dataDir: dataDirectory(folder) }), { readOnly: true });
      const integrity = JSON.stringify(database.prepare('pragma integrity_check').all());
      database.close();
      if (!integrity.includes('"ok"')) problems.push(`integrity_check: ${integrity}`);
      return {
        verdicts,
        figures: { ...figures, fills: sizes.fills, longest_recovery_ms: Math.round(Math.min(longestRecovery, 1e6)) },
        problems: [...wrong, ...problems],
      };
    });
  } finally {
    await disk.remove();
  }
}

export const disk: Scenario = {
  summary: 'Fills the disk of an SQLite database, where the harness may mount one.',
  engines: ['sqlite'],
  run: async (options) => {
    if (canMakeSmallDisk()) return await withFolder((folder) => fillAgainAndAgain(options, folder));
    options.log('skipped: only root on Linux can mount a small file system');
    return { verdicts: { none: totalOf([]) }, figures: { skipped: true }, problems: [] };
  },
};
