import type { Selectable } from 'kysely';
import type { Task, TaskScope, TaskState, TaskType } from '../../core/tasks/task.ts';
import type { TaskFilter, TaskStore } from '../../core/tasks/task-store.ts';
import type { Database, Tables } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

type TaskRow = Selectable<Tables['tasks']>;

export class KyselyTaskStore implements TaskStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(task: Omit<Task, 'id'>): Promise<number> {
    const { task_context: _, runtime: __, scopes, ...columns } = task;
    const { id } = await this.#database
      .insertInto('tasks')
      .values({ ...columns, scopes: JSON.stringify(scopes), ...changingColumns(task) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async update(task: Task): Promise<void> {
    await this.#database.updateTable('tasks').set(changingColumns(task)).where('id', '=', task.id).execute();
  }

  async byId(id: number): Promise<Task | null> {
    const row = await this.#database
      .selectFrom('tasks')
      .select(columnsOf('tasks'))
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toTask(row);
  }

  async list({ task_type, kind }: TaskFilter, after: number, limit: number): Promise<Task[]> {
    let query = this.#database
      .selectFrom('tasks')
      .select(columnsOf('tasks'))
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit);
    if (task_type !== undefined) query = query.where('task_type', '=', task_type);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    return (await query.execute()).map(toTask);
  }

  async latestId(): Promise<number> {
    const row = await this.#database.selectFrom('tasks').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return row?.id ?? 0;
  }

  async endPending(exception: string, finishedAt: string): Promise<number> {
    const { numUpdatedRows } = await this.#database
      .updateTable('tasks')
      .set({ state: 'FINISHED', exception, updated_at: finishedAt, finished_at: finishedAt })
      .where('state', '=', 'PENDING')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async prune(endedBefore: string, keep: number, limit: number): Promise<number> {
    const ended = this.#database.selectFrom('tasks').select('id').where('state', '!=', 'PENDING');
    const firstTooMany = ended.orderBy('id', 'desc').limit(1).offset(keep);
    const unwanted = ended
      .where(({ or, eb }) => or([eb('finished_at', '<', endedBefore), eb('id', '<=', firstTooMany)]))
      .orderBy('id')
      .limit(limit);
    const { numDeletedRows } = await this.#database.deleteFrom('tasks').where('id', 'in', unwanted).executeTakeFirst();
    return Number(numDeletedRows);
  }
}

function changingColumns({ task_context, runtime, updated_at, finished_at }: Omit<Task, 'id'>) {
  return {
    context: JSON.stringify(task_context),
    state: runtime.state,
    exception: runtime.exception,
    result: runtime.result === null ? null : JSON.stringify(runtime.result),
    updated_at,
    finished_at,
  };
}

function toTask(row: TaskRow): Task {
  const state = row.state as TaskState;
  return {
    id: row.id,
    task_type: row.task_type as TaskType,
    kind: row.kind,
    name: row.name,
    label: row.label,
    scopes: JSON.parse(row.scopes) as TaskScope[],
    task_context: JSON.parse(row.context) as Task['task_context'],
    runtime: {
      done: state !== 'PENDING',
      state,
      exception: row.exception,
      exception_traceback: null,
      result: row.result === null ? null : JSON.parse(row.result),
    },
    created_at: row.created_at,
    updated_at: row.updated_at,
    finished_at: row.finished_at,
  };
}
