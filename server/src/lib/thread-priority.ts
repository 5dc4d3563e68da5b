import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Gives the calling thread a lower priority than those that process messages. Linux only: elsewhere it would affect the
 * entire process, and nothing happens.
 * @param niceness from 1 to 19, the higher the later
 */
export function lowerThreadPriority(niceness: number): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // Then it competes with the others.
  }
}
