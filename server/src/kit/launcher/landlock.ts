import { closeSync, constants, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CLibrary } from './c-library.ts';

/*
 * Gives up access to a folder for this process and all that it becomes and starts, by Landlock of Linux:
 * https://docs.kernel.org/userspace-api/landlock.html
 */

const createRuleset = 444n;
const addRule = 445n;
const restrictSelf = 446n;
const askVersion = 1n;
const beneathPath = 1n;

/** Rights on files, by the version of Landlock that knows them first. */
const fileRights: readonly [version: number, rights: bigint][] = [
  // Execute, write, read.
  [1, 0b111n],
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
/** From ABI 6 on: signals only to processes in the same domain, so that the service cannot be killed. */
const signalScope = 0b10n;

/** Opens a path reference, as rules require, without following links. */
const openPath = 0o10000000 | constants.O_NOFOLLOW;

/**
 * Removes all rights to a folder except for one folder in it. Listing the folders above it and creating or removing
 * their entries is denied, too; their other existing entries stay accessible. Requires `no_new_privs`.
 * @param hidden the folder, absolute and without symbolic links
 * @param visible the folder in it, likewise
 * @returns whether the folder is hidden; false where the kernel cannot
 */
export function hideFolder({ syscall, addressOf }: CLibrary, hidden: string, visible: string): boolean {
  const version = Number(syscall(createRuleset, 0n, 0n, askVersion, 0n));
  if (version < 1) return false;

  const files = rightsOf(fileRights, version);
  const all = files | rightsOf(folderRights, version);
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(all);
  if (version >= 6) attributes.writeBigUInt64LE(signalScope, 16);
  const ruleset = syscall(createRuleset, addressOf(attributes), BigInt(attributes.length), 0n, 0n);
  if (ruleset < 0n) return false;
  const allow = (path: string, isFolder: boolean) => {
    const entry = tryOpen(path);
    if (entry === null) return;
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(isFolder ? all : files);
    rule.writeInt32LE(entry, 8);
    syscall(addRule, ruleset, beneathPath, addressOf(rule), 0n);
    closeSync(entry);
  };
  for (const folder of foldersAbove(hidden)) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      // The target of a link has its own rule.
      const isOnTheWay = path === hidden || hidden.startsWith(`${path}/`);
      if (!isOnTheWay && !entry.isSymbolicLink()) allow(path, entry.isDirectory());
    }
  }
  allow(visible, true);
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

/** Null if it is gone or inaccessible. */
function tryOpen(path: string): number | null {
  try {
    return openSync(path, openPath);
  } catch {
    return null;
  }
}
