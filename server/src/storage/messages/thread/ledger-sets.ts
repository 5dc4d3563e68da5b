import { isStorageUnavailable, StorageError } from '../../../lib/storage-error.ts';
import type { DirectSqlite } from '../../direct-sqlite.ts';
import { carryError, type LedgerOperation, type OperationAnswer } from './set-messages.ts';

/** Runs an operation in the transaction that is open. */
type Run = (operation: LedgerOperation) => Promise<unknown>;

/**
 * Stores operations in sets, each in one transaction, in the order in which they were asked for. An operation that fails
 * changes nothing and fails no other one.
 */
export class LedgerSets {
  readonly #database: DirectSqlite;
  readonly #run: Run;

  constructor(database: DirectSqlite, run: Run) {
    this.#database = database;
    this.#run = run;
  }

  /**
   * @returns what each operation returned or threw. Those that succeeded are on the disk
   * @throws StorageError when none was stored, `locked` while another process has locked the file
   */
  async store(operations: readonly LedgerOperation[]): Promise<OperationAnswer[]> {
    try {
      return await this.#transaction(async () => {
        const answers: OperationAnswer[] = [];
        for (const operation of operations) answers.push({ result: await this.#run(operation) });
        return answers;
      });
    } catch (error) {
      if (isFaultOfStorage(error)) throw error;
      if (operations.length === 1) return [{ error: carryError(error) }];
    }
    // One of them failed, which is rare: savepoints for all of them would take longer than storing the set again.
    return this.#transaction(async () => {
      const answers: OperationAnswer[] = [];
      for (const operation of operations) answers.push(await this.#apart(operation));
      return answers;
    });
  }

  async #transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#database.run('begin immediate');
    try {
      const result = await work();
      this.#database.run('commit');
      return result;
    } catch (error) {
      // SQLite has ended it, when the disk is full, for example.
      if (this.#database.isInTransaction) this.#database.run('rollback');
      throw error;
    }
  }

  async #apart(operation: LedgerOperation): Promise<OperationAnswer> {
    this.#database.run('savepoint operation');
    try {
      const result = await this.#run(operation);
      this.#database.run('release operation');
      return { result };
    } catch (error) {
      if (isFaultOfStorage(error)) throw error;
      this.#database.run('rollback to operation');
      this.#database.run('release operation');
      return { error: carryError(error) };
    }
  }
}

/** Whether nothing can be stored; else the operation itself cannot be carried out. */
function isFaultOfStorage(error: unknown): boolean {
  // The message is claimed by another process.
  if (error instanceof StorageError && error.detail === 'not_owner') return false;
  return isStorageUnavailable(error);
}
