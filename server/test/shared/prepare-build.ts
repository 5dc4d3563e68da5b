import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Resource } from './offer-resources.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds the console (`web`) or the command line (`cli`), unless its sources are those of the last build. */
export async function prepareBuild(what: 'web' | 'cli'): Promise<Resource> {
  const child = spawn(process.execPath, ['scripts/prepare.mjs', what], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`scripts/prepare.mjs ${what} ended with ${code}:\n${stdout}${stderr}`);
  // It stays for whoever comes next.
  return { address: root, remove: async () => {} };
}
