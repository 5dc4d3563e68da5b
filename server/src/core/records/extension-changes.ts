import { SharedRead } from '../../lib/shared-read.ts';

/** What has plugins, MCP servers or webhooks in memory. Reads them again, and applies what differs. */
export type ReadsAgain = () => Promise<void>;

/**
 * Brings plugins, MCP servers and webhooks in memory up to date with what other replicas changed. Own changes are applied
 * where they are made.
 */
export class ExtensionChanges {
  /** Whether there are other replicas, as far as is known. */
  hasOthers = false;
  readonly #readers: ReadsAgain[] = [];
  readonly #reading = new SharedRead(async () => {
    await Promise.all(this.#readers.map((read) => read()));
  });
  #version: number | null = null;

  /** Before the first version is seen. */
  register(...readers: readonly ReadsAgain[]): void {
    this.#readers.push(...readers);
  }

  /** Whether something may have changed since it was read. */
  isOutdated(version: number): boolean {
    return this.hasOthers && version !== this.#version;
  }

  /**
   * Resolves once what is in memory is as new as a version. It takes no wait while that is the one that was seen last.
   * @param version as a committed transaction has read it
   * @throws StorageError when it cannot be read
   */
  async follow(version: number): Promise<void> {
    if (!this.isOutdated(version)) return;
    await this.readAgain();
    this.#version = version;
  }

  /** Reads all again. Calls that come meanwhile share the next read. */
  readAgain(): Promise<void> {
    return this.#reading.get();
  }
}
