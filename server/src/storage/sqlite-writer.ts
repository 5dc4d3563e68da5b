import { setTimeout as wait } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import { findStorageError, StorageError } from '../lib/storage-error.ts';
import type { NodeSqlite } from './node-sqlite.ts';
import { type CommitWork, storageWork } from './storage-work.ts';

/** Transactions that are committed together at most, so that the first of them does not wait without end. */
const maximumMembers = 500;

/** How long a read-only turn may block the event loop, milliseconds. */
const longestTurn = 5;

/** Shortest and longest pause before the lock of the file is tried again, milliseconds. */
const lockPauses = { first: 5, longest: 200 };

export interface SqliteWriterOptions {
  /** How long writers wait while another process has locked the file, milliseconds. Default 5 minutes. */
  lockPatienceMs?: number;
  /** How long transactions may follow each other without a turn of the event loop, milliseconds. Default 10. */
  longestGroupMs?: number;
}

/** Transactions that are committed together. */
interface Group {
  members: number;
  /** `performance.now()` when the first of them started. */
  startedAt: number;
  /** Settled with the commit. */
  committed: PromiseWithResolvers<void>;
}

/** The right to write, until `commit` or `rollback`. */
export interface WriteTurn {
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown>;
  /** Resolves when the changes are on the disk. */
  commit(): Promise<void>;
  /** Undoes the changes of this turn only. */
  rollback(): Promise<void>;
}

/**
 * The connection that writes a SQLite file, used by one transaction at a time. Flushing a commit to the disk takes
 * longer than everything else, so concurrent transactions are committed as a group: each is a savepoint of one SQLite
 * transaction. It commits when no other transaction arrives in the same turn of the event loop, so that a lone one does
 * not wait, and after 10 milliseconds of transactions, so that sockets are read; callers are notified only after the
 * commit.
 */
export class SqliteWriter {
  readonly #database: NodeSqlite;
  readonly #beforeCommit: () => void;
  readonly #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #isBusy = false;
  #isClosed = false;
  #group: Group | null = null;
  #commitTimer: NodeJS.Immediate | undefined;
  /** The commit became due during a write. */
  #isCommitDue = false;
  /** The error of the last statement that failed in the transaction. */
  #lastFault: unknown = null;
  /** The writer whose turn it is once sockets were read, and since when it waits for that, as `performance.now()`. */
  #paused: { begin: () => void; since: number } | null = null;
  readonly #lockPatience: number;
  readonly #longestGroup: number;
  /** `performance.now()` when another process was first found to hold the lock; null while none does. */
  #lockedSince: number | null = null;

  /**
   * @param database without a busy timeout: a wait inside SQLite would stop the event loop
   * @param beforeCommit called before others can see what was written, and after another connection has written
   */
  constructor(database: NodeSqlite, beforeCommit: () => void, options: SqliteWriterOptions = {}) {
    const { lockPatienceMs = 300_000, longestGroupMs = 10 } = options;
    this.#database = database;
    this.#beforeCommit = beforeCommit;
    this.#lockPatience = lockPatienceMs;
    this.#longestGroup = longestGroupMs;
  }

  /** Whether writers wait for another process that has locked the file. */
  get isLocked(): boolean {
    return this.#lockedSince !== null;
  }

  /** Starts a transaction when it is its turn. */
  async begin(): Promise<WriteTurn> {
    await this.#enter();
    try {
      const group = await this.#openGroup();
      const isFirst = group.members === 0;
      if (!isFirst) this.#database.run('savepoint turn');
      group.members += 1;
      return this.#turn(group, isFirst);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Runs one statement as a separate transaction, which SQLite rolls back when it fails. */
  async write(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    await this.#enter();
    let group: Group | null = null;
    try {
      group = await this.#openGroup();
      group.members += 1;
      return this.#run(sql, parameters);
    } finally {
      this.#leave();
      await group?.committed.promise;
    }
  }

  /** Runs one statement outside of any transaction, which some of those that change how SQLite works need. */
  async runAlone(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    await this.#enter();
    try {
      this.#commit();
      return await this.#whenUnlocked(() => {
        this.#beforeCommit();
        return this.#database.run(sql, parameters);
      });
    } finally {
      this.#leave();
    }
  }

  /**
   * Lets another connection of this process write: nothing is written here meanwhile, and waiting transactions follow.
   * @param write throws a StorageError `locked` while another process has locked the file, and is then called again
   */
  async lend<Result>(write: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      this.#commit();
      return await this.#whenUnlocked(write);
    } finally {
      this.#beforeCommit();
      this.#leave();
    }
  }

  /**
   * Call before each read elsewhere: an endless sequence of synchronous reads would otherwise delay the commit of
   * finished transactions.
   */
  beforeRead(): void {
    if (this.#paused !== null && performance.now() - this.#paused.since > longestTurn) this.#resume();
    if (this.#group === null || this.#isBusy) return;
    if (performance.now() - this.#group.startedAt > longestTurn) this.#commit();
  }

  /** Commits finished transactions, rolls back others, and rejects waiting ones. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const error = closedError();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    if (this.#isBusy) this.#fail(error);
    else this.#commit();
    this.#database.close();
  }

  #turn(group: Group, isFirst: boolean): WriteTurn {
    return {
      run: (sql, parameters) => {
        // Otherwise SQLite would run the statement as a separate transaction.
        if (this.#isClosed) throw closedError();
        if (!this.#database.isInTransaction) throw undoneError(this.#lastFault);
        return this.#run(sql, parameters);
      },
      commit: async () => {
        try {
          if (this.#isClosed) throw closedError();
          if (!isFirst) this.#run('release turn');
        } catch (error) {
          // The changes of this turn must not be committed with the others.
          this.#undoAll();
          throw error;
        } finally {
          this.#leave();
        }
        await group.committed.promise;
      },
      rollback: async () => {
        try {
          if (this.#database.isInTransaction && this.#group === group) this.#undo(group, isFirst);
        } finally {
          this.#leave();
        }
        // The turn may have been rolled back because of what it read from the others.
        await group.committed.promise.catch(() => {});
      },
    };
  }

  #undo(group: Group, isFirst: boolean): void {
    if (!isFirst) {
      this.#database.run('rollback to turn');
      this.#database.run('release turn');
      return;
    }
    // No one joins before the first one is done.
    this.#database.run('rollback');
    this.#forgetGroup();
    group.committed.resolve();
  }

  async #openGroup(): Promise<Group> {
    if (this.#group !== null) return this.#group;
    await this.#whenUnlocked(() => this.#database.run('begin immediate'));
    const committed = Promise.withResolvers<void>();
    // Each member gets the error itself.
    committed.promise.catch(() => {});
    this.#lastFault = null;
    this.#group = { members: 0, startedAt: performance.now(), committed };
    return this.#group;
  }

  /** Runs a statement inside the transaction, and records errors that may have ended the transaction. */
  #run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    try {
      return this.#database.run(sql, parameters);
    } catch (error) {
      this.#lastFault = error;
      throw error;
    }
  }

  /** Runs `work` as soon as no other process holds the file lock, without blocking the event loop. */
  async #whenUnlocked<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    for (let pause = lockPauses.first; ; pause = Math.min(pause * 2, lockPauses.longest)) {
      if (this.#isClosed) throw closedError();
      try {
        const result = await work();
        this.#lockedSince = null;
        return result;
      } catch (error) {
        if (!isLocked(error)) throw error;
        this.#lockedSince ??= performance.now();
        // Those that wait behind are refused as well, without another wait of that length.
        if (performance.now() - this.#lockedSince >= this.#lockPatience) throw error;
      }
      await wait(pause);
    }
  }

  #enter(): Promise<void> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (!this.#isBusy) {
      this.#isBusy = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #leave(): void {
    this.#isBusy = false;
    if (this.#isClosed) return;
    const group = this.#group;
    const isLong = group !== null && performance.now() - group.startedAt > this.#longestGroup;
    if (group !== null) {
      // A full disk, for example, ends the transaction of all.
      if (!this.#database.isInTransaction) this.#fail(undoneError(this.#lastFault));
      else if (this.#isCommitDue || isLong || group.members >= maximumMembers) this.#commit();
    }
    if (this.#group !== null) this.#commitTimer ??= setImmediate(() => this.#commitInTime());
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isBusy = true;
    // Sockets are read in between: what arrives would otherwise wait until nobody writes any more.
    if (isLong) {
      this.#paused = { begin: next.resolve, since: performance.now() };
      setImmediate(() => this.#resume());
    } else next.resolve();
  }

  #resume(): void {
    this.#paused?.begin();
    this.#paused = null;
  }

  #commitInTime(): void {
    this.#commitTimer = undefined;
    if (this.#isBusy) this.#isCommitDue = true;
    else this.#commit();
  }

  #commit(): void {
    const group = this.#forgetGroup();
    if (group === null) return;
    try {
      this.#beforeCommit();
      this.#database.run('commit');
      group.committed.resolve();
      const { members } = group;
      if (storageWork.commit.hasSubscribers) storageWork.commit.publish({ members } satisfies CommitWork);
    } catch (error) {
      group.committed.reject(error);
      this.#undoAll();
    }
  }

  #undoAll(): void {
    try {
      if (this.#database.isInTransaction) this.#database.run('rollback');
    } catch {
      // Then the next transaction fails to start and reports why.
    }
  }

  #fail(error: Error): void {
    this.#forgetGroup()?.committed.reject(error);
  }

  #forgetGroup(): Group | null {
    const group = this.#group;
    this.#group = null;
    this.#isCommitDue = false;
    if (this.#commitTimer !== undefined) clearImmediate(this.#commitTimer);
    this.#commitTimer = undefined;
    return group;
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof StorageError && error.detail === 'locked';
}

function closedError(): StorageError {
  return new StorageError('closed', 'The database is closed');
}

/** @param fault the cause if known: a full disk, for example, ends the transaction of all */
function undoneError(fault: unknown): StorageError {
  const known = findStorageError(fault);
  const detail = known?.kind === 'unavailable' ? known.detail : 'undone';
  return new StorageError(detail, 'SQLite rolled back the transaction', fault === null ? {} : { cause: fault });
}
