import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal } from '../core/plugins/package/plugin-fault.ts';
import { shownPath } from './bundle-module.ts';

/**
 * Reads all files below a folder of a project, but TypeScript and hidden ones.
 * @returns by their path in the project, with `/` between folders; none when there is no such folder
 * @throws ParleyError `plugin_invalid` for a link
 */
export async function readFolder(folder: string, project: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) for (const [name, content] of await readFolder(path, project)) files.set(name, content);
    else if (!entry.isFile()) throw refusal(shownPath(path, project), 'is a link or another special file');
    else if (!entry.name.endsWith('.ts')) files.set(shownPath(path, project), await readFile(path));
  }
  return files;
}

/** @returns null when there is no such file */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
