import type { ProblemCode } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';

/** Who started a task: the system, or a user or program with a request. */
export const TaskType = Type.Enum(['system', 'user']);
export type TaskType = Static<typeof TaskType>;

/** A task that failed is finished, with an exception. */
export const TaskState = Type.Enum(['PENDING', 'FINISHED', 'CANCELLED']);
export type TaskState = Static<typeof TaskState>;

/** The record that a task works on. */
export const TaskScope = Type.Enum(['application', 'platform', 'plugin', 'provider']);
export type TaskScope = Static<typeof TaskScope>;

export const Task = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    task_type: TaskType,
    kind: Type.String(),
    name: Type.String(),
    label: Type.String({ description: 'Display name.' }),
    scopes: Type.Array(TaskScope),
    task_context: Type.Object({
      current_action: Type.String(),
      log: Type.String({
        description: 'The latest lines, `YYYY-MM-DD HH:MM:SS | action | message` in UTC, each ended by a newline.',
      }),
      metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
    runtime: Type.Object({
      done: Type.Boolean(),
      state: TaskState,
      exception: nullable(Type.String(), 'Why it failed or was cancelled; null while it runs and after success.'),
      exception_traceback: Type.Null(),
      result: Type.Unknown({ description: 'The result, any JSON; null while it runs and after a failure.' }),
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: nullable(Timestamp),
  },
  { title: 'Task' },
);
export type Task = Static<typeof Task>;

export const TaskList = Type.Object({
  tasks: Type.Array(Task, { description: 'By their numbers, oldest first.' }),
  id_index: Type.Integer({ description: 'The number that the next task gets.' }),
  next_cursor: nullable(Type.String(), 'Cursor of the next page; null on the last one.'),
});
export type TaskList = Static<typeof TaskList>;

/** The description of a new task. */
export interface NewTask {
  task_type: TaskType;
  kind: string;
  name: string;
  /** The name when omitted. */
  label?: string;
  scopes?: TaskScope[];
  /** Present when the task cannot be cancelled; says what to do instead. */
  cancel_refusal?: ProblemCode;
}
