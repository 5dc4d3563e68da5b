import { pathToFileURL } from 'node:url';
import { servePlugin } from '../../src/plugin-host/process/serve-plugin.ts';

/** The process of a plugin without what `plugin-process.ts` takes from it. */
const { stdin, stdout, argv } = process;
const [, , main = ''] = argv;
stdin.on('close', () => process.exit());
void servePlugin({ input: stdin, output: stdout, load: () => import(pathToFileURL(main).href) });
