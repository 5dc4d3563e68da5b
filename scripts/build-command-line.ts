import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/*
 * Builds what `./parley` runs: plain JavaScript, since Node.js refuses to strip types below `node_modules`. Our own
 * code is bundled, the packages that the server depends on are not. Lazily loaded modules are separate files.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL('../server/package.json', import.meta.url), 'utf8'));
/** Packages of many small modules, of which each takes time to load. */
const bundled = ['kysely', 'typebox'];
const external = Object.keys(dependencies as Record<string, string>).filter(
  (name) => !name.startsWith('@parley/') && !bundled.includes(name),
);

/** Parsers are loaded by URL in worker threads, so each is a separate file. */
const parserFolders = readdirSync(new URL('../server/src/parsers', import.meta.url)).filter((name) =>
  existsSync(new URL(`../server/src/parsers/${name}/parse.ts`, import.meta.url)),
);
const parserModule = (name: string) => `parser-${name}`;
/** The modules that draw pages, where there is one. */
const pageFolders = parserFolders.filter((name) =>
  existsSync(new URL(`../server/src/parsers/${name}/pages.ts`, import.meta.url)),
);
const pageModule = (name: string) => `pages-${name}`;

const bundle = await rolldown({
  cwd: root,
  input: {
    parley: 'server/src/cli/parley.ts',
    // Worker threads are started from a file.
    'ledger-worker': 'server/src/storage/messages/thread/ledger-worker.ts',
    'monitoring-worker': 'server/src/storage/monitoring/monitoring-worker.ts',
    'chunk-store-worker': 'server/src/storage/knowledge/sqlite/chunk-store-worker.ts',
    'parser-worker': 'server/src/parser-host/parser-worker.ts',
    'schema-worker': 'server/src/schema-host/schema-worker.ts',
    'package-worker': 'server/src/plugin-host/package/package-worker.ts',
    // So is the launcher.
    launcher: 'server/src/kit/launcher/launcher.ts',
    ...Object.fromEntries(parserFolders.map((name) => [parserModule(name), `server/src/parsers/${name}/parse.ts`])),
    ...Object.fromEntries(pageFolders.map((name) => [pageModule(name), `server/src/parsers/${name}/pages.ts`])),
  },
  plugins: [
    {
      name: 'addresses-of-parsers',
      transform(code, id) {
        const folder = /server[\\/]src[\\/]parsers[\\/]([^\\/]+)[\\/]index\.ts$/.exec(id)?.[1];
        if (folder === undefined) return null;
        const moved = code.replace("'./parse.ts'", `'./${parserModule(folder)}.js'`);
        if (moved === code) throw new Error(`${id} does not name its module './parse.ts'`);
        // Preserves line numbers.
        return { code: moved.replace("'./pages.ts'", `'./${pageModule(folder)}.js'`), map: null };
      },
    },
  ],
  platform: 'node',
  tsconfig: false,
  external: (id) => id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
});
await bundle.write({
  dir: 'server/dist',
  cleanDir: true,
  format: 'esm',
  sourcemap: true,
  // All in one folder, as deep below the checkout as `server/src`: the service finds the console and the API
  // description from where it is.
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();

/** The process of a plugin may read no other file of ours, neither modules nor a `package.json`. */
const pluginProcess = await rolldown({
  cwd: root,
  input: 'server/src/plugin-host/process/plugin-process.ts',
  platform: 'node',
  tsconfig: false,
});
await pluginProcess.write({
  file: 'server/dist/plugin-process.mjs',
  format: 'esm',
  // An import that is loaded later would be another file.
  codeSplitting: false,
});
await pluginProcess.close();
