import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ParleyError } from '@parley/sdk';
import { inspectPackage } from '../../core/plugins/package/inspect-package.ts';
import { openPackage } from './open-package.ts';
import type { PackageAnswer, PackageQuestion } from './package-messages.ts';
import { readPackageFile } from './read-package-file.ts';
import { syncFolder } from './sync-folder.ts';

// What a package-thread passes on.
const { file, folder } = workerData as PackageQuestion;

async function answer(): Promise<PackageAnswer> {
  try {
    const bytes = await readPackageFile(file);
    const inspected = await inspectPackage(bytes, openPackage);
    if (folder !== null) await unpack(bytes, folder);
    return { type: 'inspected', inspected };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const { reason, message, details = [] } = error;
    return { type: 'refused', reason, message, details: [...details] };
  }
}

/** Its files are read-only, and on the disk when this resolves. */
async function unpack(bytes: Uint8Array, target: string): Promise<void> {
  const folders = new Set([target]);
  for (const entry of await openPackage(bytes)) {
    const path = join(target, entry.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (let at = dirname(path); at.length > target.length; at = dirname(at)) folders.add(at);
    // Never through a link, and never to a file that is there.
    const handle = await open(path, 'wx', 0o400);
    try {
      await handle.writeFile(await entry.read());
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  for (const made of folders) await syncFolder(made);
}

parentPort?.postMessage(await answer());
