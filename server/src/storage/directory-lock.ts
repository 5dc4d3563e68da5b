import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface DirectoryLock {
  release(): void;
}

/**
 * Keeps other processes off a data directory. The lock is one of the operating system's, held through an empty SQLite
 * file, so it ends with the process however that ends, and never has to be cleaned up.
 * @throws Error when another process holds it
 */
export function lockDirectory(directory: string): DirectoryLock {
  const database = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive;');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new Error(`The data directory ${directory} is in use by another Parley process`);
  }
  return { release: () => database.close() };
}

/** SQLite's code for "locked by somebody else". */
const busy = 5;
