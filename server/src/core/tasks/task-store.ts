import type { Task, TaskType } from './task.ts';

export interface TaskFilter {
  task_type?: TaskType;
  kind?: string;
}

export interface TaskStore {
  /** @returns its number, which no other task had or will have */
  create(task: Omit<Task, 'id'>): Promise<number>;
  /** Writes what changes while a task runs: its context, how it ended, when. */
  update(task: Task): Promise<void>;
  byId(id: number): Promise<Task | null>;
  /** Tasks with greater numbers than `after`, by their numbers. */
  list(filter: TaskFilter, after: number, limit: number): Promise<Task[]>;
  /** The greatest number of a stored task; 0 when there is none. */
  latestId(): Promise<number>;
  /** Ends tasks that an earlier run of the service left pending. @returns how many */
  endPending(exception: string, finishedAt: string): Promise<number>;
  /**
   * Removes tasks that ended before a timestamp, and all but the newest `keep` of those that ended, `limit` of them at
   * most.
   * @returns how many
   */
  prune(endedBefore: string, keep: number, limit: number): Promise<number>;
}
