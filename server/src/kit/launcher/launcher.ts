import { closeSync, readFileSync, writeSync } from 'node:fs';
import type { LaunchOrder, LaunchReport, Protection } from './launch-order.ts';

/*
 * The program that is started in place of another one: gives up what that one must not have, then becomes it, with the
 * same process id and the same streams. It is told on a channel and not by arguments or variables, which others can see
 * or which would change what it does itself.
 */

const channel = 3;
const setNoNewPrivileges = 38;
const brokenPipe = 13;
const defaultSignalHandling = 0n;

const { file, args, env, hidden, kept } = JSON.parse(readFileSync(channel, 'utf8')) as LaunchOrder;
const protection = await protect();
writeSync(channel, JSON.stringify({ protection } satisfies LaunchReport));
closeSync(channel);
process.execve?.(file, args, env);

async function protect(): Promise<Protection> {
  try {
    const [{ openCLibrary }, { dropCapabilities }, { hideFolder }] = await Promise.all([
      import('./c-library.ts'),
      import('./drop-capabilities.ts'),
      import('./landlock.ts'),
    ]);
    const library = openCLibrary();
    // Node.js ignores it, and a program inherits what is ignored.
    library.signal(brokenPipe, defaultSignalHandling);
    // No program that is started can have more rights than this process, whatever its file says.
    if (library.prctl(setNoNewPrivileges, 1n) !== 0) return 'none';
    dropCapabilities(library);
    return hideFolder(library, hidden, kept) ? 'landlock' : 'none';
  } catch {
    // This Node.js cannot call the C library.
    return 'none';
  }
}
