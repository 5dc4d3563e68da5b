import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freshDatabase } from '../../../server/test/postgres/fresh-database.ts';
import { type PostgresServer, startPostgres } from '../../../server/test/postgres/postgres-server.ts';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import type { LaunchedServer } from '../../lib/server-process.ts';
import { withFolder } from '../../lib/service-process.ts';
import { type BreakableConnection, startBreakableConnection } from '../lib/breakable-connection.ts';
import { conclude } from '../lib/conclude.ts';
import { connectMs, inTime, type Stage, until, withStage } from '../lib/stage.ts';
import { askUntil } from '../lib/users.ts';
import { twoBots } from '../lib/with-engine.ts';
import { overlappingSends } from '../overlapping-senders.ts';
import { present } from '../record.ts';
import type { Scenario } from '../scenario.ts';
import type { FaultSizes } from '../sizes.ts';

type Fault = 'restart' | 'immediate restart' | 'crash' | 'terminated' | 'cut' | 'stalled';

/** Within which the bots have to be polled by the other process after one has ended, milliseconds. */
const takeoverMs = { killed: 15_000, stopped: 5000 };

/** Faults in turns: most of the kind of which there are most. */
function faultsOf({ restarts, crashes, cuts }: FaultSizes): Fault[] {
  const restartKinds: Fault[] = Array.from({ length: restarts }, (_, index) =>
    index % 2 === 0 ? 'restart' : 'immediate restart',
  );
  const cutKinds = Array.from({ length: cuts }, (_, index): Fault => {
    if (index % 10 === 9) return 'stalled';
    return index % 2 === 0 ? 'terminated' : 'cut';
  });
  const rows = [restartKinds, Array.from({ length: crashes }, (): Fault => 'crash'), cutKinds];
  return rows
    .flatMap((row) => row.map((fault, index) => ({ fault, place: (index + 0.5) / row.length })))
    .sort((left, right) => left.place - right.place)
    .map(({ fault }) => fault);
}

async function breakIt(fault: Fault, server: PostgresServer, connection: BreakableConnection, url: string) {
  switch (fault) {
    case 'restart':
    case 'immediate restart':
      await server.tell(fault === 'restart' ? 'stop' : 'crash');
      await delay(1000 + Math.random() * 3000);
      return await server.tell('start');
    case 'crash':
      await killServer(url);
      // The processes that it started end when they notice, and keep its memory until then.
      await delay(2000);
      return await server.tell('start');
    case 'terminated':
      return await terminateConnections(url);
    case 'cut':
      return connection.cut();
    case 'stalled':
      connection.stall();
      await delay(8000);
      return connection.cut();
  }
}

async function terminateConnections(url: string): Promise<void> {
  await queryDatabase(
    url,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

/** Ends the server without a warning. */
async function killServer(url: string): Promise<void> {
  const [row] = await queryDatabase(url, 'show data_directory');
  const pid = readFileSync(join(String(row?.data_directory), 'postmaster.pid'), 'utf8').split('\n')[0];
  process.kill(Number(pid), 'SIGKILL');
}

/**
 * Starts a second process, as on another machine, which works beside the first one, and ends that.
 * @returns the one that is left, and what was wrong
 */
async function relieve(
  stage: Stage,
  first: LaunchedServer,
  { dataDirectory, end }: { dataDirectory: string; end: keyof typeof takeoverMs },
): Promise<{ left: LaunchedServer; problem: string | null }> {
  const second = stage.launch({ PARLEY_DATA_DIR: dataDirectory });
  await inTime(second.ready, connectMs, second);
  if (end === 'killed') await stage.kill(first);
  else await stage.terminate(first);
  const ended = present();
  await until(async () => await pollsAll(stage, second), connectMs, second);
  const taken = present() - ended;
  stage.log(`the second process polled ${(taken / 1000).toFixed(1)} s after the first was ${end}`);
  const isInTime = taken <= takeoverMs[end];
  return { left: second, problem: isInTime ? null : `it took too long to take over from one that was ${end}` };
}

async function pollsAll({ telegram }: Stage, { pid }: LaunchedServer): Promise<boolean> {
  const { pollers } = await telegram.status();
  return Object.values(pollers).every((poller) => poller === pid);
}

export const postgres: Scenario = {
  summary: 'Restarts and kills PostgreSQL, cuts connections, and has a second process take over each time.',
  engines: ['postgres'],
  run: ({ sizes, log, tree }) =>
    withFolder(async (folder) => {
      const server = await startPostgres();
      const { url } = await freshDatabase(server.url);
      const connection = await startBreakableConnection(url);
      // Processes on different machines share the database and the key, and no folder.
      const environment = { PARLEY_SECRET_KEY: randomBytes(32).toString('base64') };
      const options = {
        folder,
        environment,
        databaseUrl: connection.url,
        bots: twoBots,
        log,
        wireMs: sizes.wire,
        ...(tree === undefined ? {} : { tree }),
      };
      try {
        return await withStage(options, async (stage) => {
          await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
          let service = stage.launch();
          await stage.connected(service);
          const end = new AbortController();
          const load = askUntil(stage, sizes, { signal: end.signal });
          const wrong: string[] = [];
          try {
            for (const [index, fault] of faultsOf(sizes).entries()) {
              log(fault);
              const from = present();
              await breakIt(fault, server, connection, url);
              const { left, problem } = await relieve(stage, service, {
                dataDirectory: join(folder, `data-${index + 2}`),
                end: index % 2 === 0 ? 'killed' : 'stopped',
              });
              stage.incidents.push({ from, until: present(), process: null });
              if (problem !== null) wrong.push(`after "${fault}" ${problem}`);
              service = left;
              await delay(1000 + Math.random() * 2000);
            }
          } finally {
            end.abort();
            await load;
          }
          await stage.connected(service);
          const { verdicts, figures, problems, evidence } = await conclude(stage, service, sizes.patience);
          const overlapping = overlappingSends(evidence.record.sends).length;
          if (overlapping > 0) wrong.push(`${overlapping} sends of a process beside another one`);
          const { conflicts } = evidence.record;
          if (conflicts.length > 0) wrong.push(`${conflicts.length} polls of a process beside another one`);
          return { verdicts, figures: { ...figures, overlapping }, problems: [...wrong, ...problems] };
        });
      } finally {
        await connection.close();
        await server.stop();
      }
    }),
};
