import type { StreamCapability } from '@parley/sdk';

type Budget = NonNullable<StreamCapability['budget']>;

/** Counts the updates that all streams of a bot make, so that together they stay within what the platform allows. */
export class StreamBudget {
  /** When updates were made, milliseconds since 1970. */
  #updates: number[] = [];
  #longestPeriod = 0;

  /** Whether another update may be made now. */
  hasRoom({ updates, period_ms }: Budget): boolean {
    return since(this.#updates, period_ms).length < updates;
  }

  /** Counts an update, also one that did not wait for room. */
  spend({ period_ms }: Budget): void {
    this.#longestPeriod = Math.max(this.#longestPeriod, period_ms);
    this.#updates = [...since(this.#updates, this.#longestPeriod), performance.now()];
  }
}

function since(updates: readonly number[], period: number): number[] {
  const start = performance.now() - period;
  return updates.filter((at) => at > start);
}
