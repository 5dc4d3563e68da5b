import type { ProblemCode } from '@parley/sdk';
import type { Task } from './task.ts';
import { TaskLog } from './task-log.ts';

/** The interface for the work of a task to report its progress. */
export interface TaskContext {
  readonly task_id: number;
  /** Aborted when the task is to end: it was cancelled, or the service stops. Work that ends for it throws. */
  readonly signal: AbortSignal;
  /** Names the current action. */
  setAction(action: string): void;
  /** Adds a line to the task's log, under the current action. */
  log(message: string): void;
  /** Adds metadata for programs, or replaces values of the same name. Values are JSON. */
  setMetadata(values: Record<string, unknown>): void;
}

/** What of a running task changed. */
export type TaskChange = 'action' | 'log' | 'metadata';

/** A running task: its state, and the work that reports it. */
export class TaskRun implements TaskContext {
  readonly task_id: number;
  readonly cancelRefusal: ProblemCode | undefined;
  readonly #abort = new AbortController();
  readonly #log = new TaskLog();
  readonly #task: Task;
  readonly #changed: (change: TaskChange) => void;

  /** @param changed called after every change */
  constructor(task: Task, cancelRefusal: ProblemCode | undefined, changed: (run: TaskRun, change: TaskChange) => void) {
    this.task_id = task.id;
    this.cancelRefusal = cancelRefusal;
    this.#task = structuredClone(task);
    this.#changed = (change) => changed(this, change);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The present state of the task. */
  get task(): Task {
    return structuredClone({ ...this.#task, task_context: { ...this.#task.task_context, log: this.#log.text } });
  }

  setAction(action: string): void {
    if (this.#task.task_context.current_action === action) return;
    this.#task.task_context.current_action = action;
    this.#changed('action');
  }

  log(message: string): void {
    this.#log.add(this.#task.task_context.current_action, message);
    this.#changed('log');
  }

  setMetadata(values: Record<string, unknown>): void {
    const context = this.#task.task_context;
    context.metadata = { ...context.metadata, ...(JSON.parse(JSON.stringify(values)) as Record<string, unknown>) };
    this.#changed('metadata');
  }

  /** @param exception the error message of the task */
  abort(exception: string): void {
    this.#abort.abort(new TaskAborted(exception));
  }
}

/** Why a task was asked to end. Work may throw one itself, with the same effect. */
export class TaskAborted extends Error {
  constructor(exception: string) {
    super(exception);
    this.name = 'AbortError';
  }
}
