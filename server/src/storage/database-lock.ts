import { setTimeout as wait } from 'node:timers/promises';
import { advisoryLocks } from './advisory-locks.ts';

/** A server notices within moments that a process died; after this long the holder lives. */
const patienceMilliseconds = 5000;
/** Longest wait for a server that does not answer at all. */
const connectionTimeoutMillis = 10_000;

export interface DatabaseLock {
  release(): Promise<void>;
}

/**
 * Keeps other processes off a PostgreSQL database, which one process works on at a time. The lock belongs to a
 * connection, so it ends with the process however that ends.
 * @throws Error when another process holds it, or the database cannot be reached
 */
export async function lockDatabase(url: string): Promise<DatabaseLock> {
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
    throw new Error(`The database cannot be reached: ${messageOf(error)}`, { cause: error });
  });
  const deadline = Date.now() + patienceMilliseconds;
  while (!(await tryLock())) {
    if (Date.now() > deadline) {
      await client.end();
      throw new Error('The database is in use by another Parley process');
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

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
