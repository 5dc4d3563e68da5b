import { execFile, execFileSync } from 'node:child_process';
import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const megabyte = 1024 * 1024;

/** A file system of its own that is so small that it can be filled. */
export interface SmallDisk {
  fill(): Promise<void>;
  /** Gives back what {@link fill} took. */
  free(): Promise<void>;
  /** Unmounts it and removes what it was made of. */
  remove(): Promise<void>;
}

/** Whether one can be made here: on Linux, with the right to mount. */
export function canMakeSmallDisk(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/**
 * Mounts an ext4 file system of its own.
 * @param image file that holds it
 * @param folder where it is mounted
 */
export async function makeSmallDisk(image: string, folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await (await open(image, 'w')).close();
  await truncate(image, megabytes * megabyte);
  await run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  await run('mount', ['-o', 'loop', image, folder]);
  const unmount = () => execFileSync('umount', ['-l', folder]);
  process.once('exit', unmount);
  const filler = join(folder, 'filler');
  return {
    fill: async () => {
      const file = await open(filler, 'a');
      try {
        // Ever smaller blocks, so that nothing is left.
        for (const size of [megabyte, 4096, 1]) await writeUntilFull(file, size);
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    remove: async () => {
      process.off('exit', unmount);
      unmount();
      await rm(image, { force: true });
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, size: number): Promise<void> {
  const block = Buffer.alloc(size, 1);
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
