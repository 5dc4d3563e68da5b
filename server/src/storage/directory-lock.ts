import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InUseError } from './in-use-error.ts';

export interface DirectoryLock {
  release(): void;
}

/**
 * Locks a data directory against other processes. It is a lock of the operating system on an empty SQLite file, so it
 * ends with the process and never needs cleanup.
 * @param patienceMilliseconds how long to wait for a process that holds it; blocks the event loop
 * @throws InUseError when another process holds it
 */
export function lockDirectory(directory: string, patienceMs: number): DirectoryLock {
  const database = new DatabaseSync(join(directory, 'lock.db'), { timeout: patienceMs });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive;');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new InUseError(`The data directory ${directory} is in use by another Parley process`);
  }
  return { release: () => database.close() };
}

/** SQLite's code for "locked by another process". */
const busy = 5;
