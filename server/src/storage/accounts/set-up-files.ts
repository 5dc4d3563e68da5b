import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SetUpTokenStore } from '../../core/accounts/first-account.ts';

const tokenFile = 'setup-token';
/** The settings do not tell which port was free, nor those of another shell under which address the service runs. */
const linkFile = 'setup-link';

/** Two files in the data folder that its owner alone may read. */
export class SetUpFiles implements SetUpTokenStore {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Null when there is an account, or no service was started on this folder. */
  link(): string | null {
    try {
      return readFileSync(join(this.#dataDir, linkFile), 'utf8').trimEnd();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  write(token: string, link: string): void {
    this.#writeLine(linkFile, link);
    this.#writeLine(tokenFile, token);
  }

  remove(): void {
    for (const name of [tokenFile, linkFile]) rmSync(join(this.#dataDir, name), { force: true });
  }

  /** Replaces an existing file, so that its mode or symlink target is not reused. */
  #writeLine(name: string, line: string): void {
    const path = join(this.#dataDir, name);
    const part = `${path}.part`;
    rmSync(part, { force: true });
    writeFileSync(part, `${line}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
  }
}
