import { argv, stdin, stdout } from 'node:process';
import { servePlugin } from '../../src/plugin-host/process/serve-plugin.ts';

/*
 * The process of a plugin without its walls: `node plugin-process.ts <module>` serves a module on its standard input and
 * output, and ends with the connection.
 */
const [, , module = ''] = argv;
await servePlugin({ input: stdin, output: stdout, load: () => import(module) });
