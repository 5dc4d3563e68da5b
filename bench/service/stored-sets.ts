import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { SetAnswer } from '../../server/src/storage/messages/thread/set-messages.ts';
import { observeCommits } from '../../server/test/postgres/observe-commits.ts';

/** A set of operations of the ledger that is stored. */
export interface StoredSet {
  /** How many there are in it; on PostgreSQL at least so many. */
  operations: number;
  /** Whether the process was killed before any of them received its result. */
  killed: boolean;
}

/** A smaller set hardly differs from an operation by itself. */
const manyOperations = 5;

/**
 * Records the sets that this process stores in a file, each before its operations receive their results.
 * @returns `kill-after-commit`, which kills this process by SIGKILL as soon as the next set of at least
 *   {@link manyOperations} operations is committed, before any of them receives its result
 */
export function recordSets(file: string): { 'kill-after-commit': () => object } {
  const descriptor = openSync(file, 'a');
  let mustKill = false;
  observeSets((operations) => {
    const killed = mustKill && operations >= manyOperations;
    writeSync(descriptor, `${JSON.stringify({ operations, killed } satisfies StoredSet)}\n`);
    // It returns no more: the signal arrives before the call ends.
    if (killed) process.kill(process.pid, 'SIGKILL');
  });
  return {
    'kill-after-commit': () => {
      mustKill = true;
      return {};
    },
  };
}

/** Reads what a process recorded, whether it is killed or still runs. */
export function readSets(file: string): StoredSet[] {
  // One that was killed early has none.
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as StoredSet);
}

function observeSets(observe: (operations: number) => void): void {
  process.on('worker', (worker) => observeThread(worker, observe));
  // No operation of the benchmark inserts more than one row into a table, and claims insert none.
  observeCommits((inserted) => {
    if (inserted > 0) observe(inserted);
  });
}

/** On SQLite, the thread of the ledger answers a set after its commit. The first listener receives the answer first. */
function observeThread(worker: Worker, observe: (operations: number) => void): void {
  if (worker.threadName !== 'ledger') return;
  worker.prependListener('message', (message: SetAnswer | 'ready') => {
    if (message !== 'ready' && 'answers' in message) observe((JSON.parse(message.answers) as unknown[]).length);
  });
}
