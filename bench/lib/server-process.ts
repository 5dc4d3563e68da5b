import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A server that runs as a process of its own. */
export interface ServerProcess {
  /** `http://127.0.0.1:PORT` */
  address: string;
  pid: number;
  /** Milliseconds, as `performance.now()` counts them, at which the process was started. */
  startedAt: number;
  /** Asks the process to end and waits for it. @throws Error when it ends with a fault */
  stop(): Promise<void>;
}

/**
 * Starts a server and waits until it prints its address.
 * @param script arguments of Node: options, and a path from the root of the repository
 * @param environment more environment variables
 * @throws Error with what it printed when it ends before that
 */
export async function startServer(script: string[], environment: Record<string, string>): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, script, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A benchmark that is interrupted leaves no server behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const ended = once(child, 'exit').finally(() => process.off('exit', end)) as Promise<[number | null, string | null]>;
  const address = await printedAddress(child, ended);
  return {
    address,
    pid: child.pid as number,
    startedAt,
    stop: async () => {
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      if (code !== 0 && signal !== 'SIGTERM')
        throw new Error(`${script.at(-1)} ended with ${signal ?? `code ${code}`}`);
    },
  };
}

async function printedAddress(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  let output = '';
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
      const found = /ready at (http:\/\/127\.0\.0\.1:\d+)/.exec(output);
      if (found !== null) resolve(found[1] as string);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    ended.then(() => reject(new Error(`The server ended before it was ready:\n${output}`)), reject);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
