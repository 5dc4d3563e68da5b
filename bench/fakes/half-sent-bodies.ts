import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Requests and connections held open against a server. */
export interface HeldOpen {
  /** Origin of the server. */
  address: string;
  /** Target URLs, used in turns. */
  paths: readonly string[];
  /** Requests that never end. */
  bodies: number;
  /** Bytes that each of them sends; it announces one more. */
  bodyBytes: number;
  /** Connections that send nothing. */
  connections: number;
  /** Seconds over which all of them start. */
  ramp: number;
}

/** Reactions of the server so far. */
export interface HeldOpenState {
  /** Responses by status. */
  answered: Record<string, number>;
  /** Connections that the server closed, of all. */
  closed: number;
}

/** Keeps requests half sent and connections silent, in a separate thread. */
export interface HalfSentBodies {
  /** Starts, and resolves when everything that the server accepts was sent. */
  open(): Promise<void>;
  state(): Promise<HeldOpenState>;
  close(): Promise<void>;
}

export async function prepareHalfSentBodies(held: HeldOpen): Promise<HalfSentBodies> {
  const worker = new Worker(new URL('./half-sent-bodies-worker.ts', import.meta.url), { workerData: held });
  await once(worker, 'message');
  const ask = async (question: 'open' | 'state') => {
    const answer = once(worker, 'message');
    worker.postMessage(question);
    return (await answer)[0] as HeldOpenState;
  };
  return {
    open: async () => void (await ask('open')),
    state: () => ask('state'),
    close: async () => void (await worker.terminate()),
  };
}
