import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface PgliteServer {
  /** `postgres://…` of its only database. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a PGlite with the extension pgvector, which the PostgreSQL of the tests does not have. It is a whole PostgreSQL
 * behind a socket, but a single session: connections take turns by queries and transactions, and settings and advisory
 * locks of a session belong to all of them. A transaction that waits for another connection never ends.
 * @param dataDir where it keeps its files; without one, in memory
 */
export async function startPglite({ dataDir = null }: { dataDir?: string | null } = {}): Promise<PgliteServer> {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: { dataDir } });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await worker.terminate();
    },
  };
}
