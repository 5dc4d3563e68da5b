// What `npm start` runs. It is plain JavaScript, so that a start that finds everything compiled never loads Node's type
// stripper, which takes 20 MB of memory that are not given back. With `--compile` it only does the compiling.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { allocatorSettings, goOnWith } from './allocator.js';

// Has to be settled before the process begins, so the same process begins again with it.
if (allocatorSettings !== null) goOnWith(allocatorSettings, process.argv.slice(1));

// Beside the packages and not in the shared temporary folder, where anybody could put compiled code for us to run.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));

const { main } = await import('./src/main.ts');
if (!process.argv.includes('--compile')) {
  const isSet = (option) => process.argv.includes(option);
  await main(undefined, { newDatabase: isSet('--new-database'), withoutPlugins: isSet('--without-plugins') });
  // Starting leaves 10 MB behind that nothing needs again; without `--expose-gc` they stay until the heap is full.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
