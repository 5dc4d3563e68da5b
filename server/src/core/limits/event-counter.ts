import { present } from '../../lib/clock.ts';
/** Counts events in fixed windows of time, for all processes and over restarts. */
export interface EventCounter {
  /**
   * Counts an event, unless it was counted under the key before: after a crash, an event occurs again. The last 16
   * under a key are remembered; older ones may be forgotten.
   * @param key what is counted together; a key has one window at a time, the latest given
   * @param windowStart start of the window, milliseconds since 1970
   * @param event identifier, of at most 64 characters
   * @returns how many there are in the window, with this one; `limit + 1`, and it is not counted, when that would be
   * more than `limit`
   */
  countEvent(key: string, windowStart: number, limit: number, event: string): Promise<number>;
  /** Removes counts whose window started before `since` or after `until`. @returns how many, at most `limit` */
  removeOutside(since: number, until: number, limit: number): Promise<number>;
}

/** No window is longer: a day. A second one for clocks that do not agree. */
const longestWindow = 86_400_000;

/** Removes expired counts. @returns how many, at most `limit` */
export function pruneEventCounts(counter: EventCounter, limit: number): Promise<number> {
  const now = present();
  return counter.removeOutside(now - 2 * longestWindow, now + longestWindow, limit);
}
