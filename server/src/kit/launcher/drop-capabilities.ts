import type { CLibrary } from './c-library.ts';

/** The version of the two structures. */
const version3 = 0x20080522;

/**
 * What root may besides reading and writing files, and by which it would come past what is hidden: load modules, raw
 * input and output, trace others, administer and reboot the system, make devices, watch performance, load programs into
 * the kernel.
 */
const dropped = [16, 17, 19, 21, 22, 27, 38, 39];

/** Gives up capabilities for good. Does nothing for users who have none. */
export function dropCapabilities(library: CLibrary): void {
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
