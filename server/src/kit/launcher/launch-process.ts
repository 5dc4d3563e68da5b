import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Confinement, LaunchOrder, LaunchReport, Protection } from './launch-order.ts';

export interface LaunchOptions {
  /** A path, or a name that is looked for in `PATH`. */
  command: string;
  args: readonly string[];
  /** The whole environment of the process; its `PATH` is where the command is looked for. */
  env: Readonly<Record<string, string>>;
  /** Folder that the process must not see where the system can keep it from that. It exists. */
  hidden: string;
  /** Folder in it that belongs to the process. It exists. */
  kept: string;
}

export interface ConfinedNodeOptions extends Omit<Confinement, 'read'> {
  /** Arguments of Node.js, the program among them. */
  args: readonly string[];
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
  /** Files, and folders with what is in them, that it may read. They exist. */
  read: readonly string[];
  /** The launcher as JavaScript. */
  launcher: string;
}

export interface LaunchedProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the program is about to start, or has failed to. */
  protection: Promise<Protection>;
}

const options = { shell: false, windowsHide: true, detached: true } as const;

/**
 * Starts a process without a shell, with an empty environment, in a new process group. On Linux it starts as the
 * launcher, which hides a folder from it.
 * @throws Error when there is no such command
 */
export function launchProcess({ command, args, env, hidden, kept }: LaunchOptions): LaunchedProcess {
  if (process.platform !== 'linux') return launchUnprotected(command, args, env);
  return launchInPlace(launcher(), {
    file: executable(command, env.PATH ?? ''),
    args: [command, ...args],
    env: { ...env },
    rights: { hidden: realpathSync(hidden), visible: realpathSync(kept) },
  });
}

/**
 * Starts this Node.js with another program, with an empty environment, in a new process group. On Linux it starts as the
 * launcher, which confines it and has it end with this process; elsewhere `isRequired` is for the caller to check.
 */
export function launchConfinedNode(confined: ConfinedNodeOptions): LaunchedProcess {
  const { args, env, read, launcher, ...limits } = confined;
  if (process.platform !== 'linux') return launchUnprotected(process.execPath, args, env);
  return launchInPlace(launcher, {
    file: process.execPath,
    args: [process.execPath, ...args],
    env: { ...env },
    rights: { read: read.map((path) => realpathSync(path)), ...limits },
  });
}

function launchUnprotected(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(command, args, { ...options, env, stdio: ['pipe', 'pipe', 'pipe'] });
  return { child, protection: Promise.resolve('none' as const) };
}

function launchInPlace(launcher: string, order: LaunchOrder): LaunchedProcess {
  const child = spawn(process.execPath, ['--no-warnings', launcher], {
    ...options,
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  const channel = child.stdio[3] as unknown as Duplex;
  // The pipe breaks when the launcher is killed before it read its order.
  channel.on('error', () => undefined);
  channel.end(JSON.stringify(order));
  const report = json(channel) as Promise<LaunchReport>;
  return { child, protection: report.then(({ protection }) => protection).catch(() => 'none' as const) };
}

/** Next to this file, both built and from source. */
function launcher(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './launcher.ts' : './launcher.js', import.meta.url));
}

/** Where a command is, as the system would look for it. */
function executable(command: string, path: string): string {
  const candidates = command.includes('/')
    ? [resolve(command)]
    : path.split(delimiter).map((folder) => resolve(folder, command));
  const found = candidates.find(isExecutable);
  if (found !== undefined) return found;
  throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
