import type { CLibrary } from './c-library.ts';

/** The version of the two structures. */
const version3 = 0x20080522;

/**
 * Capabilities of root, other than file access, that could circumvent a hidden folder: load modules, raw I/O, trace
 * processes, administer and reboot the system, create devices, monitor performance, load BPF programs.
 */
export const administration: readonly number[] = [16, 17, 19, 21, 22, 27, 38, 39];

/**
 * All but those for reading files of other users, which root needs where it runs from the folder of a user. Landlock
 * decides which files.
 */
export const allButFileAccess: readonly number[] = Array.from({ length: 64 }, (_, capability) => capability).filter(
  (capability) => capability !== 1 && capability !== 2,
);

/** Drops capabilities permanently. Does nothing for users who have none. */
export function dropCapabilities(library: CLibrary, dropped: readonly number[]): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(version3);
  // Effective, permitted and inheritable ones, of the first 32 and then of the others.
  const sets = Buffer.alloc(24);
  if (library.capget(header, sets) !== 0) return;
  for (const capability of dropped) {
    for (let set = 0; set < 3; set += 1) {
      const at = (capability < 32 ? 0 : 12) + set * 4;
      sets.writeUInt32LE((sets.readUInt32LE(at) & ~(1 << (capability % 32))) >>> 0, at);
    }
  }
  header.writeUInt32LE(version3);
  library.capset(header, sets);
}
