import { type Logger, ParleyError } from '@parley/sdk';
import { present } from '../../../lib/clock.ts';
import { type LoopDuty, WorkerLoop } from '../../../lib/worker-loop.ts';
import type { ActivePlugins } from '../active-plugin.ts';
import { hostFor, longestCall, type PluginCalls } from '../contributions/plugin-calls.ts';
import { type CronRule, cronTimes } from './cron-times.ts';
import type { ScheduleEnd, ScheduleKey, ScheduleStore, StoredSchedule } from './schedule-store.ts';

export interface PluginSchedulesOptions {
  plugins: Pick<ActivePlugins, 'list' | 'changed'>;
  calls: PluginCalls;
  /** One replica runs the schedules of all. */
  duty: LoopDuty;
  logger: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Time until another try when the store failed, milliseconds. Default 5000. */
  retryDelayMs?: number;
}

/** A schedule as it is shown. Timestamps are ISO 8601 UTC. */
export interface ScheduleState extends CronRule {
  name: string;
  is_running: boolean;
  next_at: string | null;
  /** Null while it has not run. */
  last_run: {
    due_at: string;
    started_at: string;
    /** Null while it runs. */
    ended_at: string | null;
    /** Null when it succeeded. */
    failure: { reason: string; message: string } | null;
  } | null;
}

/** How long runs that were aborted have to end, milliseconds. */
const abortMs = 2000;

/**
 * Calls plugins at the times of their schedules, each time at most once: it is stored as handled before the call. A time
 * that was missed by more than an hour is skipped, and so is one that comes while the schedule still runs.
 */
export class PluginSchedules {
  readonly #store: ScheduleStore;
  readonly #options: Required<PluginSchedulesOptions>;
  readonly #loop: WorkerLoop;
  /** Those of active plugins, by key. */
  #schedules: ReadonlyMap<string, StoredSchedule> = new Map();
  readonly #running = new Set<string>();
  /** Whether the plugins, or what is stored, may be others than when they were last read. */
  #isStale = true;
  #isOpen = false;

  constructor(store: ScheduleStore, options: PluginSchedulesOptions) {
    this.#store = store;
    this.#options = { now: present, retryDelayMs: 5000, ...options };
    const { logger, plugins, retryDelayMs } = this.#options;
    this.#loop = new WorkerLoop({
      look: () => this.#look(),
      failed: (error) => logger.error({ error }, 'the schedules of plugins could not be read or stored'),
      retryDelayMs,
      // A schedule runs once at a time, so their number is the limit.
      concurrency: Number.POSITIVE_INFINITY,
      duty: {
        get isOurs() {
          return options.duty.isOurs;
        },
        takeOn: (begun) => options.duty.takeOn(() => this.#begun(begun)),
      },
    });
    plugins.changed.listen(() => this.#readAgain());
  }

  start(): void {
    this.#loop.start();
  }

  /** Cancels what runs. */
  async stop(): Promise<void> {
    await this.#loop.stop(0, abortMs);
  }

  /** The schedules of a plugin; none while it may not run. */
  async statesOf(pluginId: string): Promise<ScheduleState[]> {
    const isActive = this.#options.plugins.list().some(({ id }) => id === pluginId);
    // As the replica that runs them has stored them.
    const stored = this.#options.duty.isOurs ? [...this.#schedules.values()] : isActive ? await this.#store.list() : [];
    return stored
      .filter(({ plugin_id }) => plugin_id === pluginId)
      .map((schedule) => {
        const { name, cron, time_zone, due_at, started_at, ended_at, reason, error } = schedule;
        const { due, next } = this.#timesOf(schedule);
        const next_at = due ?? next;
        return {
          name,
          cron,
          time_zone,
          is_running: started_at !== null && ended_at === null,
          next_at: next_at === null ? null : timestamp(next_at),
          last_run:
            due_at === null || started_at === null
              ? null
              : { due_at, started_at, ended_at, failure: reason && { reason, message: error ?? '' } },
        };
      });
  }

  /** This replica runs the schedules from now on, as others have stored them. */
  #begun(begun: () => void): void {
    this.#isStale = true;
    this.#isOpen = false;
    begun();
  }

  #readAgain(): void {
    this.#isStale = true;
    this.#loop.wake();
  }

  async #look(): Promise<number | null> {
    if (this.#isStale) await this.#follow();
    let first: number | null = null;
    for (const schedule of this.#schedules.values()) {
      if (this.#loop.isStopped) return null;
      const { due, missed, next } = this.#timesOf(schedule);
      if (due !== null || missed !== null) await this.#handle(schedule, due, missed);
      if (next !== null) first = Math.min(first ?? next, next);
    }
    return first === null ? null : first - this.#options.now();
  }

  #timesOf(schedule: StoredSchedule) {
    return cronTimes(schedule, Date.parse(schedule.handled_until), this.#options.now());
  }

  async #handle(schedule: StoredSchedule, due: number | null, missed: number | null): Promise<void> {
    const { logger } = this.#options;
    const until = timestamp(this.#options.now());
    const about = { plugin: schedule.plugin_id, schedule: schedule.name };
    const isRunning = this.#running.has(keyOf(schedule));
    const run = due === null || isRunning ? null : { due_at: timestamp(due), started_at: until };
    const claimed = await this.#store.claim(schedule, { from: schedule.handled_until, until, run });
    if (claimed === null) {
      // It was removed, or another replica has taken the time.
      this.#readAgain();
      return;
    }
    const begun = claimed === 'begun' ? run : null;
    const handled = { ...schedule, handled_until: until, ...(begun && { ...begun, ...unknownEnd }) };
    this.#replace(handled);
    if (missed !== null) {
      const from = timestamp(missed);
      logger.warn({ ...about, from }, 'a plugin did not run on schedule: the time was missed by more than an hour');
    }
    if (due !== null && begun === null) {
      logger.warn(
        { ...about, due_at: timestamp(due) },
        'a plugin did not run on schedule: the run before has not ended',
      );
    }
    if (begun !== null) void this.#loop.run((signal) => this.#run(handled, begun, signal));
  }

  async #run(
    key: ScheduleKey,
    { due_at, started_at }: { due_at: string; started_at: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { plugin_id, name } = key;
    const end: ScheduleEnd = { ...unknownEnd };
    this.#running.add(keyOf(key));
    try {
      await this.#call(key, due_at, signal);
    } catch (error) {
      end.reason = signal.aborted ? 'interrupted' : error instanceof ParleyError ? error.reason : 'internal';
      end.error = signal.aborted ? 'The service stopped' : error instanceof Error ? error.message : String(error);
      this.#options.logger.warn({ plugin: plugin_id, schedule: name, error }, 'a scheduled run of a plugin failed');
    } finally {
      this.#running.delete(keyOf(key));
    }
    end.ended_at = timestamp(this.#options.now());
    const present = this.#schedules.get(keyOf(key));
    if (present?.started_at === started_at) this.#replace({ ...present, ...end });
    if (!(await this.#store.end(key, started_at, end))) this.#readAgain();
  }

  async #call({ plugin_id, name }: ScheduleKey, due_at: string, signal: AbortSignal): Promise<void> {
    const { calls } = this.#options;
    await calls.caller.call({
      plugin: plugin_id,
      method: 'schedule',
      parameters: { name, due_at },
      timeoutMs: longestCall,
      signal,
      host: hostFor(calls, plugin_id, null),
    });
  }

  /** Reads the schedules of the plugins that may run. */
  async #follow(): Promise<void> {
    this.#isStale = false;
    try {
      this.#schedules = await this.#read();
      this.#isOpen = true;
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #read(): Promise<Map<string, StoredSchedule>> {
    if (!this.#isOpen) await this.#store.recover(timestamp(this.#options.now()));
    const stored = new Map((await this.#store.list()).map((schedule) => [keyOf(schedule), schedule]));
    const read = new Map<string, StoredSchedule>();
    for (const { id: plugin_id, manifest } of this.#options.plugins.list()) {
      const { schedules = [] } = manifest.contributes;
      for (const { name, cron, time_zone = 'UTC' } of schedules) {
        const key = keyOf({ plugin_id, name });
        const found = stored.get(key);
        const isSame = found?.cron === cron && found.time_zone === time_zone;
        // What comes up while a plugin is disabled is not missed.
        const continues = isSame && (!this.#isOpen || this.#schedules.has(key));
        read.set(key, continues ? found : await this.#begin({ plugin_id, name, cron, time_zone }, found));
      }
      const names = new Set(schedules.map(({ name }) => name));
      for (const other of stored.values()) {
        if (other.plugin_id === plugin_id && !names.has(other.name)) await this.#store.remove(other);
      }
    }
    return read;
  }

  /** Starts with the present, or with what is handled already when the clock was put back. */
  async #begin(key: ScheduleKey & CronRule, found: StoredSchedule | undefined): Promise<StoredSchedule> {
    const present = timestamp(this.#options.now());
    const handled_until = found !== undefined && found.handled_until > present ? found.handled_until : present;
    await this.#store.save({ ...key, handled_until });
    return { due_at: null, started_at: null, ...unknownEnd, ...found, ...key, handled_until };
  }

  #replace(schedule: StoredSchedule): void {
    const key = keyOf(schedule);
    if (this.#schedules.has(key)) this.#schedules = new Map(this.#schedules).set(key, schedule);
  }
}

const unknownEnd: ScheduleEnd = { ended_at: null, reason: null, error: null };

function keyOf({ plugin_id, name }: ScheduleKey): string {
  return `${plugin_id} ${name}`;
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
