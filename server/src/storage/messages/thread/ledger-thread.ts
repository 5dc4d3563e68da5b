import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { StorageError } from '../../../lib/storage-error.ts';
import { threadEnvironment } from '../../../lib/thread-environment.ts';
import type { SqliteKysely } from '../../sqlite-database.ts';
import { type CommitWork, type StatementWork, storageWork } from '../../storage-work.ts';
import { collect, maximumOperations } from '../collecting.ts';
import { StoringLoad } from '../storing-load.ts';
import {
  carriedError,
  type LedgerOperation,
  type LedgerSet,
  type LedgerThreadData,
  type OperationAnswer,
  type SetAnswer,
} from './set-messages.ts';

export interface LedgerThreadOptions extends LedgerThreadData {
  database: SqliteKysely;
  /** False when there is certainly no webhook. */
  mayTellWebhooks: () => boolean;
  /** Receives each error of the database before it is thrown. */
  failed: (error: unknown) => void;
  /** The thread has ended by itself. What it was storing may be stored, or not. */
  ended: (error: Error) => void;
}

/** An operation as JSON, and the promise of its result. */
interface Pending {
  operation: string;
  done: PromiseWithResolvers<unknown>;
}

/**
 * The thread that stores messages and answers on SQLite. Operations are collected: at once when nothing is being stored,
 * else with those that were asked for meanwhile, they are one set, which is stored in one transaction. Nothing is answered
 * before it is on the disk.
 */
export class LedgerThread {
  readonly #options: LedgerThreadOptions;
  #worker: Worker | null = null;
  #isReady = false;
  #isClosed = false;
  #waiting: Pending[] = [];
  readonly #load = new StoringLoad();
  #storing: Promise<void> | null = null;
  #answered: PromiseWithResolvers<SetAnswer> | null = null;

  constructor(options: LedgerThreadOptions) {
    this.#options = options;
  }

  /** Whether it stores messages: from when it runs, and also when it has ended. Before that, nothing can be asked for. */
  get isInCharge(): boolean {
    return this.#isReady || this.#isClosed;
  }

  /** Starts the thread, unless it was started. */
  start(): void {
    if (this.#worker !== null || this.#isClosed) return;
    const { file, owner, webhookWaitMs } = this.#options;
    // Next to this file, both built and from source.
    const name = import.meta.url.endsWith('.ts') ? './ledger-worker.ts' : './ledger-worker.js';
    const worker = new Worker(new URL(name, import.meta.url), {
      name: 'ledger',
      workerData: { file, owner, webhookWaitMs } satisfies LedgerThreadData,
      env: threadEnvironment(),
    });
    worker.unref();
    worker.on('message', (message: SetAnswer | 'ready') => {
      if (message === 'ready') this.#isReady = true;
      else this.#answered?.resolve(message);
    });
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#end(new Error('The thread that stores messages has ended')));
    this.#worker = worker;
  }

  /**
   * @returns what the operation returned, once it is on the disk
   * @throws what it threw; StorageError when nothing was stored, `overloaded` for messages that arrive while too many wait
   */
  async ask({ part, method, values }: LedgerOperation): Promise<unknown> {
    if (this.#isClosed) throw closedError();
    const operation: LedgerOperation = { part, method, values: withoutMissing(values) };
    const text = JSON.stringify(operation);
    return await this.#load.during(text.length, isArrival(method), () => {
      const done = Promise.withResolvers<unknown>();
      this.#waiting.push({ operation: text, done });
      this.#storing ??= this.#store();
      return done.promise;
    });
  }

  /** Stores what was asked for, and ends the thread. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#storing;
    const worker = this.#worker;
    if (worker === null) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('close');
    await exited;
  }

  async #store(): Promise<void> {
    // What the events of one turn of the event loop ask for is one set.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const set = this.#waiting.splice(0, maximumOperations);
      try {
        await this.#storeSet(set);
      } catch (error) {
        for (const { done } of set) done.reject(error);
      }
      if (!this.#isClosed) await collect(set.length, this.#waiting.length);
    }
    this.#storing = null;
  }

  async #storeSet(set: readonly Pending[]): Promise<void> {
    const { database, mayTellWebhooks } = this.#options;
    const isObserved = storageWork.statement.hasSubscribers;
    const operations = `[${set.map(({ operation }) => operation).join()}]`;
    let isRetry = false;
    const answers = await database.lend(async () => {
      // Another process that has locked the file may do so for minutes.
      if (isRetry && this.#isClosed) throw closedError();
      isRetry = true;
      const answer = await this.#send({ operations, mayTellWebhooks: mayTellWebhooks(), isObserved });
      publish(answer.statements);
      if ('error' in answer) throw this.#failed(carriedError(answer.error));
      return JSON.parse(answer.answers) as OperationAnswer[];
    });
    if (storageWork.commit.hasSubscribers) storageWork.commit.publish({ members: set.length } satisfies CommitWork);
    for (const [index, answer] of answers.entries()) {
      const { done } = set[index] as Pending;
      if ('error' in answer) done.reject(this.#failed(carriedError(answer.error)));
      else done.resolve(answer.result);
    }
  }

  async #send(set: LedgerSet): Promise<SetAnswer> {
    const worker = this.#worker;
    if (worker === null) throw closedError();
    this.#answered = Promise.withResolvers();
    worker.ref();
    try {
      worker.postMessage(set);
      return await this.#answered.promise;
    } finally {
      worker.unref();
      this.#answered = null;
    }
  }

  /** A lost claim is no error of the database. */
  #failed(error: Error): Error {
    if (error instanceof StorageError && error.detail !== 'not_owner') this.#options.failed(error);
    return error;
  }

  #end(error: Error): void {
    if (this.#worker === null) return;
    this.#worker = null;
    const isExpected = this.#isClosed;
    this.#isClosed = true;
    const fault = new StorageError('closed', error.message, { cause: error });
    this.#answered?.reject(fault);
    for (const { done } of this.#waiting.splice(0)) done.reject(fault);
    if (!isExpected) this.#options.ended(error);
  }
}

/** Whether an operation stores messages that their platforms deliver again when they are refused. */
export function isArrival(method: string): boolean {
  return method === 'accept' || method === 'acceptAll';
}

/** JSON has null for parameters that are missing. */
function withoutMissing(values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
}

function publish(statements: readonly string[]): void {
  for (const sql of statements) storageWork.statement.publish({ sql, isRoundTrip: false } satisfies StatementWork);
}

function closedError(): StorageError {
  return new StorageError('closed', 'The database is closed');
}
