import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * An OpenAI-compatible server that gives vectors which lie in clusters: a text belongs to the cluster of the word
 * `topic<number>` in it. The same text always gets the same vector. It works in a thread of its own that stands back
 * behind all others, for it stands for a service that has other processors: what waits for it does not hold up the
 * program that measures.
 */
export interface ClusteredEmbeddings {
  /** The address a provider record would hold. */
  baseUrl: string;
  /** Of all texts that it was asked for before, those whose vectors are closest to that of another one, closest first. */
  closest(text: string, count: number): Promise<string[]>;
  close(): Promise<void>;
}

/** What the thread is asked. */
export interface ClosestQuestion {
  text: string;
  count: number;
}

export async function startClusteredEmbeddings(dimensions: number): Promise<ClusteredEmbeddings> {
  const worker = new Worker(new URL('./embedding-model-worker.ts', import.meta.url), { workerData: { dimensions } });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    closest: async (text, count) => {
      const answer = once(worker, 'message');
      worker.postMessage({ text, count } satisfies ClosestQuestion);
      return (await answer)[0] as string[];
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
