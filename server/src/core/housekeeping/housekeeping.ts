import type { Logger } from '@parley/sdk';
import { type LoopDuty, WorkerLoop } from '../../lib/worker-loop.ts';

/** Removes something that is no longer wanted: at most `limit` of it. @returns how many it removed */
export type Chore = (limit: number) => Promise<number>;

/** How often everything is looked through, milliseconds. */
const intervalMs = 3_600_000;
/** Batch size of a deletion, so that nothing else waits long for the database. */
const batch = 500;

/**
 * Deletes data past its retention time: at start, and every hour.
 * @param chores by name, for the log
 * @param duty where one replica does it for all; every replica when left out
 */
export function createHousekeepingLoop(
  chores: Readonly<Record<string, Chore>>,
  logger: Logger,
  duty?: LoopDuty,
): WorkerLoop {
  return new WorkerLoop({
    async look(loop) {
      for (const [name, chore] of Object.entries(chores)) {
        try {
          // One that removed less than it might have is done.
          while (!loop.isStopped && (await chore(batch)) >= batch);
        } catch (error) {
          logger.error({ chore: name, error }, 'housekeeping failed');
        }
      }
      return intervalMs;
    },
    failed: (error) => logger.error({ error }, 'housekeeping failed'),
    retryDelayMs: intervalMs,
    longestPauseMs: intervalMs,
    duty,
  });
}
