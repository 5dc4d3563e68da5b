// Runs the service from its sources, for development. It is plain JavaScript, so that the compile cache holds all that
// it imports.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { allocatorSettings, goOnWith } from './allocator.js';

// Has to be settled before the process begins, so the same process begins again with it.
if (allocatorSettings !== null) goOnWith(allocatorSettings, process.argv.slice(1));

// Beside the packages and not in the shared temporary folder, where anybody could put compiled code for us to run.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));

const { main } = await import('./src/main.ts');
await main();
// Starting leaves 10 MB behind that nothing needs again; without `--expose-gc` they stay until the heap is full.
globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
