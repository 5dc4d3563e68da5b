import process, { argv, stdin, stdout } from 'node:process';
import { crashText } from '../../src/plugin-host/process/handler-error.ts';
import { servePlugin } from '../../src/plugin-host/process/serve-plugin.ts';

/*
 * The process of a plugin without its walls: `node plugin-process.ts <module>` serves a module on its standard input and
 * output, and ends with the connection or with an error that no handler catches.
 */
for (const kind of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(kind, (thrown) => {
    process.stderr.write(`${crashText(kind, thrown)}\n`);
    process.exit(1);
  });
}
const [, , module = ''] = argv;
await servePlugin({ input: stdin, output: stdout, load: () => import(module) });
