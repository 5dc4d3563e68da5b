import { Worker } from 'node:worker_threads';
import type { ParsedDocument, ParserFile } from '../src/parser.ts';

/** The result for a file: the document, or an error. */
export interface ThreadOutcome {
  document?: ParsedDocument;
  reason?: string;
  message?: string;
}

/** Plain JavaScript, since it is handed over as text. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  (async () => {
    const { parse } = await import(workerData.module);
    const context = { ...workerData.limits, progress: () => undefined };
    for (const file of workerData.files) {
      try {
        parentPort.postMessage({ document: await parse(file, context) });
      } catch (error) {
        parentPort.postMessage({ reason: error?.reason, message: String(error?.stack ?? error) });
      }
    }
  })();
`;

/**
 * Reads files one after the other in a thread, so that a parser that hangs fails instead of blocking the caller.
 * @param milliseconds timeout per file
 */
export async function parseInThread(
  module: string,
  files: readonly ParserFile[],
  milliseconds: number,
): Promise<ThreadOutcome[]> {
  const limits = { maximumExpandedBytes: 100_000_000, maximumPages: 5000, maximumCharacters: 10_000_000 };
  const worker = new Worker(program, { eval: true, workerData: { module, files, limits }, stderr: true });
  const outcomes: ThreadOutcome[] = [];
  const ended = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    const late = () => ended.reject(new Error(`reading ${files[outcomes.length]?.name} does not come to an end`));
    timer = setTimeout(late, milliseconds);
  };
  watch();
  worker.on('message', (outcome: ThreadOutcome) => {
    outcomes.push(outcome);
    watch();
  });
  worker.on('error', ended.reject);
  worker.on('exit', () => ended.resolve());
  try {
    await ended.promise;
    return outcomes;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
