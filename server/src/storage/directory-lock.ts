import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InUseError } from './in-use-error.ts';

export interface DirectoryLock {
  release(): void;
}

/**
 * Keeps other processes off a data directory. The lock is one of the operating system's, held through an empty SQLite
 * file, so it ends with the process however that ends, and never has to be cleaned up.
 * @param patienceMilliseconds how long to wait for a process that holds it; nothing else happens meanwhile
 * @throws InUseError when another process holds it
 */
export function lockDirectory(directory: string, patienceMilliseconds: number): DirectoryLock {
  const database = new DatabaseSync(join(directory, 'lock.db'), { timeout: patienceMilliseconds });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive;');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new InUseError(`The data directory ${directory} is in use by another Parley process`);
  }
  return { release: () => database.close() };
}

/** SQLite's code for "locked by somebody else". */
const busy = 5;
