import { getCompileCacheDir } from 'node:module';

/**
 * The environment of a thread: none of the secrets that may be in that of the process, only where compiled code is kept,
 * which a thread does not know by itself.
 */
export function threadEnvironment(): Record<string, string> {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}
