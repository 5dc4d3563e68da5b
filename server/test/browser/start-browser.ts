import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Resource } from '../shared/offer-resources.ts';

/**
 * Starts a browser that other processes connect to. It ends with this process at the latest, even when this process is
 * killed.
 * @throws Error with what was said when it did not start
 */
export async function startBrowser(): Promise<Resource> {
  const supervisor = spawn(process.execPath, [fileURLToPath(new URL('./browser-supervisor.ts', import.meta.url))], {
    // A group of its own: Ctrl-C in a terminal would otherwise end the browser before the tests that use it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(supervisor, 'close');
  const complaint = text(supervisor.stderr);
  const address = await Promise.race([
    once(supervisor.stdout.setEncoding('utf8'), 'data').then(([line]) => String(line).trim()),
    ended.then(async () => Promise.reject(new Error(`the browser did not start: ${await complaint}`))),
  ]);
  return {
    address,
    remove: async () => {
      supervisor.stdin.end();
      await ended;
    },
  };
}
