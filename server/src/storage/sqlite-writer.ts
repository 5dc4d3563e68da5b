import { setTimeout as wait } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import { findStorageError, StorageError } from '../lib/storage-error.ts';
import type { NodeSqlite } from './node-sqlite.ts';

/** Transactions that are committed together at most, so that the first of them does not wait without end. */
const maximumMembers = 500;

/** How long somebody who only reads may keep the event loop from its next turn, milliseconds. */
const longestTurn = 5;

/** Shortest and longest pause before the lock of the file is tried again, milliseconds. */
const lockPauses = { first: 5, longest: 200 };

export interface SqliteWriterOptions {
  /** How long writers wait while another process has locked the file, milliseconds. Default 5 minutes. */
  lockPatienceMilliseconds?: number;
}

/** Transactions that are committed together. */
interface Group {
  members: number;
  /** What `performance.now()` said when the first of them began. */
  begun: number;
  /** Settled with the commit. */
  committed: PromiseWithResolvers<void>;
}

/** The right to write, until it is given back by `commit` or `rollback`. */
export interface WriteTurn {
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown>;
  /** Resolves when what was written is on the disk. */
  commit(): Promise<void>;
  /** Undoes what was written in this turn, and nothing else. */
  rollback(): Promise<void>;
}

/**
 * The connection that writes a SQLite file, used by one after the other. Flushing a commit to the disk takes longer than
 * everything else, so transactions that come together are committed together: each is a savepoint of one transaction
 * of SQLite. It is committed when nobody else asks in the same turn of the event loop, so that a lone transaction waits
 * for nobody; nothing of what was done in it is told before.
 */
export class SqliteWriter {
  readonly #database: NodeSqlite;
  readonly #beforeCommit: () => void;
  readonly #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #isBusy = false;
  #isClosed = false;
  #group: Group | null = null;
  #commitTimer: NodeJS.Immediate | undefined;
  /** The time to commit came while somebody was writing. */
  #isCommitDue = false;
  /** What the last statement that failed in the transaction was refused with. */
  #lastFault: unknown = null;
  readonly #lockPatience: number;
  /** What `performance.now()` said when another process was first found to hold the lock; null while none does. */
  #lockedSince: number | null = null;

  /**
   * @param database without a busy timeout: a wait inside SQLite would stop the event loop
   * @param beforeCommit called before others can see what was written
   */
  constructor(
    database: NodeSqlite,
    beforeCommit: () => void,
    { lockPatienceMilliseconds = 300_000 }: SqliteWriterOptions = {},
  ) {
    this.#database = database;
    this.#beforeCommit = beforeCommit;
    this.#lockPatience = lockPatienceMilliseconds;
  }

  /** Whether writers wait for another process that has locked the file. */
  get isLocked(): boolean {
    return this.#lockedSince !== null;
  }

  /** Begins a transaction when it is its turn. */
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

  /** Runs one statement as a transaction of its own, which SQLite undoes by itself when it fails. */
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
   * To be called before each read elsewhere: reads that follow one another without end, each at once, would otherwise
   * keep what is finished from being committed.
   */
  beforeRead(): void {
    if (this.#group === null || this.#isBusy) return;
    if (performance.now() - this.#group.begun > longestTurn) this.#commit();
  }

  /** Commits what is finished, undoes what is not, and refuses whoever still waits. */
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
        // Otherwise the statement would be a transaction of its own.
        if (this.#isClosed) throw closedError();
        if (!this.#database.isInTransaction) throw undoneError(this.#lastFault);
        return this.#run(sql, parameters);
      },
      commit: async () => {
        try {
          if (this.#isClosed) throw closedError();
          if (!isFirst) this.#run('release turn');
        } catch (error) {
          // What this turn wrote must not be committed with the others.
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
        // Why it was given up may be what it saw of the others.
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
    // Nobody joins before the first one is done.
    this.#database.run('rollback');
    this.#forgetGroup();
    group.committed.resolve();
  }

  async #openGroup(): Promise<Group> {
    if (this.#group !== null) return this.#group;
    await this.#whenUnlocked(() => this.#database.run('begin immediate'));
    const committed = Promise.withResolvers<void>();
    // Each member hears of it by itself.
    committed.promise.catch(() => {});
    this.#lastFault = null;
    this.#group = { members: 0, begun: performance.now(), committed };
    return this.#group;
  }

  /** Runs a statement inside the transaction, and remembers what may have ended the transaction. */
  #run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    try {
      return this.#database.run(sql, parameters);
    } catch (error) {
      this.#lastFault = error;
      throw error;
    }
  }

  /** Runs what needs the lock of the file, as soon as no other process holds it. The event loop goes on meanwhile. */
  async #whenUnlocked<Result>(work: () => Result): Promise<Result> {
    for (let pause = lockPauses.first; ; pause = Math.min(pause * 2, lockPauses.longest)) {
      if (this.#isClosed) throw closedError();
      try {
        const result = work();
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
    if (group !== null) {
      // A full disk, for example, ends the transaction of all.
      if (!this.#database.isInTransaction) this.#fail(undoneError(this.#lastFault));
      else if (this.#isCommitDue || group.members >= maximumMembers) this.#commit();
    }
    if (this.#group !== null) this.#commitTimer ??= setImmediate(() => this.#commitInTime());
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isBusy = true;
    next.resolve();
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
    } catch (error) {
      group.committed.reject(error);
      this.#undoAll();
    }
  }

  #undoAll(): void {
    try {
      if (this.#database.isInTransaction) this.#database.run('rollback');
    } catch {
      // Then the next transaction cannot begin, and says why.
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

/** @param fault why, as far as it is known: a full disk, for example, ends the transaction of all */
function undoneError(fault: unknown): StorageError {
  const known = findStorageError(fault);
  const detail = known?.kind === 'unavailable' ? known.detail : 'undone';
  return new StorageError(detail, 'SQLite has undone the transaction', fault === null ? {} : { cause: fault });
}
