import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * `npm run pack:packages [-- <folder>]`: builds the packages for authors of extensions and clients to JavaScript with
 * types and packs each as npm would publish it. Prints the tarballs. Below the folder, a package keeps the layout of its
 * sources, so that what a module reads beside itself (`../package.json`) is where it was. Inside the repository the
 * TypeScript sources are imported.
 */

interface Manifest {
  private?: boolean;
  /** By entry point: a TypeScript source. */
  exports: Record<string, string>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = resolve(process.argv[2] ?? join(root, 'dist', 'packages'));
const packages = ['sdk', 'client'];

/** The manifest that is published: its entry points are the built files, without what only the service uses. */
function publishable({ private: _, exports: { './internal': __, ...exports }, ...manifest }: Manifest) {
  const sources = Object.entries(exports);
  return {
    ...manifest,
    exports: Object.fromEntries(
      sources.map(([entry, source]) => [
        entry,
        { types: source.replace(/\.ts$/, '.d.ts'), default: source.replace(/\.ts$/, '.js') },
      ]),
    ),
    files: [...new Set(sources.map(([, source]) => source.replace(/^\.\/([^/]+)\/.*/, '$1')))],
  };
}

/** @returns path of the tarball */
function pack(name: string): string {
  const [source, target] = [join(root, name), join(directory, name)];
  const manifest: Manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishable(manifest), null, 2)}\n`);
  cpSync(join(source, 'README.md'), join(target, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  // On Windows npm is a script of the shell.
  const options = { cwd: directory, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  return join(directory, execFileSync('npm', ['pack', '--silent', `./${name}`], options).trim());
}

for (const name of packages) rmSync(join(directory, name), { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.packages.json'), '--outDir', directory], {
  stdio: ['ignore', 2, 2],
});
// The compiler takes declarations that are written by hand as they are, and leaves them where they are.
cpSync(join(root, 'client', 'src', 'schema.d.ts'), join(directory, 'client', 'src', 'schema.d.ts'));
for (const name of packages) console.log(pack(name));
