import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** What a service is started from. */
const sources = ['package.json', 'server', 'sdk', 'client', 'web/package.json', 'web/dist'];
const ownPackages = '@parley';

/** A text of a source file that is replaced by another one. */
export interface Replacement {
  /** From the root of the tree. */
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
}

/** Copies the sources that a service is started from, with links to the installed packages. @param from a checkout */
export async function copySourceTree(folder: string, from: string = root): Promise<void> {
  for (const source of sources) await cp(join(from, source), join(folder, source), { recursive: true });
  const packages = join(folder, 'node_modules');
  await mkdir(join(packages, ownPackages), { recursive: true });
  const installed = join(root, 'node_modules');
  for (const name of await readdir(installed)) {
    // Compiled modules belong to one tree.
    if (name !== ownPackages && name !== '.cache') await symlink(join(installed, name), join(packages, name));
  }
  // The packages of this repository are those of the copy.
  for (const name of await readdir(join(installed, ownPackages))) {
    await symlink(join('..', '..', name), join(packages, ownPackages, name));
  }
}

/** @returns what is wrong when a text to replace is not there, or more than once; else null */
export async function replaceInTree(folder: string, replacements: readonly Replacement[]): Promise<string | null> {
  for (const { file, from, to } of replacements) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    const count = text.split(from).length - 1;
    if (count !== 1) return `${file} holds ${count} times what is to be replaced once: ${from}`;
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
  return null;
}
