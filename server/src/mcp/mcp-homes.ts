import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders in the data folder that processes of servers have for their own, as `HOME`. */
export class McpHomes {
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

  /** Removes the folder of a server with all that is in it. */
  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { recursive: true, force: true });
  }

  #pathOf(name: string): string {
    return join(this.dataDir, 'mcp', name);
  }
}
