import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { Task } from '../../core/tasks/task.ts';
import { KyselyTaskStore } from './kysely-task-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

const task = (over: Partial<Omit<Task, 'id'>> = {}): Omit<Task, 'id'> => ({
  task_type: 'user',
  kind: 'knowledge-operation',
  name: 'store-file',
  label: 'Store résumé 履歴書.pdf',
  scopes: ['application', 'plugin'],
  task_context: { current_action: 'default', log: 'a\nb\n', metadata: { step: 1, nested: { list: [null] } } },
  runtime: { done: false, state: 'PENDING', exception: null, exception_traceback: null, result: null },
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: null,
  ...over,
});

const ended = (finishedAt: string, over: Partial<Task['runtime']> = {}): Omit<Task, 'id'> =>
  task({
    runtime: { done: true, state: 'FINISHED', exception: null, exception_traceback: null, result: null, ...over },
    finished_at: finishedAt,
  });

describeOnEachEngine('the store of tasks', (storage) => {
  const store = ({ database, replica } = storage()) => new KyselyTaskStore(database, replica);

  it('returns a task as it was stored and as it ended', async () => {
    const id = await store().create(task());
    expect(await store().byId(id)).toEqual({ ...task(), id });
    const changed = {
      ...ended(timestamp, { state: 'CANCELLED', exception: 'no \0 more', result: { deep: ['\0', 1.5, false] } }),
      task_context: { current_action: 'end', log: '', metadata: {} },
      updated_at: '2026-01-02T00:00:00.000Z',
      id,
    };
    await store().update(changed);
    const runtime = { ...changed.runtime, exception: 'no \ufffd more' };
    expect(await store().byId(id)).toEqual({ ...changed, runtime });
    expect(await store().byId(id + 1)).toBeNull();
  });

  it.each([[false], [0], [''], ['text'], [[]]])('keeps %j as a result', async (result) => {
    const id = await store().create(ended(timestamp, { result }));
    expect((await store().byId(id))?.runtime.result).toEqual(result);
  });

  it('counts from 1 upwards and never reuses a number', async () => {
    expect(await store().latestId()).toBe(0);
    const first = await store().create(ended(timestamp));
    expect(first).toBeGreaterThanOrEqual(1);
    expect(await store().latestId()).toBe(first);
    expect(await store().prune('2027', 0, 100)).toBe(1);
    expect(await store().create(task())).toBeGreaterThan(first);
  });

  it('lists by number, by filter, in pages', async () => {
    const ids: number[] = [];
    for (const kind of ['a', 'b', 'a', 'b', 'a']) {
      ids.push(await store().create(task({ kind, task_type: kind === 'a' ? 'system' : 'user' })));
    }
    const [first, second, third, fourth, fifth] = ids as [number, number, number, number, number];
    const listed = async (...parts: Parameters<KyselyTaskStore['list']>) =>
      (await store().list(...parts)).map(({ id }) => id);
    expect(await listed({}, 0, 10)).toEqual(ids);
    expect(await listed({ kind: 'a' }, 0, 10)).toEqual([first, third, fifth]);
    expect(await listed({ task_type: 'user' }, 0, 10)).toEqual([second, fourth]);
    expect(await listed({ kind: 'a', task_type: 'user' }, 0, 10)).toEqual([]);
    expect(await listed({ kind: 'a\0' }, 0, 10)).toEqual([]);
    expect(await listed({}, second, 2)).toEqual([third, fourth]);
  });

  const rows = () => storage().database.selectFrom('tasks').selectAll().orderBy('id').execute();

  it('ends only pending tasks, and those of dead replicas alone', async () => {
    const [dead, living] = [await otherReplica(storage()), await otherReplica(storage())];
    const pending = await store(dead).create(task());
    const before = await store(dead).create(ended(timestamp, { result: 1 }));
    const kept = await store(living).create(task());
    const unowned = await store().create(task());
    await storage().database.updateTable('tasks').set({ claimed_by: null }).where('id', '=', unowned).execute();
    expect(await store().endAbandoned('2026-02-02T00:00:00.000Z')).toBe(1);
    expect(await store().byId(unowned)).toMatchObject({
      runtime: { done: true, state: 'FINISHED', exception: 'interrupted by a restart' },
      updated_at: '2026-02-02T00:00:00.000Z',
      finished_at: '2026-02-02T00:00:00.000Z',
    });
    const stored = await rows();
    await takeOver(dead, store());
    const [one, ...others] = await rows();
    expect(one).toMatchObject({
      id: pending,
      state: 'FINISHED',
      exception: 'interrupted by a restart',
      claimed_by: null,
    });
    expect(others).toEqual(stored.slice(1));
    expect(await store().byId(before)).toMatchObject({ runtime: { result: 1 }, finished_at: timestamp });
    expect((await store().byId(kept))?.runtime.done).toBe(false);
    expect(await store().endAbandoned(timestamp)).toBe(0);
    expect(await store().byId(kept)).not.toHaveProperty('claimed_by');
  });

  it('lets only the replica that runs a task change it, until it has ended', async () => {
    const [one, other] = [await otherReplica(storage()), await otherReplica(storage())];
    const id = await store(one).create(task());
    const progress = { ...task(), id, updated_at: '2026-01-03T00:00:00.000Z' };
    const end = { ...ended('2026-01-04T00:00:00.000Z', { result: 1 }), id };
    const before = await rows();
    expect(await store(other).update(progress)).toBe(false);
    expect(await store(other).update(end)).toBe(false);
    expect(await rows()).toEqual(before);
    expect(await store(one).update(progress)).toBe(true);
    expect(await store(one).update(end)).toBe(true);
    const after = await rows();
    expect(after).toMatchObject([{ state: 'FINISHED', claimed_by: null }]);
    // Stored, although the replica may not know.
    expect(await store(one).update(end)).toBe(true);
    expect(await store(one).update(progress)).toBe(false);
    expect(await store(one).update({ ...end, finished_at: timestamp })).toBe(false);
    expect(await rows()).toEqual(after);
  });

  it('changes nothing for a replica whose task was taken over', async () => {
    const dead = await otherReplica(storage());
    const id = await store(dead).create(task());
    await takeOver(dead, store());
    const before = await rows();
    expect(await store(dead).update({ ...task(), id })).toBe(false);
    expect(await store(dead).update({ ...ended(timestamp), id })).toBe(false);
    expect(await rows()).toEqual(before);
  });

  it('removes tasks that ended long ago or exceed the limit, and no running ones', async () => {
    const running = await store().create(task());
    const old = await store().create(ended('2025-01-01T00:00:00.000Z'));
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await store().create(ended(timestamp)));
    expect(await store().prune('2025-06-01', 100, 100)).toBe(1);
    expect(await store().byId(old)).toBeNull();
    expect(await store().prune('2025-06-01', 5, 100)).toBe(0);
    expect(await store().prune('2025-06-01', 3, 1)).toBe(1);
    expect(await store().prune('2025-06-01', 3, 100)).toBe(1);
    expect((await store().list({}, 0, 100)).map(({ id }) => id)).toEqual([running, ...ids.slice(2)]);
  });
});
