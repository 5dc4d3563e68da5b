import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LoadOrder, LoadResult } from './read-client.ts';

const program = fileURLToPath(new URL('read-client.ts', import.meta.url));

/**
 * Reads one address as fast as answers come, from a process of its own.
 * @throws Error unless every response is a 200 with this body
 */
export async function readLoad({
  url,
  ...order
}: Omit<LoadOrder, 'host' | 'port' | 'path'> & { url: string }): Promise<LoadResult> {
  const { hostname: host, port, pathname, search } = new URL(url);
  const complete = { ...order, host, port: Number(port), path: pathname + search } satisfies LoadOrder;
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(complete)]);
  return JSON.parse(stdout) as LoadResult;
}
