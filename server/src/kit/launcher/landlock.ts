import { closeSync, constants, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CLibrary } from './c-library.ts';

/*
 * Gives up access to files, the network and other processes for this process and all that it becomes and starts, by
 * Landlock of Linux: https://docs.kernel.org/userspace-api/landlock.html
 */

const createRuleset = 444n;
const addRule = 445n;
const restrictSelf = 446n;
const askVersion = 1n;
const beneathPath = 1n;

const execute = 0b1n;
const writeFile = 0b10n;
const readFile = 0b100n;
const listFolder = 0b1000n;

/** Rights on files, by the version of Landlock that knows them first. */
const fileRights: readonly [version: number, rights: bigint][] = [
  [1, execute | writeFile | readFile],
  // Truncate.
  [3, 1n << 14n],
  // Control devices.
  [5, 1n << 15n],
];
/** Rights on folders: list, remove, make; from the second version on, move elsewhere. */
const folderRights: readonly [version: number, rights: bigint][] = [
  [1, 0b1_1111_1111_1000n],
  [2, 1n << 13n],
];
/** From version 4 on: listen for TCP connections and make some. */
const tcpRights = 0b11n;
/** From version 6 on: signals only to processes in the same domain, so that the service cannot be killed. */
const signalScope = 0b10n;
/** From version 6 on: no connections to abstract Unix sockets of others. */
const socketScope = 0b1n;

/** Opens a path reference, as rules require, without following links. */
const openPath = 0o10000000 | constants.O_NOFOLLOW;

/** What a process confined by {@link confine} may still use. Absolute paths; folders with what is in them. */
export interface ListedFiles {
  execute: readonly string[];
  read: readonly string[];
  /** Devices. */
  write: readonly string[];
}

/**
 * Removes all rights to a folder except for one folder in it. Listing the folders above it and creating or removing
 * their entries is denied, too; their other existing entries stay accessible. Requires `no_new_privs`.
 * @param hidden the folder, absolute and without symbolic links
 * @param visible the folder in it, likewise
 * @returns whether the folder is hidden; false where the kernel cannot
 */
export function hideFolder(library: CLibrary, hidden: string, visible: string): boolean {
  return restrict(library, { tcp: 0n, scope: signalScope }, ({ files, all }, allow) => {
    for (const folder of foldersAbove(hidden)) {
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        // The target of a link has its own rule.
        const isOnTheWay = path === hidden || hidden.startsWith(`${path}/`);
        if (!isOnTheWay && !entry.isSymbolicLink()) allow(path, entry.isDirectory() ? all : files);
      }
    }
    allow(visible, all);
  });
}

/**
 * Removes all rights to files but those listed, and as far as the kernel can, TCP, signals to other processes and
 * connections to their abstract Unix sockets. Requires `no_new_privs`.
 * @returns whether the process is confined; false where the kernel cannot
 */
export function confine(library: CLibrary, listed: ListedFiles): boolean {
  return restrict(library, { tcp: tcpRights, scope: signalScope | socketScope }, (_, allow) => {
    for (const path of listed.execute) allow(path, execute | readFile);
    // The kernel refuses a rule for a file that has rights for folders.
    for (const path of listed.read) allow(path, readFile | (isFolder(path) ? listFolder : 0n));
    for (const path of listed.write) allow(path, readFile | writeFile);
  });
}

function restrict(
  { syscall, addressOf }: CLibrary,
  beside: { tcp: bigint; scope: bigint },
  addRules: (rights: { files: bigint; all: bigint }, allow: (path: string, rights: bigint) => void) => void,
): boolean {
  const version = Number(syscall(createRuleset, 0n, 0n, askVersion, 0n));
  if (version < 1) return false;

  const files = rightsOf(fileRights, version);
  const all = files | rightsOf(folderRights, version);
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(all);
  if (version >= 4) attributes.writeBigUInt64LE(beside.tcp, 8);
  if (version >= 6) attributes.writeBigUInt64LE(beside.scope, 16);
  const ruleset = syscall(createRuleset, addressOf(attributes), BigInt(attributes.length), 0n, 0n);
  if (ruleset < 0n) return false;
  addRules({ files, all }, (path, rights) => {
    const entry = tryOpen(path);
    if (entry === null) return;
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(rights);
    rule.writeInt32LE(entry, 8);
    syscall(addRule, ruleset, beneathPath, addressOf(rule), 0n);
    closeSync(entry);
  });
  return syscall(restrictSelf, ruleset, 0n, 0n, 0n) === 0n;
}

function rightsOf(rights: readonly [version: number, rights: bigint][], version: number): bigint {
  return rights.reduce((sum, [since, more]) => (since <= version ? sum | more : sum), 0n);
}

/** From its parent up to the root. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

/** Nothing, where they may not be listed: then nothing in it but the way on can be reached. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Null if it is gone or inaccessible. */
function tryOpen(path: string): number | null {
  try {
    return openSync(path, openPath);
  } catch {
    return null;
  }
}
