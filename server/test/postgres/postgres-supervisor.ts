// Runs one PostgreSQL server for as long as its standard input stays open. Whoever started this program need not do
// anything to end it: when that process goes away, however it goes, the input closes, the server ends and its files
// are removed. Prints the server's address on one line once it takes connections. A line on the input stops the server
// (`stop`), ends it as a crash would (`crash`), starts it again at the same address (`start`), or starts a standby beside it
// that confirms every commit (`standby`, answered by its address); each is answered by a line.
// With `--in-memory`, its data are in memory if there is room.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../shared/free-port.ts';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts';

const memory = '/dev/shm';
const enoughMemory = 2 * 1024 ** 3;
const environment = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' };
const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
/** The data; programs cannot be run from memory everywhere. */
const isInMemory = process.argv.includes('--in-memory') && hasMemory();
const dataFolder = mkdtempSync(join(isInMemory ? memory : tmpdir(), 'parley-postgres-data-'));
let server: ChildProcess | undefined;
let standby: ChildProcess | undefined;
let ending = false;

function hasMemory(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory;
}

function createCluster({ program, identity }: PostgresBinaries, data: string): void {
  mkdirSync(data, { mode: 0o700 });
  if (identity !== undefined) chownSync(data, identity.uid, identity.gid);
  const args = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-instructions', '--encoding=UTF8'];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const { status, stderr, error } = spawnSync(program('initdb'), [...args, ...locale], {
    ...identity,
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

/**
 * Resolves with the address, or with null when the port was taken by another process meanwhile.
 * @param started receives the process at once
 */
async function startServer(
  { program, identity }: PostgresBinaries,
  data: string,
  port: number,
  started = (child: ChildProcess) => {
    server = child;
  },
): Promise<string | null> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    log_destination: 'stderr',
    max_wal_size: isInMemory ? '256MB' : '1GB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(program('postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...identity,
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started(child);
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-4000);
      if (/ready to accept (read-only )?connections/.test(log))
        resolve(`postgres://postgres@127.0.0.1:${port}/postgres`);
    });
    child.on('error', reject);
    child.on('close', () => {
      if (log.includes('could not bind')) resolve(null);
      else reject(new Error(`postgres ended: ${log}`));
    });
  });
}

/** Ends at once: the data is thrown away, so the server need not write it out first. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await Promise.all([stopServer('SIGQUIT', standby), stopServer('SIGQUIT', server)]);
  for (const one of [dataFolder, folder]) rmSync(one, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}

/** Ends the server, by a signal of PostgreSQL: SIGINT for a fast stop, SIGQUIT for an immediate one. */
async function stopServer(signal: 'SIGINT' | 'SIGQUIT', child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill(signal);
  await ended;
}

/** Starts a standby, from a copy of the data while the server is stopped. @returns its address; null as {@link startServer} */
async function startStandby(binaries: PostgresBinaries, data: string, port: number): Promise<string | null> {
  await stopServer('SIGINT', server);
  const copy = join(dataFolder, 'standby');
  cpSync(data, copy, { recursive: true, preserveTimestamps: true });
  const { identity } = binaries;
  const give = (path: string) => identity !== undefined && chownSync(path, identity.uid, identity.gid);
  chmodSync(copy, 0o700);
  give(copy);
  for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' })) give(join(copy, path));
  const settings = join(copy, 'postgresql.auto.conf');
  const primary = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
  appendFileSync(settings, `primary_conninfo = '${primary}'\nwal_retrieve_retry_interval = '200ms'\n`);
  writeFileSync(join(copy, 'standby.signal'), '');
  // Every commit waits for it from now on.
  appendFileSync(join(data, 'postgresql.auto.conf'), "synchronous_standby_names = 'standby'\n");
  await startServer(binaries, data, port);
  return await startServer(binaries, copy, await freePort(), (child) => {
    standby = child;
  });
}

async function obey(command: string, binaries: PostgresBinaries, data: string, port: number): Promise<void> {
  if (command === 'standby') {
    const address = await startStandby(binaries, data, port);
    if (address === null) throw new Error('no free port was found for the standby');
    process.stdout.write(`${address}\n`);
    return;
  }
  if (command === 'start') await startServer(binaries, data, port);
  else await stopServer(command === 'crash' ? 'SIGQUIT' : 'SIGINT', server);
  process.stdout.write(`${command}\n`);
}

process.stdin.resume().on('close', () => end(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));

try {
  for (const one of [dataFolder, folder]) chmodSync(one, 0o755);
  const binaries = postgresBinaries(folder);
  const data = join(dataFolder, 'data');
  createCluster(binaries, data);
  let address: string | null = null;
  let port = 0;
  for (let attempt = 0; address === null && attempt < 5; attempt++) {
    port = await freePort();
    address = await startServer(binaries, data, port);
  }
  if (address === null) throw new Error('no free port was found for postgres');
  let obeying = Promise.resolve();
  process.stdin.setEncoding('utf8').on('data', (lines: string) => {
    for (const command of lines.split('\n').filter(Boolean)) {
      obeying = obeying.then(() => obey(command, binaries, data, port));
    }
  });
  process.stdout.write(`${address}\n`);
} catch (error) {
  if (!ending) process.stderr.write(`${(error as Error).message}\n`);
  await end(1);
}
