import { pathToFileURL } from 'node:url';
import { crashText } from './handler-error.ts';
import { hardenProcess } from './harden-process.ts';
import { servePlugin } from './serve-plugin.ts';

/*
 * The program of the process of a plugin. It is started with the path of the module of the plugin, and ends with its
 * input, which is the connection to the server. Built into one file, since the process may read nothing else of ours.
 */

const { stdin, stdout, stderr, argv } = process;
const exit = process.exit.bind(process);
const [, , main = ''] = argv;

hardenProcess();
stdin.on('close', () => exit());
for (const kind of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(kind, (thrown) => {
    stderr.write(`${crashText(kind, thrown)}\n`);
    exit(1);
  });
}
void servePlugin({ input: stdin, output: stdout, load: () => import(pathToFileURL(main).href) });
