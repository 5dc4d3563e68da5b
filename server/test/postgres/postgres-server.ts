import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** A running PostgreSQL server for tests, with empty databases and no other user. */
export interface PostgresServer {
  /** Address of the maintenance database, `postgres://…`. */
  url: string;
  /** Stops the server, starts it or ends it as a crash would; its address and its files stay. */
  tell(command: 'stop' | 'start' | 'crash'): Promise<void>;
  /**
   * Stops the server for a moment and starts a standby beside it, without which nothing is committed any more.
   * @returns its address, which only reads until `select pg_promote()`
   */
  addStandby(): Promise<string>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL on a free port of 127.0.0.1, with fsync as in production. It ends with this process at the
 * latest, even when this process is killed.
 * @param options.inMemory to put its data into memory where there is room: databases come and go without the disk
 * @throws Error with what the server said when it did not start
 */
export async function startPostgres({ inMemory = false } = {}): Promise<PostgresServer> {
  const program = fileURLToPath(new URL('./postgres-supervisor.ts', import.meta.url));
  const supervisor = spawn(process.execPath, [program, ...(inMemory ? ['--in-memory'] : [])], {
    // A separate process group: Ctrl-C in a terminal would otherwise end the server before the tests that use it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => supervisor.on('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let complaint = '';
    supervisor.on('error', reject);
    supervisor.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk;
    });
    supervisor.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()));
    supervisor.on('close', () => reject(new Error(`PostgreSQL did not start: ${complaint}`)));
  });
  const ask = async (command: string): Promise<string> => {
    const answered = once(supervisor.stdout, 'data').then(([line]) => String(line).trim());
    supervisor.stdin.write(`${command}\n`);
    const answer = await Promise.race([answered, ended.then(() => null)]);
    if (answer === null) throw new Error('PostgreSQL ended');
    return answer;
  };
  return {
    url,
    async tell(command) {
      await ask(command);
    },
    addStandby: () => ask('standby'),
    async stop() {
      supervisor.stdin.end();
      await ended;
    },
  };
}
