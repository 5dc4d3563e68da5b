import { open } from 'node:fs/promises';

/** Makes sure that the entries of a folder are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows does not open folders; there, renaming is durable without it.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
