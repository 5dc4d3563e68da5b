import { StorageError } from '../../../lib/storage-error.ts';
import type { PostgresPipeline } from '../../postgres-pipeline.ts';
import { collect, maximumOperations } from '../collecting.ts';
import { StoringLoad } from '../storing-load.ts';

/** What an operation needs of the others in its batch that touch the same thing. */
type Company =
  /** Any that are not `alone`. */
  | 'shared'
  /** Any that are `shared`. */
  | 'turn'
  /** None. */
  | 'alone';

/** Something that is to be stored, with others. */
export interface BatchedOperation {
  /** What it is about: operations about the same thing are carried out in the order in which they were added. */
  keys: readonly string[];
  company: Company;
  /** About how many characters it stores. */
  size: number;
  /** Whether it stores messages that arrive, which are refused while too many wait. */
  arrives?: boolean;
}

/** How an operation ended that did not fail the batch. */
export type Outcome = { value: unknown } | { error: unknown };

/** Carries out a batch in the transaction of a pipeline. */
export type ExecuteBatch<Operation> = (
  pipeline: PostgresPipeline,
  batch: readonly Operation[],
) => Promise<{
  /** Of each operation. */
  outcomes: Outcome[];
  /** Resolves when all that was sent has been executed, rejects with the first error. */
  executed: Promise<unknown>;
}>;

interface Waiting<Operation> {
  operation: Operation;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Characters that the operations of one batch store, unless it is a single one. */
const maximumSize = 4_000_000;
/** Attempts for a batch that another transaction was in the way of, for example by a deadlock. */
const maximumAttempts = 4;

/**
 * Collects operations and carries them out together, in one transaction: at once when none is in progress, else with what
 * was added meanwhile, see {@link collect}.
 *
 * When data of one operation fails the transaction, all of them are carried out again one at a time, so that only that
 * one fails. When the database cannot be used, or the commit fails, all fail.
 */
export class BatchWriter<Operation extends BatchedOperation> {
  readonly #pipeline: PostgresPipeline;
  readonly #execute: ExecuteBatch<Operation>;
  readonly #load = new StoringLoad();
  #waiting: Waiting<Operation>[] = [];
  #isRunning = false;

  /** @param pipeline of which no one else uses transactions */
  constructor(pipeline: PostgresPipeline, execute: ExecuteBatch<Operation>) {
    this.#pipeline = pipeline;
    this.#execute = execute;
  }

  /**
   * @returns the value of the operation when it is stored
   * @throws StorageError when nothing was stored, `overloaded` for messages that arrive while too many wait
   */
  add(operation: Operation): Promise<unknown> {
    return this.#load.during(operation.size, operation.arrives === true, () => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      this.#waiting.push({ operation, resolve, reject });
      if (!this.#isRunning) {
        this.#isRunning = true;
        // What is added in the same turn comes along.
        queueMicrotask(() => void this.#run());
      }
      return promise;
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#next();
      await this.#carryOut(batch);
      await collect(batch.length, this.#waiting.length);
    }
    this.#isRunning = false;
  }

  /** Takes the operations of the next batch. Those that cannot be in it keep their place. */
  #next(): Waiting<Operation>[] {
    const taken: Waiting<Operation>[] = [];
    const left: Waiting<Operation>[] = [];
    const companies = new Map<string, Company>();
    let size = 0;
    let isFull = false;
    for (const one of this.#waiting) {
      const { operation } = one;
      isFull ||= taken.length === maximumOperations || (taken.length > 0 && size + operation.size > maximumSize);
      if (!isFull && operation.keys.every((key) => mayJoin(operation.company, companies.get(key)))) {
        taken.push(one);
        size += operation.size;
        for (const key of operation.keys) companies.set(key, joined(operation.company, companies.get(key)));
      } else {
        left.push(one);
        // Those behind it wait, too.
        for (const key of operation.keys) companies.set(key, 'alone');
      }
    }
    this.#waiting = left;
    return taken;
  }

  async #carryOut(batch: readonly Waiting<Operation>[]): Promise<void> {
    const failed = await this.#attempt(batch);
    if (failed === null) return;
    const { error, isOfData } = failed;
    if (!isOfData || batch.length === 1) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [index, one] of batch.entries()) {
      const failure = await this.#attempt([one]);
      if (failure === null) continue;
      one.reject(failure.error);
      if (failure.isOfData) continue;
      for (const { reject } of batch.slice(index + 1)) reject(failure.error);
      return;
    }
  }

  /** @returns null when the batch is stored and its operations have been answered */
  async #attempt(batch: readonly Waiting<Operation>[]): Promise<{ error: unknown; isOfData: boolean } | null> {
    for (let attempt = 1; ; attempt += 1) {
      let isCommitting = false;
      try {
        const operations = batch.map(({ operation }) => operation);
        const outcomes = await this.#inTransaction(operations, () => {
          isCommitting = true;
        });
        for (const [index, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[index] ?? { error: new Error('An operation has no outcome') };
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.value);
        }
        return null;
      } catch (error) {
        const fault = error instanceof StorageError ? error : null;
        if (!isCommitting && fault?.detail === 'conflict' && attempt < maximumAttempts) continue;
        return { error, isOfData: !isCommitting && fault?.kind !== 'unavailable' };
      }
    }
  }

  /**
   * The commit is sent right behind the last statement.
   * @param executed called when all statements have been executed, so that only the commit may fail
   */
  async #inTransaction(operations: readonly Operation[], executed: () => void): Promise<Outcome[]> {
    const pipeline = this.#pipeline;
    await pipeline.begin();
    try {
      const batch = await this.#execute(pipeline, operations);
      const [sent, committed] = await Promise.allSettled([batch.executed, pipeline.commit()]);
      // After a statement that failed, the commit has rolled back.
      if (sent.status === 'rejected') throw sent.reason;
      executed();
      if (committed.status === 'rejected') throw committed.reason;
      return batch.outcomes;
    } finally {
      await pipeline.end();
    }
  }
}

function mayJoin(company: Company, others: Company | undefined): boolean {
  if (others === undefined) return true;
  return others !== 'alone' && (company === 'shared' || (company === 'turn' && others === 'shared'));
}

function joined(company: Company, others: Company | undefined): Company {
  return company === 'shared' ? (others ?? 'shared') : company;
}
