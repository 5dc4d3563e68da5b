import type { ProblemCode } from '@parley/sdk';
import type { Task, TaskType } from './task.ts';

export interface TaskFilter {
  task_type?: TaskType;
  kind?: string;
}

/** The exception of tasks whose replica died. */
export const interruptedByRestart = 'interrupted by a restart';

export interface TaskStore {
  /**
   * Stores a task of this replica.
   * @param cancelRefusal why it cannot be cancelled; without it, it can
   * @returns its number, which no other task had or will have
   */
  create(task: Omit<Task, 'id'>, cancelRefusal?: ProblemCode): Promise<number>;
  /**
   * Asks the replica that runs a task to end it.
   * @returns the replica, or why the task cannot be cancelled; null when no other replica runs it
   */
  requestCancel(id: number, requestedAt: string): Promise<{ replica: string } | { refusal: ProblemCode } | null>;
  /**
   * Writes what changes while a task runs: its context, how it ended, when.
   * @returns false, having written nothing, when others ended the task; an end that is written again is not of others
   */
  update(task: Task): Promise<boolean>;
  byId(id: number): Promise<Task | null>;
  /** Tasks with greater numbers than `after`, by their numbers. */
  list(filter: TaskFilter, after: number, limit: number): Promise<Task[]>;
  /** The greatest number of a stored task; 0 when there is none. */
  latestId(): Promise<number>;
  /** At start: ends pending tasks that no living replica runs. @returns how many */
  endAbandoned(finishedAt: string): Promise<number>;
  /**
   * Removes tasks that ended before a timestamp, and all but the newest `keep` of those that ended, `limit` of them at
   * most.
   * @returns how many
   */
  prune(endedBefore: string, keep: number, limit: number): Promise<number>;
}
