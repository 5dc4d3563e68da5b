import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StoragePlace } from '../stores/open-test-storage.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const parleyBin = fileURLToPath(new URL('../../bin/parley.js', import.meta.url));

export interface ParleyOptions {
  /** The data folder; by default none. */
  place?: Pick<StoragePlace, 'dataDir' | 'databaseUrl'>;
  /** More settings; the environment of the tests is not handed on. */
  environment?: Record<string, string>;
  /** What comes in on the standard input. */
  input?: string;
  /** Another file than that of the checkout. */
  bin?: string;
  nodeOptions?: readonly string[];
}

/** How a command ended. */
export interface ParleyEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function spawnParley(args: readonly string[], { place, environment, bin, nodeOptions = [] }: ParleyOptions) {
  return spawn(process.execPath, [...nodeOptions, bin ?? parleyBin, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PARLEY_CONFIG_FILE: '/dev/null',
      PARLEY_PORT: '0',
      PARLEY_LOG_LEVEL: 'warn',
      ...(place === undefined ? {} : { PARLEY_DATA_DIR: place.dataDir }),
      ...(place?.databaseUrl ? { PARLEY_DATABASE_URL: place.databaseUrl } : {}),
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs one command of the built command line as a process. */
export async function runParley(args: readonly string[], options: ParleyOptions = {}): Promise<ParleyEnd> {
  const child = spawnParley(args, options);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // A command that does not read its input may be gone before it was written.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [code] = await once(child, 'close');
  return { code, ...output };
}

/** Runs one command that must succeed, with JSON output. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents and compare what they find
export async function parleyJson(args: readonly string[], options: ParleyOptions = {}): Promise<any> {
  const { code, stdout, stderr } = await runParley([...args, '--json'], options);
  if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout);
}
