import { type Logger, ParleyError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyTaskStore } from '../../storage/tasks/kysely-task-store.ts';
import { type StateEvent, StateEvents } from '../events/state-events.ts';
import type { NewTask } from './task.ts';
import type { TaskContext } from './task-run.ts';
import { TaskService } from './task-service.ts';

const request: NewTask = {
  task_type: 'user',
  kind: 'knowledge-operation',
  name: 'store-file',
  scopes: ['application'],
};

/** Work that runs until the test ends it. */
function heldWork() {
  const started = Promise.withResolvers<TaskContext>();
  const end = Promise.withResolvers<unknown>();
  const work = async (context: TaskContext) => {
    started.resolve(context);
    return end.promise;
  };
  return { work, started: started.promise, finish: end.resolve, fail: end.reject };
}

const untilAborted = (context: TaskContext) =>
  new Promise<never>((_, reject) => {
    context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
  });

describe('tasks', () => {
  let storage: Storage;
  let store: KyselyTaskStore;
  let events: StateEvent[];
  let errors: object[];
  let services: TaskService[];

  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    store = storeOf(storage);
    events = [];
    errors = [];
    services = [];
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop(50)));
    await storage.close();
  });

  const storeOf = ({ database, replica }: Storage) => new KyselyTaskStore(database, replica);

  function open(saveIntervalMs = 1, own = store): TaskService {
    const stateEvents = new StateEvents();
    stateEvents.watch((event) => events.push(event));
    const logger: Logger = { ...silentLogger, error: (fields) => void errors.push(fields) };
    const service = new TaskService(own, stateEvents, { logger, saveIntervalMs });
    services.push(service);
    return service;
  }

  const ended = (service: TaskService, id: number) =>
    vi.waitFor(async () => {
      const task = await service.get(id);
      expect(task.runtime.done).toBe(true);
      expect(await store.byId(id)).toEqual(task);
      return task;
    });

  it('are stored before their work has effects', async () => {
    const service = open();
    const held = heldWork();
    const task = await service.start({ ...request, label: 'Store file' }, held.work);
    expect(task).toEqual({
      id: 1,
      task_type: 'user',
      kind: 'knowledge-operation',
      name: 'store-file',
      label: 'Store file',
      scopes: ['application'],
      task_context: { current_action: 'default', log: '', metadata: {} },
      runtime: { done: false, state: 'PENDING', exception: null, exception_traceback: null, result: null },
      created_at: expect.stringMatching(/Z$/),
      updated_at: task.created_at,
      finished_at: null,
    });
    expect(await store.byId(1)).toEqual(task);
    expect(await service.get(1)).toEqual(task);
    held.finish(null);
    await ended(service, 1);
    expect((await service.start(request, async () => null)).label).toBe('store-file');
  });

  it('report their progress, immediately to readers and soon on disk', async () => {
    const service = open();
    const held = heldWork();
    const { id } = await service.start(request, held.work);
    const context = await held.started;
    expect(context.task_id).toBe(id);
    context.setAction('Parsing file');
    context.log('page 1');
    context.setMetadata({ pages: 1, list: [new Date(0)] });
    context.setMetadata(JSON.parse('{"pages":2,"__proto__":{"polluted":true}}'));
    const { task_context: shown } = await service.get(id);
    expect(shown.current_action).toBe('Parsing file');
    expect(shown.log).toMatch(/ \| Parsing file \| page 1\n$/);
    expect(shown.metadata).toMatchObject({ pages: 2, list: ['1970-01-01T00:00:00.000Z'] });
    await vi.waitFor(async () => expect((await store.byId(id))?.task_context).toEqual(shown));
    expect((await store.byId(id))?.finished_at).toBeNull();
    held.finish({ chunks: 3 });
    expect(await ended(service, id)).toMatchObject({
      runtime: { done: true, state: 'FINISHED', exception: null, exception_traceback: null, result: { chunks: 3 } },
      task_context: shown,
      finished_at: expect.stringMatching(/Z$/),
    });
  });

  it('are not written for every word', async () => {
    const service = open(50);
    const update = vi.spyOn(store, 'update');
    const held = heldWork();
    const { id } = await service.start(request, held.work);
    const context = await held.started;
    for (let index = 0; index < 1000; index += 1) context.log(`line ${index}`);
    held.finish(null);
    expect((await ended(service, id)).task_context.log).toContain('line 999');
    expect(update.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('notify watchers of their start, their actions and their end', async () => {
    const service = open();
    const { id } = await service.start(request, async (context) => {
      context.setAction('one');
      context.setAction('one');
      context.log('a secret of a user');
      context.setAction('two');
    });
    await ended(service, id);
    await vi.waitFor(() => expect(events).toHaveLength(4));
    const { kind, name } = request;
    const data = { id, kind, name };
    expect(events.map((event) => [event.type, event.data])).toEqual([
      ['task', { ...data, state: 'PENDING', current_action: 'default' }],
      ['task', { ...data, state: 'PENDING', current_action: 'one' }],
      ['task', { ...data, state: 'PENDING', current_action: 'two' }],
      ['task', { ...data, state: 'FINISHED', current_action: 'two' }],
    ]);
  });

  describe('that fail', () => {
    it('say why when the reason may be shown', async () => {
      const service = open();
      const { id } = await service.start(request, () =>
        Promise.reject(new ParleyError('provider_failed', 'The provider refused')),
      );
      const { runtime, task_context } = await ended(service, id);
      expect(runtime).toEqual({
        done: true,
        state: 'FINISHED',
        exception: 'The provider refused',
        exception_traceback: null,
        result: null,
      });
      const failure = { reason: 'provider_failed', response: null, hint: null };
      expect(task_context.metadata).toEqual({ failure });
      expect((await store.byId(id))?.task_context.metadata).toEqual({ failure });
      expect(errors).toEqual([]);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['throw', () => Promise.reject(new Error('password is hunter2'))],
      [
        'throw immediately',
        () => {
          throw new TypeError('password is hunter2');
        },
      ],
      ['return a value that is no JSON', async () => ({ many: 1n })],
      [
        'return a circular value',
        async () => {
          const circle: { circle?: unknown } = {};
          circle.circle = circle;
          return circle;
        },
      ],
    ])('reveal no internals when they %s', async (_, work) => {
      const service = open();
      const { id } = await service.start(request, work);
      const task = await ended(service, id);
      expect(task.runtime).toMatchObject({ state: 'FINISHED', exception: 'An unexpected fault', result: null });
      expect(JSON.stringify(task)).not.toContain('hunter2');
      expect(errors).toMatchObject([{ task: id, error: expect.any(Error) }]);
    });
  });

  it('end in the store also after a temporary failure of the store', async () => {
    const service = open();
    const update = vi.spyOn(store, 'update').mockRejectedValueOnce(new Error('disk full'));
    update.mockRejectedValueOnce(new Error('disk full'));
    const { id } = await service.start(request, async () => 'done');
    expect((await ended(service, id)).runtime.result).toBe('done');
    expect(update.mock.calls.length).toBe(3);
  });

  it('do not start when they cannot be stored', async () => {
    const service = open();
    vi.spyOn(store, 'create').mockRejectedValueOnce(new Error('disk full'));
    const work = vi.fn();
    await expect(service.start(request, work)).rejects.toThrow('disk full');
    expect(work).not.toHaveBeenCalled();
    expect(events).toEqual([]);
  });

  describe('that are cancelled', () => {
    it('end as soon as they heed it', async () => {
      const service = open();
      const { id } = await service.start(request, untilAborted);
      const task = await service.cancel(id);
      expect(task.id).toBe(id);
      expect(await ended(service, id)).toMatchObject({
        runtime: { done: true, state: 'CANCELLED', exception: 'cancelled', result: null },
      });
      expect(events.at(-1)?.data).toMatchObject({ id, state: 'CANCELLED' });
      await expect(service.cancel(id)).rejects.toMatchObject({ reason: 'conflict' });
      expect((await service.list({})).tasks).toHaveLength(1);
    });

    it('may finish their work', async () => {
      const service = open();
      const held = heldWork();
      const { id } = await service.start(request, held.work);
      await service.cancel(id);
      expect((await service.cancel(id)).runtime.state).toBe('PENDING');
      expect((await held.started).signal.aborted).toBe(true);
      held.finish('done');
      expect((await ended(service, id)).runtime).toMatchObject({ state: 'FINISHED', result: 'done', exception: null });
    });

    it('may fail in any way', async () => {
      const service = open();
      const held = heldWork();
      const { id } = await service.start(request, held.work);
      await service.cancel(id);
      held.fail(new Error('socket closed'));
      expect((await ended(service, id)).runtime).toMatchObject({ state: 'CANCELLED', exception: 'cancelled' });
      expect(errors).toEqual([]);
    });

    it('are there, have not ended, and may be cancelled', async () => {
      const service = open();
      await expect(service.cancel(1)).rejects.toMatchObject({ reason: 'not_found' });
      const done = await service.start(request, async () => null);
      await ended(service, done.id);
      await expect(service.cancel(done.id)).rejects.toMatchObject({
        reason: 'conflict',
        message: 'The task has ended',
      });
      const uncancellable = await service.start({ ...request, cancel_refusal: 'connection_task' }, untilAborted);
      await expect(service.cancel(uncancellable.id)).rejects.toMatchObject({
        reason: 'conflict',
        message: 'The task is the connection of a bot; disable the bot to end it',
      });
      expect((await service.get(uncancellable.id)).runtime.done).toBe(false);
    });
  });

  describe('when the service stops', () => {
    it('are asked to end, and awaited', async () => {
      const service = open();
      const one = await service.start(request, untilAborted);
      const two = await service.start({ ...request, cancel_refusal: 'connection_task' }, async (context) => {
        await untilAborted(context).catch(() => undefined);
        context.log('cleaned up');
        return 'all';
      });
      await service.stop(10_000);
      expect((await store.byId(one.id))?.runtime).toMatchObject({
        done: true,
        state: 'CANCELLED',
        exception: 'interrupted by a stop of the service',
      });
      const last = await store.byId(two.id);
      expect(last?.runtime).toMatchObject({ state: 'FINISHED', result: 'all' });
      expect(last?.task_context.log).toContain('cleaned up');
    });

    it('are abandoned in time when they do not end, and write nothing afterwards', async () => {
      const service = open();
      const held = heldWork();
      const { id } = await service.start(request, held.work);
      await service.stop(20);
      const task = await store.byId(id);
      expect(task?.runtime).toMatchObject({ state: 'CANCELLED', exception: 'interrupted by a stop of the service' });
      const update = vi.spyOn(store, 'update');
      const context = await held.started;
      context.log('still here');
      context.setAction('still here');
      held.finish('late');
      await new Promise(setImmediate);
      expect(update).not.toHaveBeenCalled();
      expect(await store.byId(id)).toEqual(task);
    });

    it('are not started any more, and those that are being started are ended', async () => {
      const service = open();
      const creating = Promise.withResolvers<void>();
      const create = store.create.bind(store);
      vi.spyOn(store, 'create').mockImplementationOnce(async (task) => {
        await creating.promise;
        return create(task);
      });
      const starting = service.start(request, untilAborted);
      const stopped = service.stop(10_000);
      await expect(service.start(request, untilAborted)).rejects.toMatchObject({ reason: 'not_ready' });
      creating.resolve();
      await stopped;
      expect((await store.byId((await starting).id))?.runtime.state).toBe('CANCELLED');
    });
  });

  it('that a killed service left behind are ended by the next', async () => {
    const replica = await otherReplica(storage);
    const killed = open(1, storeOf(replica));
    const held = heldWork();
    const { id } = await killed.start(request, held.work);
    const next = open();
    await next.open();
    expect((await next.get(id)).runtime.done).toBe(false);
    await takeOver(replica);
    await next.open();
    expect((await next.get(id)).runtime).toEqual({
      done: true,
      state: 'FINISHED',
      exception: 'interrupted by a restart',
      exception_traceback: null,
      result: null,
    });
    await expect(next.cancel(id)).rejects.toMatchObject({ reason: 'conflict' });
  });

  describe('when another replica has taken them over', () => {
    const takenOver = async (work: (context: TaskContext) => Promise<unknown>) => {
      const replica = await otherReplica(storage);
      const service = open(1, storeOf(replica));
      const { id } = await service.start(request, work);
      await takeOver(replica, store);
      return { service, id, stored: await store.byId(id) };
    };
    const ofTask = () => events.filter(({ type }) => type === 'task').length;

    it('are aborted with their next progress, and the end is neither stored nor published', async () => {
      const aborted = Promise.withResolvers<TaskContext>();
      const held = heldWork();
      const { service, id, stored } = await takenOver(async (context) => {
        context.signal.addEventListener('abort', () => aborted.resolve(context));
        return held.work(context);
      });
      (await held.started).log('page 2');
      const context = await aborted.promise;
      expect(await service.get(id)).toEqual(stored);
      const published = ofTask();
      const update = vi.spyOn(KyselyTaskStore.prototype, 'update');
      context.log('page 3');
      held.finish('late');
      await service.stop(1000);
      expect(update).not.toHaveBeenCalled();
      update.mockRestore();
      expect(ofTask()).toBe(published);
      expect(await store.byId(id)).toEqual(stored);
    });

    it('end without being stored or published', async () => {
      const held = heldWork();
      const { service, id, stored } = await takenOver(held.work);
      const published = ofTask();
      held.finish('late');
      await vi.waitFor(async () => expect(await service.get(id)).toEqual(stored));
      await expect(service.cancel(id)).rejects.toMatchObject({ reason: 'conflict' });
      expect(ofTask()).toBe(published);
      expect(errors).toEqual([]);
    });
  });

  it('are published when their end was stored and the connection was lost at the same time', async () => {
    const service = open();
    const update = store.update.bind(store);
    vi.spyOn(store, 'update').mockImplementationOnce(async (task) => {
      await update(task);
      throw new Error('connection lost');
    });
    const { id } = await service.start(request, async () => 'done');
    await ended(service, id);
    await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ data: { id, state: 'FINISHED' } }));
  });

  it('are forgotten a week after they ended, and beyond the newest thousand', async () => {
    const service = open();
    const ids: number[] = [];
    for (const days of [6, 8]) {
      const { id } = await service.start(request, async () => null);
      await ended(service, id);
      const finished_at = new Date(Date.now() - days * 24 * 3_600_000).toISOString();
      await storage.database.updateTable('tasks').set({ finished_at }).where('id', '=', id).execute();
      ids.push(id);
    }
    expect(await service.prune(100)).toBe(1);
    expect((await service.list({})).tasks.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    const stored = await storage.database.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
    const { id: _, ...row } = stored;
    const rows = Array.from({ length: 500 }, () => row);
    for (let index = 0; index < 2; index += 1) await storage.database.insertInto('tasks').values(rows).execute();
    expect(await service.prune(100)).toBe(1);
    expect((await service.list({})).tasks).toHaveLength(1000);
  });

  describe('are listed', () => {
    it('by number, with how running ones are now', async () => {
      const service = open(60_000);
      expect(await service.list({})).toEqual({ tasks: [], id_index: 1, next_cursor: null });
      const held = heldWork();
      const running = await service.start({ ...request, task_type: 'system', kind: 'a' }, held.work);
      (await held.started).setAction('now');
      const other = await service.start({ ...request, kind: 'b' }, async () => null);
      await ended(service, other.id);
      const list = await service.list({ type: '', kind: '' });
      expect(list.tasks.map(({ id, task_context }) => [id, task_context.current_action])).toEqual([
        [running.id, 'now'],
        [other.id, 'default'],
      ]);
      expect(list.id_index).toBe(other.id + 1);
      const numbers = async (filter: { type?: string; kind?: string }) =>
        (await service.list(filter)).tasks.map(({ id }) => id);
      expect(await numbers({ type: 'system' })).toEqual([running.id]);
      expect(await numbers({ type: 'user' })).toEqual([other.id]);
      expect(await numbers({ kind: 'b' })).toEqual([other.id]);
      expect(await numbers({ type: 'system', kind: 'b' })).toEqual([]);
      expect(await numbers({ type: 'unknown' })).toEqual([]);
    });

    it('page by page, each once', async () => {
      const service = open();
      const ids: number[] = [];
      for (let index = 0; index < 5; index += 1) ids.push((await service.start(request, async () => null)).id);
      const seen: number[] = [];
      for (let cursor: string | null = '0'; cursor !== null; ) {
        const page: Awaited<ReturnType<TaskService['list']>> = await service.list(
          {},
          { after: Number(cursor), limit: 2 },
        );
        expect(page.tasks.length).toBeLessThanOrEqual(2);
        seen.push(...page.tasks.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(ids);
      expect((await service.list({}, { limit: 5 })).next_cursor).toBeNull();
    });
  });
});
