import { setTimeout as wait } from 'node:timers/promises';
import { newUuid } from '../lib/uuid.ts';
import { untilAborted } from '../lib/waiting.ts';
import { InUseError } from './in-use-error.ts';
import { isSilent, type OwnerRow, OwnerSession } from './owner-session.ts';
import { notOwnerError, type Ownership, takenMessage } from './ownership.ts';
import { unreachableError } from './unreachable-error.ts';

export interface PostgresOwnershipOptions {
  /** How long to wait for a process that holds the lock, milliseconds. */
  patienceMs: number;
  /** Longest wait for a connection, milliseconds. Default 10 s. */
  connectMs?: number;
  /** Pause between two queries that show whether the connection lives, milliseconds. Default 2 s. */
  pingMs?: number;
  /** How long a query on the connection may take before the connection counts as lost, milliseconds. Default 5 s. */
  answerMs?: number;
  /** How long an owner that has not released the database is left to take it again, milliseconds. Default 1.5 s. */
  yieldMs?: number;
}

/** Shortest and longest pause between two attempts to take the lock again, milliseconds; shorter than others yield. */
const regainPauses = { first: 50, longest: 500 };
/** Pause between two attempts to take a lock that another process holds, milliseconds. */
const lockPause = 100;

/**
 * The single owner of a PostgreSQL database. It holds an advisory lock through a separate connection, so the lock ends
 * with the process. A row records who took the lock last.
 *
 * When the connection is lost, the lock is taken again. If another process has owned the database since, which the row
 * shows, this one must stop. After a failover the new server may lag: a row that is missing or has a lower term than
 * ours is older than our ownership, so there was no other owner, and the row is written again.
 */
export class PostgresOwnership implements Ownership {
  readonly owner = newUuid();
  readonly #url: string;
  readonly #options: Required<PostgresOwnershipOptions>;
  readonly #lost: ((why: 'ended' | 'silent') => void)[] = [];
  readonly #regained: (() => void)[] = [];
  readonly #taken: ((error: Error) => void)[] = [];
  readonly #closing = new AbortController();
  #session: OwnerSession;
  #state: 'held' | 'lost' | 'taken' = 'held';
  /** Of this owner; 0 until it is recorded. */
  #term = 0;
  #watching: Promise<void> = Promise.resolve();

  private constructor(url: string, options: Required<PostgresOwnershipOptions>, session: OwnerSession) {
    this.#url = url;
    this.#options = options;
    this.#session = session;
  }

  /**
   * Takes the lock. Call {@link record} once the tables are up to date.
   * @throws InUseError when another process holds it
   * @throws Error for the operator when the database cannot be reached
   */
  static async acquire(url: string, given: PostgresOwnershipOptions): Promise<PostgresOwnership> {
    const options = {
      connectMs: 10_000,
      pingMs: 2000,
      answerMs: 5000,
      yieldMs: 1500,
      ...given,
    };
    const session = await OwnerSession.open(url, options).catch((error: unknown) => {
      throw unreachableError(error);
    });
    try {
      await lock(session, options);
    } catch (error) {
      await session.close();
      throw error;
    }
    return new PostgresOwnership(url, options, session);
  }

  get isHeld(): boolean {
    return this.#state === 'held';
  }

  assertOwned(): void {
    if (!this.isHeld) throw notOwnerError();
  }

  onLost(listener: (why: 'ended' | 'silent') => void): void {
    this.#lost.push(listener);
  }

  onRegained(listener: () => void): void {
    this.#regained.push(listener);
  }

  onTaken(listener: (error: Error) => void): void {
    this.#taken.push(listener);
  }

  /** Records that this process is the owner, and starts watching the connection. */
  async record(): Promise<void> {
    this.#term = ((await this.#session.readOwner())?.term ?? 0) + 1;
    await this.#session.writeOwner({ owner: this.owner, term: this.#term, is_released: 0 });
    this.#watching = this.#watch();
  }

  /** Releases the database. */
  async release(): Promise<void> {
    this.#closing.abort();
    await this.#watching;
    if (this.isHeld && this.#term > 0) {
      // Without it, the next process has to wait briefly for this one.
      await this.#session.writeOwner({ owner: this.owner, term: this.#term, is_released: 1 }).catch(() => {});
    }
    await this.#session.close();
  }

  async #watch(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const why = await this.#untilLost();
      if (this.#closing.signal.aborted) return;
      this.#session.cut();
      this.#state = 'lost';
      for (const listener of this.#lost) listener(why);
      if (!(await this.#regain())) return;
    }
  }

  /** Resolves when the connection ends or a query on it is not answered, or with the release. */
  async #untilLost(): Promise<'ended' | 'silent'> {
    const over = new AbortController();
    this.#session.onEnd(() => over.abort());
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    while (!signal.aborted) {
      try {
        // Ends with the connection, whatever becomes of the query.
        await untilAborted(this.#session.ping(), signal);
        await wait(this.#options.pingMs, undefined, { signal, ref: false });
      } catch (error) {
        return isSilent(error) ? 'silent' : 'ended';
      }
    }
    return 'ended';
  }

  /** @returns false when another process has the lock, or this one is stopping */
  async #regain(): Promise<boolean> {
    const { signal } = this.#closing;
    for (let pause = regainPauses.first; ; pause = Math.min(2 * pause, regainPauses.longest)) {
      const outcome = await this.#takeAgain().catch(() => 'waiting' as const);
      if (signal.aborted) return false;
      if (outcome === 'held') {
        this.#state = 'held';
        for (const listener of this.#regained) listener();
        return true;
      }
      if (outcome === 'taken') {
        this.#state = 'taken';
        const error = new InUseError(takenMessage);
        for (const listener of this.#taken) listener(error);
        return false;
      }
      await wait(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return false;
    }
  }

  async #takeAgain(): Promise<'held' | 'taken' | 'waiting'> {
    const { answerMs } = this.#options;
    const session = await OwnerSession.open(this.#url, { connectMs: answerMs, answerMs });
    try {
      await session.terminate(this.#session.backend);
      if (this.#isTaken(await session.readOwner())) {
        await session.close();
        return 'taken';
      }
      // Its holder records itself or releases it.
      if (!(await session.tryLock())) {
        await session.close();
        return 'waiting';
      }
      const isTaken = this.#isTaken(await session.readOwner());
      // Fails on a server that only reads, where nothing could be claimed either.
      if (!isTaken) await session.writeOwner({ owner: this.owner, term: this.#term, is_released: 0 });
      if (isTaken || this.#closing.signal.aborted) {
        await session.close();
        return isTaken ? 'taken' : 'waiting';
      }
      this.#session = session;
      return 'held';
    } catch (error) {
      session.cut();
      throw error;
    }
  }

  #isTaken(row: OwnerRow | null): boolean {
    return row !== null && row.owner !== this.owner && row.term >= this.#term;
  }
}

/** Takes the lock, but first gives an owner that may only have lost its connection time to regain it. */
async function lock(session: OwnerSession, { patienceMs, yieldMs }: Required<PostgresOwnershipOptions>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let hasYielded = false;
  for (;;) {
    if (await session.tryLock()) {
      const row = await session.readOwner();
      if (hasYielded || row === null || row.is_released === 1) return;
      await session.unlock();
      hasYielded = true;
      await wait(yieldMs);
    } else if (performance.now() > deadline) {
      throw new InUseError('The database is in use by another Parley process');
    } else await wait(lockPause);
  }
}
