import { StorageError, type StorageFault } from '../lib/storage-error.ts';
import { inTime } from '../lib/waiting.ts';

/** Faults that pass with the call or with the process, so they do not mean that nothing can be stored. */
const passing: ReadonlySet<StorageFault> = new Set<StorageFault>([
  'locked',
  'conflict',
  'cancelled',
  'undone',
  'closed',
  'not_owner',
]);

export interface StorageHealthOptions {
  /** Writes real data. @throws the error of the store */
  probe: () => Promise<void>;
  /** The error when a probe does not end in time. */
  stuck: () => StorageError;
  /** Shortest time between two probes, milliseconds. Default 1000. */
  intervalMs?: number;
}

/**
 * Whether data can be stored. It learns of faults from the drivers, and probes with a real write once a second until one
 * succeeds. A damaged database stays in trouble until the next start, since a write elsewhere in the file may succeed.
 */
export class StorageHealth {
  readonly #probe: () => Promise<void>;
  readonly #stuck: () => StorageError;
  readonly #interval: number;
  readonly #listeners: ((trouble: StorageError | null) => void)[] = [];
  #trouble: StorageError | null = null;
  /** Faults so far: a probe that started before the last one is inconclusive. */
  #faults = 0;
  #probing: Promise<void> | null = null;
  #probedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ probe, stuck, intervalMs = 1000 }: StorageHealthOptions) {
    this.#probe = probe;
    this.#stuck = stuck;
    this.#interval = intervalMs;
  }

  /** Why nothing can be stored; null while nothing is known to be wrong. */
  get trouble(): StorageError | null {
    return this.#trouble;
  }

  /** Calls a listener with each change of {@link trouble}. */
  onChange(listener: (trouble: StorageError | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Call with every error of the store. Those unrelated to its health are ignored. */
  failed = (error: unknown): void => {
    if (this.#isClosed || !(error instanceof StorageError)) return;
    if (error.kind !== 'unavailable' || passing.has(error.detail)) return;
    this.#faults += 1;
    if (this.#trouble === null || (error.detail === 'corrupt' && this.#trouble.detail !== 'corrupt')) this.#set(error);
    this.#probeLater();
  };

  /**
   * Probes, unless that was done within the last second.
   * @param limitMilliseconds how long to wait for the probe
   * @returns why nothing can be stored; null when something was
   */
  async check(limitMs = 1500): Promise<StorageError | null> {
    if (this.#trouble?.detail === 'corrupt') return this.#trouble;
    if (performance.now() - this.#probedAt >= this.#interval) this.#startProbe();
    const isStuck = await inTime(
      (this.#probing ?? Promise.resolve()).then(() => false),
      limitMs,
      () => true,
    );
    return isStuck ? (this.#trouble ?? this.#stuck()) : this.#trouble;
  }

  /** Ends probing. Waits for the probe that is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#probing;
  }

  #probeLater(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#trouble?.detail === 'corrupt') return;
    const pause = Math.max(0, this.#interval - (performance.now() - this.#probedAt));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startProbe();
    }, pause);
    this.#timer.unref();
  }

  #startProbe(): void {
    if (this.#isClosed || this.#probing !== null) return;
    this.#probedAt = performance.now();
    this.#probing = this.#runProbe().finally(() => {
      this.#probing = null;
      if (this.#trouble !== null) this.#probeLater();
    });
  }

  async #runProbe(): Promise<void> {
    const before = this.#faults;
    try {
      await this.#probe();
      if (this.#faults === before && this.#trouble !== null && this.#trouble.detail !== 'corrupt') this.#set(null);
    } catch (error) {
      this.failed(error);
    }
  }

  #set(trouble: StorageError | null): void {
    this.#trouble = trouble;
    for (const listener of this.#listeners) listener(trouble);
  }
}
