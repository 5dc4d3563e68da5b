import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpHomes as Homes } from '../core/mcp/mcp-homes.ts';
import { isUuid } from '../lib/uuid.ts';

/** The folders in the data folder that processes of servers have for their own, as `HOME`. */
export class McpHomes implements Homes {
  /** What such a process must not see, but for its own folder. */
  readonly dataDir: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  /** Makes the folder of a server unless it is there. @returns its path */
  async open(name: string): Promise<string> {
    const path = this.#pathOf(name);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async list(): Promise<string[]> {
    const names = await readdir(join(this.dataDir, 'mcp')).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    // Tests of what is not stored have other names.
    return names.filter(isUuid);
  }

  /** Removes the folder of a server with all that is in it. */
  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { recursive: true, force: true });
  }

  #pathOf(name: string): string {
    return join(this.dataDir, 'mcp', name);
  }
}
