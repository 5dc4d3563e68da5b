import { type Logger, ParleyError, problemError } from '@parley/sdk';
import pRetry from 'p-retry';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { inTime } from '../../lib/waiting.ts';
import type { StateEvents } from '../events/state-events.ts';
import type { NewTask, Task, TaskList, TaskType } from './task.ts';
import { TaskAborted, type TaskChange, type TaskContext, TaskRun } from './task-run.ts';
import { interruptedByRestart, type TaskFilter, type TaskStore } from './task-store.ts';

export interface TaskServiceOptions {
  logger: Logger;
  /** Tells another replica that a task which it runs should end. It reads that with its next beat as well. */
  cancelElsewhere?: (replica: string, id: number) => void;
  /** Least time between two writes of a running task, milliseconds. Default 1000. */
  saveIntervalMs?: number;
}

/** The work of a task. Its result is JSON; an error ends the task with an exception. */
export type TaskWork = (context: TaskContext) => Promise<unknown>;

/** A running task with its pending work. */
interface Entry {
  run: TaskRun;
  /** Settles when the task has ended and that is stored. */
  ended: Promise<void>;
  /** The last write, so that writes stay in order. */
  saving: Promise<void>;
  timer: NodeJS.Timeout | undefined;
  /** How it ended, from when its work has settled. */
  ending: Task | undefined;
  /** Another replica took this one for dead and ended the task: what the work does here counts no more. */
  isOutdated: boolean;
}

/** Retention time of ended tasks … */
const retentionSeconds = 7 * 24 * 3600;
/** … and at most this many of them. */
const storedTasks = 1000;
/** Most tasks of a list: all stored ones, and those that run or ended recently. */
const maximumListed = 10_000;

const interruptedByStop = 'interrupted by a stop of the service';
/** The exception of a cancelled task. */
export const cancelled = 'cancelled';

/** Work that continues after the response to its request: recorded, observable, and ended with the service. */
export class TaskService {
  readonly #store: TaskStore;
  readonly #events: StateEvents;
  readonly #logger: Logger;
  readonly #saveInterval: number;
  readonly #cancelElsewhere: (replica: string, id: number) => void;
  readonly #running = new Map<number, Entry>();
  readonly #starting = new Set<Promise<unknown>>();
  #stopping = false;
  /** Aborted when writing is not allowed any more. */
  readonly #closed = new AbortController();

  constructor(store: TaskStore, events: StateEvents, options: TaskServiceOptions) {
    this.#store = store;
    this.#events = events;
    this.#logger = options.logger;
    this.#saveInterval = options.saveIntervalMs ?? 1000;
    this.#cancelElsewhere = options.cancelElsewhere ?? (() => undefined);
  }

  /** Ends what dead replicas left behind. Call before the first task. */
  async open(): Promise<void> {
    const left = await this.#store.endAbandoned(now());
    if (left > 0) this.#logger.warn({ tasks: left }, 'tasks were interrupted by a restart');
  }

  /** Asks running tasks to end, waits for them within a limit, and accepts no new ones. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping = true;
    await Promise.allSettled(this.#starting);
    for (const { run } of this.#running.values()) run.abort(interruptedByStop);
    const ends = Promise.all([...this.#running.values()].map(({ ended }) => ended));
    await inTime(ends, timeoutMs, () => undefined);
    // A task that does not end is ended in the store; it must not write any more, for the storage closes next.
    this.#closed.abort();
    const left = [...this.#running.values()];
    this.#running.clear();
    if (left.length > 0) this.#logger.error({ tasks: left.length }, 'tasks did not stop in time');
    await Promise.all(
      left.map(async (entry) => {
        clearTimeout(entry.timer);
        entry.ending ??= outcome(entry.run.task, { state: 'CANCELLED', exception: interruptedByStop });
        await this.#save(entry, entry.ending);
      }),
    );
  }

  /**
   * Starts a task. It is stored when this resolves, and runs until `work` settles.
   * @throws ParleyError `not_ready` while the service stops
   */
  async start(request: NewTask, work: TaskWork): Promise<Task> {
    if (this.#stopping) throw new ParleyError('not_ready', 'The server is stopping');
    const starting = this.#begin(request, work);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** @throws ParleyError `not_found` */
  async get(id: number): Promise<Task> {
    const task = this.#running.get(id)?.run.task ?? (await this.#store.byId(id));
    if (task === null) throw problemError('task_not_found');
    return task;
  }

  /**
   * @param type `system` or `user`; no task has any other type
   * @param page at most `limit` tasks with numbers after `after`; all when omitted
   */
  async list(
    { type, kind }: { type?: string | undefined; kind?: string | undefined },
    { after = 0, limit = maximumListed }: { after?: number | undefined; limit?: number | undefined } = {},
  ): Promise<TaskList> {
    const idIndex = (await this.#store.latestId()) + 1;
    if (type && type !== 'system' && type !== 'user') return { tasks: [], id_index: idIndex, next_cursor: null };
    const filter: TaskFilter = { ...(type ? { task_type: type as TaskType } : {}), ...(kind ? { kind } : {}) };
    // One more than the limit shows whether there is another page.
    const found = await this.#store.list(filter, after, limit + 1);
    const tasks = found.slice(0, limit).map((task) => this.#running.get(task.id)?.run.task ?? task);
    const last = tasks.at(-1);
    return {
      tasks,
      id_index: idIndex,
      next_cursor: found.length > limit && last !== undefined ? String(last.id) : null,
    };
  }

  /**
   * Asks a task to end, on whatever replica it runs; it ends when its work reacts.
   * @returns the present state of the task
   * @throws ParleyError `not_found`, or `conflict` when it has ended or cannot be cancelled
   */
  async cancel(id: number): Promise<Task> {
    const entry = this.#running.get(id);
    if (entry === undefined || entry.ending !== undefined) return this.#requestCancel(id);
    const { run } = entry;
    if (run.cancelRefusal !== undefined) throw problemError(run.cancelRefusal);
    this.cancelRequested(id);
    return run.task;
  }

  /** Another replica was asked to cancel a task, which ends if it runs here. */
  cancelRequested(id: number): void {
    const run = this.#running.get(id)?.run;
    if (run === undefined || run.signal.aborted) return;
    run.log('cancellation requested');
    run.abort(cancelled);
  }

  async #requestCancel(id: number): Promise<Task> {
    const requested = await this.#store.requestCancel(id, now());
    const task = await this.get(id);
    if (requested === null) throw problemError('task_ended');
    if ('refusal' in requested) throw problemError(requested.refusal);
    this.#cancelElsewhere(requested.replica, id);
    return task;
  }

  /** Forgets tasks that ended long ago, at most `limit` of them. @returns how many */
  prune(limit: number): Promise<number> {
    return this.#store.prune(secondsFromNow(-retentionSeconds), storedTasks, limit);
  }

  async #begin({ cancel_refusal: cancelRefusal, ...request }: NewTask, work: TaskWork): Promise<Task> {
    const timestamp = now();
    const task: Omit<Task, 'id'> = {
      label: request.name,
      scopes: [],
      ...request,
      task_context: { current_action: 'default', log: '', metadata: {} },
      runtime: { done: false, state: 'PENDING', exception: null, exception_traceback: null, result: null },
      created_at: timestamp,
      updated_at: timestamp,
      finished_at: null,
    };
    const id = await this.#store.create(task, cancelRefusal);
    const run = new TaskRun({ ...task, id }, cancelRefusal, (changed, change) => this.#onChange(changed, change));
    const entry: Entry = {
      run,
      ended: Promise.resolve(),
      saving: Promise.resolve(),
      timer: undefined,
      ending: undefined,
      isOutdated: false,
    };
    this.#running.set(run.task_id, entry);
    this.#publish(run.task);
    entry.ended = this.#execute(entry, work);
    return run.task;
  }

  async #execute(entry: Entry, work: TaskWork): Promise<void> {
    const ending = await this.#settle(entry.run, work);
    if (this.#closed.signal.aborted) return;
    clearTimeout(entry.timer);
    const task = outcome(entry.run.task, ending);
    entry.ending = task;
    await entry.saving;
    if (entry.isOutdated || !(await this.#saveEnd(entry, task))) return;
    this.#running.delete(task.id);
    this.#publish(task);
  }

  async #settle(run: TaskRun, work: TaskWork): Promise<Ending> {
    try {
      const result: unknown = await work(run);
      return { state: 'FINISHED', result: JSON.parse(JSON.stringify(result ?? null)) };
    } catch (error) {
      // Work that throws after a request to end has ended for that reason, whatever it throws.
      const aborted: unknown = run.signal.aborted ? run.signal.reason : error;
      if (aborted instanceof TaskAborted) return { state: 'CANCELLED', exception: aborted.message };
      if (error instanceof ParleyError) {
        // For clients that show it in another language.
        const { reason, response = null, hint = null } = error;
        run.setMetadata({ failure: { reason, response, hint } });
        return { state: 'FINISHED', exception: error.message };
      }
      this.#logger.error({ task: run.task_id, error }, 'a task failed');
      return { state: 'FINISHED', exception: 'An unexpected fault' };
    }
  }

  #onChange(run: TaskRun, change: TaskChange): void {
    const entry = this.#running.get(run.task_id);
    // Work that continues after its task ended in the store is ignored.
    if (entry === undefined || entry.ending !== undefined) return;
    if (change === 'action') this.#publish(run.task);
    entry.timer ??= setTimeout(() => {
      entry.timer = undefined;
      void this.#save(entry, { ...run.task, updated_at: now() });
    }, this.#saveInterval).unref();
  }

  /** Stores how a task ended, however long that takes: who waits for it would wait forever. @returns whether it did */
  async #saveEnd(entry: Entry, task: Task): Promise<boolean> {
    try {
      const isStored = await pRetry(() => this.#store.update(task), {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: this.#saveInterval,
        maxTimeout: 60_000,
        unref: true,
        signal: this.#closed.signal,
        onFailedAttempt: ({ error }) => this.#logger.error({ task: task.id, error }, 'a task could not be stored'),
      });
      if (!isStored) this.#abandon(entry);
      return isStored;
    } catch {
      return false;
    }
  }

  /** The task was ended by another replica. */
  #abandon(entry: Entry): void {
    const { run } = entry;
    this.#logger.warn({ task: run.task_id }, 'a task was ended by another replica');
    entry.isOutdated = true;
    clearTimeout(entry.timer);
    this.#running.delete(run.task_id);
    run.abort(interruptedByRestart);
  }

  /** Serializes writes. A failed one is logged; a later one writes everything again. */
  #save(entry: Entry, task: Task): Promise<void> {
    entry.saving = entry.saving
      .then(async () => {
        if (!entry.isOutdated && !(await this.#store.update(task))) this.#abandon(entry);
      })
      .catch((error: unknown) => this.#logger.error({ task: task.id, error }, 'a task could not be stored'));
    return entry.saving;
  }

  #publish({ id, kind, name, runtime, task_context }: Task): void {
    const { current_action } = task_context;
    this.#events.publish({ type: 'task', data: { id, kind, name, state: runtime.state, current_action } });
  }
}

type Ending = { state: 'FINISHED' | 'CANCELLED' } & ({ exception: string } | { result: unknown });

function outcome(task: Task, ending: Ending): Task {
  const timestamp = now();
  return {
    ...task,
    runtime: { ...task.runtime, ...ending, done: true },
    updated_at: timestamp,
    finished_at: timestamp,
  };
}
