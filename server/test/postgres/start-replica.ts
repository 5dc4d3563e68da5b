import { newUuid } from '../../src/lib/uuid.ts';
import { openPostgres, type PostgresKysely } from '../../src/storage/postgres-database.ts';
import { PostgresReplica, type PostgresReplicaOptions } from '../../src/storage/replicas/postgres-replica.ts';
import { sessionName } from '../../src/storage/replicas/replica-statements.ts';

/** Ten times as fast as replicas are. */
export const fastTiming = {
  beat: 100,
  answer: 300,
  retry: 30,
  late: 300,
  fence: 600,
  dead: 900,
  free: 500,
  settled: 1000,
};

export interface RunningReplica {
  replica: PostgresReplica;
  database: PostgresKysely;
  /** What happened to it, in order. */
  seen: string[];
  close(): Promise<void>;
}

/** Starts a replica on a PostgreSQL database with tables. */
export async function startReplica(
  url: string,
  options: Partial<PostgresReplicaOptions> = {},
): Promise<RunningReplica> {
  const id = newUuid();
  const database = await openPostgres(url, { name: sessionName(id) });
  const given = { folder: newUuid(), version: '1', timing: fastTiming };
  const replica = await PostgresReplica.enter(url, id, database, Object.assign(given, options));
  const seen: string[] = [];
  replica.onFenced((why) => seen.push(`fenced: ${why}`));
  replica.onFree(() => seen.push('free'));
  replica.onReplaced(() => seen.push('replaced'));
  replica.onTakeover(() => seen.push('takeover'));
  replica.onTakeoverFailed((error) => seen.push(String(error)));
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await database.destroy();
    await replica.leave();
  };
  return { replica, database, seen, close };
}
