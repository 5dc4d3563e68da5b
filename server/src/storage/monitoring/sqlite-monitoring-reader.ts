import { Worker } from 'node:worker_threads';
import type { MonitoringReader } from '../../core/monitoring/monitoring-reader.ts';
import type { CountedHours } from '../../core/monitoring/rollup-store.ts';
import { StorageError, type StorageFault } from '../../lib/storage-error.ts';
import { threadEnvironment } from '../../lib/thread-environment.ts';
import type { MonitoringQueries } from './monitoring-queries.ts';

type Method = keyof MonitoringQueries;

export interface WorkerQuestion {
  id: number;
  name: Method;
  values: unknown[];
}

export type WorkerAnswer = { id: number; result: unknown } | { id: number; error: Error; detail?: StorageFault };

/** How long an idle thread stays open, milliseconds. */
const idleMs = 60_000;

/** A call without a response yet. */
type PendingCall = PromiseWithResolvers<unknown>;

/**
 * Reads a SQLite file in a worker thread that ends when idle.
 */
export class SqliteMonitoringReader implements MonitoringReader {
  readonly #file: string;
  readonly #idleMs: number;
  readonly #failed: (error: unknown) => void;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  #isClosed = false;

  /**
   * @param file the SQLite file, with its tables
   * @param options.failed receives each error of the file before it is thrown
   */
  constructor(
    file: string,
    { keep = idleMs, failed = () => {} }: { keep?: number; failed?: (error: unknown) => void } = {},
  ) {
    this.#failed = failed;
    this.#file = file;
    this.#idleMs = keep;
  }

  readonly sums: MonitoringReader['sums'] = (...values) => this.#ask('sums', values);
  readonly activeSessions: MonitoringReader['activeSessions'] = (...values) => this.#ask('activeSessions', values);
  readonly page: MonitoringReader['page'] = (...values) => this.#ask('page', values);
  readonly batch: MonitoringReader['batch'] = (...values) => this.#ask('batch', values);
  readonly messageDetails: MonitoringReader['messageDetails'] = (...values) => this.#ask('messageDetails', values);
  readonly sessionStory: MonitoringReader['sessionStory'] = (...values) => this.#ask('sessionStory', values);
  readonly feedbackCounts: MonitoringReader['feedbackCounts'] = (...values) => this.#ask('feedbackCounts', values);
  readonly usageOfCallers: MonitoringReader['usageOfCallers'] = (...values) => this.#ask('usageOfCallers', values);
  readonly names: MonitoringReader['names'] = (...values) => this.#ask('names', values);
  readonly countHours = (hours: readonly string[]): Promise<CountedHours> => this.#ask('countHours', [hours]);

  /** Ends the thread and rejects open calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#end(new Error('The database is closed'));
    await worker?.terminate();
  }

  #ask<Result>(name: Method, values: unknown[]): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new Error('The database is closed'));
    clearTimeout(this.#idle);
    this.#worker ??= this.#begin();
    const worker = this.#worker;
    const id = this.#count++;
    const call: PendingCall = Promise.withResolvers();
    this.#pending.set(id, call);
    worker.ref();
    const question: WorkerQuestion = { id, name, values };
    worker.postMessage(question);
    return call.promise as Promise<Result>;
  }

  #begin(): Worker {
    // Next to this file, both built and from source.
    const name = import.meta.url.endsWith('.ts') ? './monitoring-worker.ts' : './monitoring-worker.js';
    const worker = new Worker(new URL(name, import.meta.url), { workerData: this.#file, env: threadEnvironment() });
    worker.on('message', (answer: WorkerAnswer) => {
      const call = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if (this.#pending.size === 0) this.#rest(worker);
      if ('error' in answer) call?.reject(this.#errorOf(answer.error, answer.detail));
      else call?.resolve(answer.result);
    });
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#end(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end(new Error('The thread of the monitoring reader has ended'));
    });
    return worker;
  }

  #errorOf(error: Error, detail: StorageFault | undefined): Error {
    if (detail === undefined) return error;
    const fault = new StorageError(detail, error.message, { cause: error });
    this.#failed(fault);
    return fault;
  }

  /** Idle: the thread does not keep the process alive and ends after a while. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => {
      this.#worker = null;
      void worker.terminate();
    }, this.#idleMs);
    this.#idle.unref();
  }

  #end(error: unknown): void {
    this.#worker = null;
    for (const call of this.#pending.values()) call.reject(error);
    this.#pending.clear();
  }
}
