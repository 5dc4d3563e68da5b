import { readFileSync, writeFileSync } from 'node:fs';
import type { CLibrary } from './c-library.ts';
import { confine } from './landlock.ts';
import type { Confinement } from './launch-order.ts';

const endWithParent = 1;
const kill = 9n;
/** Numbers of resource limits, the same on all systems that Node.js runs on. */
const limits = { fileSize: 1, data: 2, coreSize: 4, openFiles: 7 } as const;

/** What the loader of programs reads. Of glibc, and of musl. */
const loaderFiles = ['/etc/ld.so.cache', '/etc/ld.so.preload', '/etc/ld-musl-x86_64.path', '/etc/ld-musl-aarch64.path'];
const devices = ['/dev/null', '/dev/urandom'];
/** The highest: the system ends this process first when memory runs out. */
const endFirst = '1000';

/**
 * Confines this process, which becomes another Node.js, to the files that Node.js and its program need, sets limits of
 * resources, and has it end with the process that started it.
 * @returns whether the kernel confines it; the limits hold in any case
 */
export function confineProcess(library: CLibrary, { read, memoryBytes, openFiles }: Confinement): boolean {
  const status = readFileSync('/proc/self/status', 'utf8');
  const reserved = Number(/^VmData:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  // The program is the same binary with the same libraries, wherever this system has them.
  const mapped = new Set(readFileSync('/proc/self/maps', 'utf8').match(/(?<= )\/.*$/gm));
  tryToEndFirst();
  library.prctl(endWithParent, kill);
  const isConfined = confine(library, { execute: [...mapped], read: [...read, ...loaderFiles], write: devices });
  library.setLimit(limits.data, reserved + memoryBytes);
  library.setLimit(limits.openFiles, openFiles);
  library.setLimit(limits.coreSize, 0);
  library.setLimit(limits.fileSize, 0);
  return isConfined;
}

/** Some containers do not let it be changed. */
function tryToEndFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', endFirst);
  } catch {
    // The limits hold without it.
  }
}
