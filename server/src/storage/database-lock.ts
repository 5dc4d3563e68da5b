import { setTimeout as wait } from 'node:timers/promises';
import { advisoryLocks } from './advisory-locks.ts';
import { InUseError } from './in-use-error.ts';
import { unreachableError } from './unreachable-error.ts';

/** Longest wait for a server that does not answer at all. */
const connectionTimeoutMillis = 10_000;

export interface DatabaseLock {
  release(): Promise<void>;
}

/**
 * Keeps other processes off a PostgreSQL database, which one process works on at a time. The lock belongs to a
 * connection, so it ends with the process however that ends.
 * @param patienceMilliseconds how long to wait for a process that holds it
 * @throws InUseError when another process holds it
 * @throws Error when the database cannot be reached
 */
export async function lockDatabase(url: string, patienceMilliseconds: number): Promise<DatabaseLock> {
  const { default: postgres } = await import('pg');
  const client = new postgres.Client({
    connectionString: url,
    connectionTimeoutMillis,
    application_name: 'parley lock',
    keepAlive: true,
  });
  // A lost connection shows in the queries of the pool; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw unreachableError(error);
  });
  const deadline = Date.now() + patienceMilliseconds;
  while (!(await tryLock())) {
    if (Date.now() > deadline) {
      await client.end();
      throw new InUseError('The database is in use by another Parley process');
    }
    await wait(100);
  }
  return { release: () => client.end() };

  async function tryLock(): Promise<boolean> {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      advisoryLocks.database,
    ]);
    return rows[0]?.locked === true;
  }
}
