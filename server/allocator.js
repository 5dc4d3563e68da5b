// Plain JavaScript, as are those that use it.
import process from 'node:process';

/**
 * What glibc is told about memory, null where it was told or is not there: each thread would keep a pool of its own, from
 * which next to nothing comes back. With two for all, a service that knows documents holds 50 MB less.
 */
export const allocatorSettings =
  process.platform === 'linux' && process.execve !== undefined && process.env.MALLOC_ARENA_MAX === undefined
    ? { MALLOC_ARENA_MAX: '2' }
    : null;

/**
 * The same process goes on with other settings, so that whoever started it has one to watch and to stop. Does not return.
 * @param {Record<string, string>} settings
 * @param {string[]} argv script and arguments
 * @param {string[]} flags for Node
 */
export function goOnWith(settings, argv, flags = process.execArgv) {
  process.execve(process.execPath, [process.execPath, ...flags, ...argv], { ...process.env, ...settings });
}
