import { getCompileCacheDir } from 'node:module';

/**
 * The environment of a thread: no secrets of the process, only the location of the compile cache, which a thread does
 * not inherit.
 */
export function threadEnvironment(): Record<string, string> {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}
