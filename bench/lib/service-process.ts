import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { setupToken } from './program.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A folder for the data of one service and for its compiled modules, gone afterwards. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where a service keeps its data in a folder of {@link withFolder}. */
export function dataDirectory(folder: string): string {
  return join(folder, 'data');
}

/** What `npm start` gives to Node: it runs what is built. */
export const [, ...startArguments] = manifest.scripts.start.split(' ');

/** The options that `npm start` gives to Node. */
export const nodeOptions = startArguments.filter((argument) => argument.startsWith('--'));

/** Settings of a service on a free port, with nothing configured but where it lives. */
export function serviceEnvironment(folder: string): Record<string, string> {
  return {
    PARLEY_HOST: '127.0.0.1',
    PARLEY_PORT: '0',
    PARLEY_DATA_DIR: dataDirectory(folder),
    PARLEY_SETUP_TOKEN: setupToken,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    // As server/bin/parley.js sees to.
    MALLOC_ARENA_MAX: '2',
  };
}

/**
 * The real service, see {@link serviceEnvironment}.
 * @param settings more of them
 * @param directory the tree whose service is started; this one by default
 */
export function startService(
  folder: string,
  settings: Record<string, string> = {},
  directory?: string,
): Promise<ServerProcess> {
  const options = directory === undefined ? {} : { directory };
  return startServer(startArguments, { ...serviceEnvironment(folder), ...settings }, options);
}

/** Starts the service once and stops it, so that data and compiled modules are there for the next start. */
export async function warmUp(folder: string): Promise<void> {
  await (await startService(folder)).stop();
}

/** Runs `use` against a started service, and stops it whatever happens. */
export async function withService<Result>(
  folder: string,
  use: (service: ServerProcess) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const service = await startService(folder, settings);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}
