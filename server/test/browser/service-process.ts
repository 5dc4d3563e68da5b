import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface ServiceProcess {
  /** Address of the service, without a trailing slash. */
  address: string;
  /** Everything it printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts the service as its own process, as `npm start` does, on a free port and a data folder of its own.
 * @param settings more environment variables
 */
export async function startServiceProcess(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  // Builds the console unless its sources are those of the last build.
  const prepared = spawnSync(process.execPath, ['scripts/prepare.mjs', 'web'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (prepared.status !== 0) throw new Error(`The console could not be built:\n${prepared.stdout}${prepared.stderr}`);

  const dataDirectory = mkdtempSync(join(tmpdir(), 'parley-browser-test-'));
  // The service knows neither that it runs in a test nor the settings of whoever runs it.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST|PARLEY_)/.test(name));
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      PARLEY_HOST: '127.0.0.1',
      PARLEY_PORT: '0',
      PARLEY_DATA_DIR: dataDirectory,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+[^\s"]*/.exec(output);
      if (found !== null) resolve(found[0].replace(/\/$/, ''));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The service ended before it was ready:\n${output}`)));
  });

  return {
    address,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
