import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Characters of the server output that are stored, to be shown when it fails. */
const storedOutput = 4000;

/** How a process ended. */
export interface ProcessExit {
  /** Null when a signal ended it. */
  code: number | null;
  signal: string | null;
}

/** A server that was started as a process of its own, and may not be ready yet. */
export interface LaunchedServer {
  pid: number;
  /** Milliseconds, as `performance.now()` counts them, at which the process was started. */
  startedAt: number;
  /** The address it prints, `http://127.0.0.1:PORT`. Rejects with what it printed when it ends before that. */
  ready: Promise<string>;
  /** Resolves when the process ended, whoever ended it. */
  ended: Promise<ProcessExit>;
  /** The last of what it printed. */
  output(): string;
  /** Asks the program something over its channel and waits for the answer. Only where it was launched with one. */
  ask(question: string): Promise<unknown>;
  /** Ends it without a warning, and waits for the end. */
  kill(): Promise<void>;
  /** Asks it to end and waits for that. @throws Error when it ends with a fault */
  stop(): Promise<void>;
}

/** A server that is ready. */
export interface ServerProcess extends LaunchedServer {
  /** `http://127.0.0.1:PORT` */
  address: string;
}

/**
 * Starts a server.
 * @param script arguments of Node: options, and a path from the root of the repository
 * @param environment more environment variables
 * @param options `channel`: whether the program can be asked things; `directory`: the tree it is started from, this
 *   repository by default
 */
export function launchServer(
  script: readonly string[],
  environment: Record<string, string>,
  { channel = false, directory = root } = {},
): LaunchedServer {
  const startedAt = performance.now();
  const child = spawn(process.execPath, script, {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
  });
  // A benchmark that is interrupted leaves no server behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const exit = once(child, 'exit').finally(() => process.off('exit', end)) as Promise<[number | null, string | null]>;
  const output = outputOf(child);
  const ready = printedAddress(child, exit, output);
  // Whoever kills it before it is ready does not wait for that.
  ready.catch(() => undefined);
  return {
    // Node.js itself can always be started.
    pid: child.pid as number,
    startedAt,
    ready,
    ended: exit.then(([code, signal]) => ({ code, signal })),
    output,
    ask: async (question) => {
      const answer = once(child, 'message');
      child.send(question);
      return (await Promise.race([answer, exit.then(() => Promise.reject(new Error(`It ended:\n${output()}`)))]))[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code, signal] = await exit;
      if (code !== 0 && signal !== 'SIGTERM')
        throw new Error(`${script.at(-1)} ended with ${signal ?? `code ${code}`}:\n${output()}`);
    },
  };
}

/**
 * Starts a server and waits until it prints its address.
 * @throws Error with what it printed when it ends before that
 */
export async function startServer(...parameters: Parameters<typeof launchServer>): Promise<ServerProcess> {
  const server = launchServer(...parameters);
  return { ...server, address: await server.ready };
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-storedOutput);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => output;
}

async function printedAddress(child: ChildProcess, ended: Promise<unknown>, output: () => string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const look = () => {
      const [, address] = /ready at (http:\/\/127\.0\.0\.1:\d+)/.exec(output()) ?? [];
      if (address === undefined) return;
      child.stdout?.off('data', look);
      resolve(address);
    };
    child.stdout?.on('data', look);
    ended.then(() => reject(new Error(`The server ended before it was ready:\n${output()}`)), reject);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
