import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError } from '@parley/sdk';
import type { PluginProgram } from '../../core/plugins/plugin-caller.ts';

/** Files of a package that its manifest does not list. */
const unlisted: ReadonlySet<string> = new Set(['parley-plugin.json', 'parley-plugin.sig']);

/**
 * Compares the folder of a plugin with its manifest.
 * @throws ParleyError `plugin_files_changed` naming a file that is missing, more, changed, or neither file nor folder
 */
export async function checkPluginFiles({
  id,
  folder,
  files,
}: Pick<PluginProgram, 'id' | 'folder' | 'files'>): Promise<void> {
  const missing = new Set(Object.keys(files));
  for (const path of await filesBelow(id, folder, '')) {
    if (unlisted.has(path)) continue;
    if (!missing.delete(path)) throw changed(id, `has the file ${path}, which is not in its manifest`);
    const hash = createHash('sha256').update(await readFile(join(folder, path)));
    if (hash.digest('hex') !== files[path]) throw changed(id, `has another file ${path} than its manifest says`);
  }
  for (const path of missing) throw changed(id, `lacks the file ${path}`);
}

/** Paths relative to the folder, with `/`. */
async function filesBelow(id: string, folder: string, below: string): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: Error) => {
    throw changed(id, `has no readable folder: ${error.message}`);
  });
  const files: string[] = [];
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await filesBelow(id, folder, path)));
    else if (entry.isFile()) files.push(path);
    else throw changed(id, `has ${path}, which is neither a file nor a folder`);
  }
  return files;
}

function changed(id: string, what: string): ParleyError {
  return new ParleyError('plugin_files_changed', `the plugin ${id} ${what}`);
}
