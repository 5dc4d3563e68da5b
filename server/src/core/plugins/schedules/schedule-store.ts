import type { Reason } from '@parley/sdk';
import type { CronRule } from './cron-times.ts';

export interface ScheduleKey {
  /** `author/name` */
  plugin_id: string;
  name: string;
}

/** A schedule of a plugin as it is stored. Timestamps are ISO 8601 UTC. */
export interface StoredSchedule extends ScheduleKey, CronRule {
  /** Times up to this one were run for, or skipped. */
  handled_until: string;
  /** The time that it last ran for; null while it has not. */
  due_at: string | null;
  started_at: string | null;
  /** Null while it runs. */
  ended_at: string | null;
  /** Why the last run failed; null when it did not. */
  reason: Reason | null;
  error: string | null;
}

/** How a run ended. */
export type ScheduleEnd = Pick<StoredSchedule, 'ended_at' | 'reason' | 'error'>;

/** Stores when schedules of plugins ran, so that no time is run for twice. */
export interface ScheduleStore {
  list(): Promise<StoredSchedule[]>;
  /** Adds a schedule, or sets its rule and what counts as handled; its last run stays. */
  save(schedule: ScheduleKey & CronRule & Pick<StoredSchedule, 'handled_until'>): Promise<void>;
  remove(key: ScheduleKey): Promise<void>;
  /**
   * Takes the times between two timestamps.
   * @param run that begins unless another replica runs the schedule; null to skip them
   * @returns `begun` when the run does, `skipped` when the times were taken without it, null when others have taken them
   */
  claim(
    key: ScheduleKey,
    times: { from: string; until: string; run: { due_at: string; started_at: string } | null },
  ): Promise<'begun' | 'skipped' | null>;
  /**
   * Records how the run that this replica began at a timestamp ended.
   * @returns false, having stored nothing, when it was taken over or removed
   */
  end(key: ScheduleKey, started_at: string, end: ScheduleEnd): Promise<boolean>;
  /** At start: runs that no living replica continues end as interrupted. @param endedAt ISO 8601 UTC */
  recover(endedAt: string): Promise<void>;
}
