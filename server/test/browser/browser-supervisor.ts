// Runs one browser for as long as its standard input stays open: whoever started this program need not do anything to
// end it, however that process goes away. Prints the browser's address on one line once it takes connections.
import process from 'node:process';
import { serveBrowser } from './chromium.ts';

const server = await serveBrowser();
const end = () => server.close().finally(() => process.exit());
process.stdin.resume().on('close', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
process.stdout.write(`${server.wsEndpoint()}\n`);
