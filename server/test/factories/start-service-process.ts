import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testSetupToken } from './test-setup-token.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface ServiceProcessOptions {
  dataDir: string;
  databaseUrl?: string | null;
  /** The program to start, from the root of the checkout; by default the product. */
  program?: string;
  /** More settings; the environment of the tests is not handed on. */
  environment?: Record<string, string>;
}

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ServiceProcess extends ProcessControls {
  /** What it printed as its address, without a slash at the end. */
  address: string;
}

/** One that may not have started yet. */
export interface LaunchedProcess extends ProcessControls {
  /** Resolves when it says where it is; rejects when it ends before. */
  ready: Promise<ServiceProcess>;
}

interface ProcessControls {
  output(): { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<ProcessEnd>;
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  ended: Promise<ProcessEnd>;
  /** Ends it in good order, if it has not ended yet. */
  stop(): Promise<ProcessEnd>;
}

function launch({ dataDir, databaseUrl, program = 'server/start.js', environment }: ServiceProcessOptions) {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      PARLEY_CONFIG_FILE: '/dev/null',
      PARLEY_PORT: '0',
      PARLEY_LOG_LEVEL: 'warn',
      // There is no load balancer that has to notice a stop.
      PARLEY_DRAIN_SECONDS: '0',
      PARLEY_DATA_DIR: dataDir,
      PARLEY_SETUP_TOKEN: testSetupToken,
      ...(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code]): ProcessEnd => ({ code, ...output }));
  return { child, output, ended };
}

/** Starts the service as its own process on a free port and waits until it says where it is. */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  return await launchServiceProcess(options).ready;
}

/** Starts the service as its own process on a free port, which may have to wait for others. */
export function launchServiceProcess(options: ServiceProcessOptions): LaunchedProcess {
  const { child, output, ended } = launch(options);
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /^Parley is ready at (\S+)$/m.exec(output.stdout)?.[1];
      if (found !== undefined) resolve(found.replace(/\/$/, ''));
    });
    void ended.then(({ stdout, stderr }) => reject(new Error(`the service did not start:\n${stdout}${stderr}`)));
  });
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  const controls = {
    output: () => ({ ...output }),
    kill,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    ended,
    stop: () => kill('SIGTERM'),
  };
  const ready = address.then((found): ServiceProcess => Object.assign(controls, { address: found }));
  // One that never starts may be meant to.
  ready.catch(() => {});
  return Object.assign(controls, { ready });
}

/** Starts a service that cannot start, and waits for its end. */
export async function startInVain(options: ServiceProcessOptions): Promise<ProcessEnd> {
  const { child, ended } = launch(options);
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const end = await ended;
  clearTimeout(timer);
  return end;
}
