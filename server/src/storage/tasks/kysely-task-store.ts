import type { ProblemCode } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { Task, TaskScope, TaskState, TaskType } from '../../core/tasks/task.ts';
import { interruptedByRestart, type TaskFilter, type TaskStore } from '../../core/tasks/task-store.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf, type WholeRow } from '../table-columns.ts';

type TaskRow = WholeRow<'tasks'>;

export class KyselyTaskStore implements TaskStore, TakesOver {
  readonly #database: Database;
  readonly #claimant: Claimant;

  constructor(database: Database, claimant: Claimant) {
    this.#database = database;
    this.#claimant = claimant;
  }

  async create(task: Omit<Task, 'id'>, cancelRefusal?: ProblemCode): Promise<number> {
    const { task_context: _, runtime: __, scopes, ...columns } = task;
    const { id } = await this.#database
      .insertInto('tasks')
      .values({
        ...columns,
        scopes: JSON.stringify(scopes),
        ...changingColumns(task),
        cancel_refusal: cancelRefusal ?? null,
        claimed_by: this.#claimant.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async requestCancel(id: number, requestedAt: string): Promise<{ replica: string } | { refusal: ProblemCode } | null> {
    const { id: own } = this.#claimant;
    const asked = await this.#database
      .updateTable('tasks')
      .set({ cancel_requested_at: requestedAt })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .where('cancel_refusal', 'is', null)
      .where('claimed_by', '!=', own)
      .returning('claimed_by')
      .executeTakeFirst();
    if (asked !== undefined) return asked.claimed_by === null ? null : { replica: asked.claimed_by };
    const row = await this.#database
      .selectFrom('tasks')
      .select(['cancel_refusal'])
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .executeTakeFirst();
    // As it was stored.
    return row?.cancel_refusal == null ? null : { refusal: row.cancel_refusal as ProblemCode };
  }

  async update(task: Task): Promise<boolean> {
    const { id, runtime, finished_at } = task;
    const { numUpdatedRows } = await this.#database
      .updateTable('tasks')
      .set({ ...changingColumns(task), ...(runtime.state === 'PENDING' ? {} : { claimed_by: null }) })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .where('claimed_by', '=', this.#claimant.id)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return true;
    if (finished_at === null) return false;
    // An end may be stored although the connection was lost before that was known.
    const row = await this.#database
      .selectFrom('tasks')
      .select(['state', 'exception', 'finished_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.state === runtime.state && row.exception === runtime.exception && row.finished_at === finished_at;
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

  endAbandoned(finishedAt: string): Promise<number> {
    return endAbandoned(this.#database, finishedAt);
  }

  async takeOver(transaction: Transaction<Tables>): Promise<void> {
    await endAbandoned(transaction, now());
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

async function endAbandoned(database: Database, finishedAt: string): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('tasks')
    .set({
      state: 'FINISHED',
      exception: interruptedByRestart,
      updated_at: finishedAt,
      finished_at: finishedAt,
      claimed_by: null,
    })
    .where('state', '=', 'PENDING')
    .where(isAbandoned<'tasks'>('tasks.claimed_by'))
    .executeTakeFirst();
  return Number(numUpdatedRows);
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
