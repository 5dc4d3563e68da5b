import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';

/** A change of state that somebody who watches wants to know of. `data` holds no secrets and no texts of people. */
export interface StateChange {
  /** What changed: `bot`, `task`, `message` or `mcp-server`. */
  type: 'bot' | 'task' | 'message' | 'mcp-server';
  /** The new state, small: identifiers, state, reason. */
  data: Record<string, unknown>;
}

/** A change as it is handed to those who watch. */
export interface StateEvent extends StateChange {
  /** `<run of the server>-<number>`; tells where to go on. */
  id: string;
  /** ISO 8601 UTC. */
  created_at: string;
}

/** Changes that are kept for those who come back. */
const keptEvents = 10_000;

/**
 * Tells watchers of changes as they happen and keeps the latest, so that one who comes back misses nothing. What it
 * holds can be read from the records, too: someone who was away for too long, or over a restart, reads those anew.
 */
export class StateEvents {
  readonly #run = newUuid();
  readonly #kept: StateEvent[] = [];
  readonly #watchers = new Set<(event: StateEvent) => void>();
  #count = 0;

  publish(change: StateChange): void {
    this.#count += 1;
    const event: StateEvent = { ...change, id: `${this.#run}-${this.#count}`, created_at: now() };
    this.#kept.push(event);
    // Cut in pieces: taking one off the front for each that is added would move all of them every time.
    if (this.#kept.length >= keptEvents * 2) this.#kept.splice(0, this.#kept.length - keptEvents);
    for (const watcher of this.#watchers) watcher(event);
  }

  /** @returns ends the watch */
  watch(watcher: (event: StateEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /**
   * The events after one, oldest first; null when that cannot be told: another run, or too long ago.
   * @param limit the most that are given; all when left out
   */
  since(id: string, limit = Number.POSITIVE_INFINITY): StateEvent[] | null {
    const separator = id.lastIndexOf('-');
    const count = Number(id.slice(separator + 1));
    if (id.slice(0, separator) !== this.#run || !Number.isInteger(count) || count > this.#count) return null;
    const missed = this.#count - count;
    if (missed > this.#kept.length) return null;
    const first = this.#kept.length - missed;
    return this.#kept.slice(first, first + Math.min(missed, limit));
  }

  /** The id of the latest event, or of the beginning. */
  get latestId(): string {
    return `${this.#run}-${this.#count}`;
  }
}
