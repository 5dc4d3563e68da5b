import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { now } from '../lib/clock.ts';
import { classifyFileError } from './classify-error.ts';
import type { Database } from './database.ts';

/** Room that must be free: small writes may fit into files that are there when nothing else does. Bytes. */
const probeBytes = 64 * 1024;

/**
 * Writes a row, on the disk when it returns.
 * @throws StorageError
 */
export async function probeDatabase(database: Database): Promise<void> {
  const value = now();
  await database
    .insertInto('metadata')
    .values({ key: 'storage_probe', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/**
 * Writes a file into a folder and removes it.
 * @throws StorageError when the disk is full, read-only or broken
 */
export async function probeDirectory(directory: string): Promise<void> {
  const path = join(directory, 'storage-probe.tmp');
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(probeBytes, 1));
      await file.sync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  } catch (error) {
    throw classifyFileError(error);
  }
}
