import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/*
 * Builds what `npx parley` runs: plain JavaScript, since Node.js refuses to strip types below `node_modules`. Our own
 * code goes in, the packages that the server depends on stay out. What is loaded late stays a file of its own.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL('../server/package.json', import.meta.url), 'utf8'));
const external = Object.keys(dependencies as Record<string, string>).filter((name) => !name.startsWith('@parley/'));

const bundle = await rolldown({
  cwd: root,
  input: {
    parley: 'server/src/cli/parley.ts',
    // A thread of its own is started from a file.
    'monitoring-worker': 'server/src/storage/monitoring/monitoring-worker.ts',
  },
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
