import { parentPort, workerData } from 'node:worker_threads';
import { ParleyError } from '@parley/sdk';
import { lowerThreadPriority } from '../../../lib/thread-priority.ts';
import { ChunkDatabase } from './chunk-database.ts';
import type { ChunkDatabaseOptions } from './chunk-database-options.ts';
import type { CarriedError, WorkerMessage, WorkerNote } from './chunk-store-messages.ts';
import { isDamaged, type KnowledgeFile, moveAside, openKnowledgeFile } from './knowledge-file.ts';

/*
 * The thread that has the file of chunks and vectors open, so that nothing else in the process waits for it.
 */

/**
 * How far it stands back behind the thread that handles messages, on the scale of `nice`. Cores that are free are its
 * own all the same. It is the same for questions as for storing, since a thread may stand back but not come forward.
 */
const niceness = 5;

export interface WorkerData {
  path: string;
  options: ChunkDatabaseOptions;
}

const { path, options } = workerData as WorkerData;
lowerThreadPriority(niceness);

let unanswered = 0;
let file: KnowledgeFile | null = null;
let database: ChunkDatabase | null = null;
/** Why the file cannot be used; returned for every call. */
let fault: unknown = null;
try {
  file = openKnowledgeFile(path, (movedTo, error) => {
    tell({ kind: 'damaged', movedTo, error });
  });
  database = new ChunkDatabase(file, options, {
    failed: (error) => {
      if (!gaveUp(error))
        tell({ kind: 'warning', fields: { error: messageOf(error) }, message: 'Tidying up knowledge failed' });
    },
    idle: tellWhenIdle,
  });
} catch (error) {
  if (!gaveUp(error)) fault = error;
}

parentPort?.on('message', (message: WorkerMessage) => {
  if (message === 'close') {
    database?.close();
    process.exit();
  }
  void answer(message);
});

async function answer({ id, method, values }: Exclude<WorkerMessage, 'close'>): Promise<void> {
  unanswered += 1;
  try {
    if (database === null) throw fault;
    const call = database[method] as (...values: unknown[]) => unknown;
    const result = await call.apply(database, values);
    const transferred = Array.isArray(result)
      ? result.flatMap((value: unknown) => (value instanceof Float32Array ? [value.buffer as ArrayBuffer] : []))
      : [];
    parentPort?.postMessage({ kind: 'answer', id, result } satisfies WorkerNote, transferred);
  } catch (error) {
    if (gaveUp(error)) return;
    tell({ kind: 'error', id, error: carried(error) });
  } finally {
    unanswered -= 1;
    tellWhenIdle();
  }
}

function tellWhenIdle(): void {
  if (unanswered === 0 && database?.isIdle !== false) tell({ kind: 'idle' });
}

/** Moves a damaged file aside and ends the thread; the next one starts with an empty file. */
function gaveUp(error: unknown): boolean {
  if (!isDamaged(error)) return false;
  let movedTo: string | null = null;
  try {
    file?.close();
    movedTo = moveAside(path);
  } finally {
    tell({ kind: 'damaged', movedTo, error: messageOf(error) });
    process.exit();
  }
}

function tell(note: WorkerNote): void {
  parentPort?.postMessage(note);
}

function carried(error: unknown): CarriedError {
  if (error instanceof ParleyError) return { reason: error.reason, message: error.message, details: error.details };
  return { reason: null, message: messageOf(error), details: undefined };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
