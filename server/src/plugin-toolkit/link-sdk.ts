import { mkdir, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Lets a project find `@parley/sdk` and the types of Node.js without a network: where it has none, links in its
 * `node_modules` lead to those that the command line has.
 */
export async function linkSdk(project: string): Promise<void> {
  const { resolve } = createRequire(join(project, 'package.json'));
  const sdk = dirname(dirname(fileURLToPath(import.meta.resolve('@parley/sdk/plugin'))));
  const nodeTypes = dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));
  if (!finds(resolve, '@parley/sdk/plugin')) await link(join(project, 'node_modules', '@parley', 'sdk'), sdk);
  if (!finds(resolve, '@types/node/package.json'))
    await link(join(project, 'node_modules', '@types', 'node'), nodeTypes);
}

function finds(resolve: NodeJS.RequireResolve, name: string): boolean {
  try {
    return resolve(name) !== '';
  } catch {
    return false;
  }
}

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // One that leads nowhere, since the checkout was moved.
  await rm(path, { force: true });
  // On Windows a junction needs no rights.
  await symlink(target, path, 'junction');
}
