import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';

/** A change of state, for watchers. `data` holds no secrets and no texts of users. */
export interface StateChange {
  /** What changed: `bot`, `task`, `message` or `mcp-server`. */
  type: 'bot' | 'task' | 'message' | 'mcp-server';
  /** The new state, small: identifiers, state, reason. */
  data: Record<string, unknown>;
}

/** A change as it is handed to those who watch; `resync` when changes of other replicas were missed. */
export interface StateEvent {
  type: StateChange['type'] | 'resync';
  data: StateChange['data'];
  /** `<run of the server>-<number>`; the cursor to continue from. */
  id: string;
  /** ISO 8601 UTC. */
  created_at: string;
}

/** How many changes are stored for reconnecting watchers. */
const storedEvents = 10_000;

/**
 * Notifies watchers of changes, here and on other replicas, and stores the latest, so that a reconnecting watcher misses
 * none. After a long absence or a restart, the same state can be read from the records.
 */
export class StateEvents {
  readonly #run = newUuid();
  readonly #events: StateEvent[] = [];
  readonly #watchers = new Map<(event: StateEvent) => void, readonly StateEvent['type'][] | null>();
  readonly #ownWatchers: ((change: StateChange) => void)[] = [];
  #count = 0;

  /** Something changed here. */
  publish(change: StateChange): void {
    this.#store(change);
    for (const watcher of this.#ownWatchers) watcher(change);
  }

  /** Something changed on another replica. */
  publishOfOther(change: StateChange): void {
    this.#store(change);
  }

  /** Changes of another replica were missed. */
  missed(): void {
    this.#store({ type: 'resync', data: {} });
  }

  #store(change: Pick<StateEvent, 'type' | 'data'>): void {
    this.#count += 1;
    const event: StateEvent = { ...change, id: `${this.#run}-${this.#count}`, created_at: now() };
    this.#events.push(event);
    // In batches: removing the first for each that is added would move all of them every time.
    if (this.#events.length >= storedEvents * 2) this.#events.splice(0, this.#events.length - storedEvents);
    for (const [watcher, types] of this.#watchers) if (types === null || types.includes(event.type)) watcher(event);
  }

  /** Watches what changes here, and not what other replicas tell. */
  watchOwn(watcher: (change: StateChange) => void): void {
    this.#ownWatchers.push(watcher);
  }

  /**
   * @param types what is watched; default everything
   * @returns ends the watch
   */
  watch(watcher: (event: StateEvent) => void, types: readonly StateEvent['type'][] | null = null): () => void {
    this.#watchers.set(watcher, types);
    return () => void this.#watchers.delete(watcher);
  }

  isWatched(type: StateEvent['type']): boolean {
    return this.#watchers.values().some((types) => types === null || types.includes(type));
  }

  /**
   * The events after one, oldest first; null for an event of another run or one that is too old.
   * @param limit maximum number of events; unlimited when omitted
   */
  since(id: string, limit = Number.POSITIVE_INFINITY): StateEvent[] | null {
    const separator = id.lastIndexOf('-');
    const count = Number(id.slice(separator + 1));
    if (id.slice(0, separator) !== this.#run || !Number.isInteger(count) || count > this.#count) return null;
    const missed = this.#count - count;
    if (missed > this.#events.length) return null;
    const first = this.#events.length - missed;
    return this.#events.slice(first, first + Math.min(missed, limit));
  }

  /** The id of the latest event, or of the start. */
  get latestId(): string {
    return `${this.#run}-${this.#count}`;
  }
}
