import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets the threads that handle messages go before the one that calls this. Threads have priorities of their own on Linux
 * only; elsewhere it would be that of the whole process, and nothing happens.
 * @param niceness from 1 to 19, the higher the later
 */
export function lowerThreadPriority(niceness: number): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // Then it competes with the others.
  }
}
