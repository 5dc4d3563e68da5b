import { closeSync, readFileSync, writeSync } from 'node:fs';
import type { LaunchOrder, LaunchReport, Protection } from './launch-order.ts';

/*
 * Started in place of the program: drops privileges, then executes the program, with the same process id and streams.
 * Its order comes through a pipe, since others can see arguments and variables, and these would affect the launcher.
 */

const channel = 3;
const setNoNewPrivileges = 38;
const brokenPipe = 13;
const defaultSignalHandling = 0n;

const { file, args, env, rights } = JSON.parse(readFileSync(channel, 'utf8')) as LaunchOrder;
const protection = await protect();
writeSync(channel, JSON.stringify({ protection } satisfies LaunchReport));
closeSync(channel);
if (protection === 'landlock' || !('isRequired' in rights && rights.isRequired)) process.execve?.(file, args, env);

async function protect(): Promise<Protection> {
  try {
    const [{ openCLibrary }, { administration, allButFileAccess, dropCapabilities }] = await Promise.all([
      import('./c-library.ts'),
      import('./drop-capabilities.ts'),
    ]);
    const library = openCLibrary();
    // No program can gain privileges, whatever its file mode.
    if (library.prctl(setNoNewPrivileges, 1n) !== 0) return 'none';
    if ('hidden' in rights) {
      // Node.js ignores SIGPIPE, and a program inherits ignored signals.
      library.signal(brokenPipe, defaultSignalHandling);
      dropCapabilities(library, administration);
      const { hideFolder } = await import('./landlock.ts');
      return hideFolder(library, rights.hidden, rights.visible) ? 'landlock' : 'none';
    }
    dropCapabilities(library, allButFileAccess);
    const { confineProcess } = await import('./confine-process.ts');
    return confineProcess(library, rights) ? 'landlock' : 'none';
  } catch {
    // This Node.js cannot call the C library.
    return 'none';
  }
}
