import { findStorageError, type StorageFault } from '../lib/storage-error.ts';
import { classifyError, classifyFileError } from './classify-error.ts';

/** Remedies for operators, by fault. */
const remedies: Partial<Record<StorageFault, string>> = {
  corrupt:
    'is damaged. Restore it from a backup, together with the files next to it, or recover it with `sqlite3 … .recover`',
  disk_full: 'cannot be written: the disk is full. Free space on its file system, then start again',
  read_only:
    'cannot be written. Check the owner and the mode of the file and its folder, and whether the disk is read-only',
  io: 'cannot be read or written: the disk reports errors. Check the disk, then start again',
  locked: 'is locked by another program. End that program, then start again',
};

/**
 * The error of a start on SQLite, with the file and the remedy where the file or its disk is at fault. Any other as it is.
 * @param file path of the database
 */
export function startFault(error: unknown, file: string): unknown {
  const fault = findStorageError(classifyFileError(classifyError(error)));
  const remedy = fault === null ? undefined : remedies[fault.detail];
  if (fault === null || remedy === undefined) return error;
  return new Error(`The database file ${file} ${remedy} (${fault.message})`, { cause: error });
}
