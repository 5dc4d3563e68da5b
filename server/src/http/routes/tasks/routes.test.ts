import { afterAll, describe, expect, it, vi } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import type { NewTask } from '../../../core/tasks/task.ts';
import { createService } from '../../../service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const { tasks } = service.service;
const url = '/api/v1/system/tasks';
const bearer = service.account.token;
const request: NewTask = {
  task_type: 'user',
  kind: 'knowledge-operation',
  name: 'store-file',
  scopes: ['application'],
};

const get = (path = '') => service.request({ url: url + path, bearer });
const cancel = (id: number | string) => service.request({ method: 'POST', url: `${url}/${id}/cancel`, bearer });
const untilAborted = ({ signal }: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
const ended = (id: number) =>
  vi.waitFor(async () => {
    const { data } = (await get(`/${id}`)).body;
    expect(data.runtime.done).toBe(true);
    return data;
  });

describe('GET /api/v1/system/tasks', () => {
  it('lists tasks as clients of the reference system expect them', async () => {
    const { id } = await tasks.start(request, async (context) => {
      context.setAction('Processing file');
      context.log('all of it');
      return { chunks: 2 };
    });
    await ended(id);
    const answer = await get('?type=user');
    expect(answer.status).toBe(200);
    expect(answer.body.data.id_index).toBeGreaterThan(id);
    expect(answer.body.data.tasks).toContainEqual({
      id,
      task_type: 'user',
      kind: 'knowledge-operation',
      name: 'store-file',
      label: 'store-file',
      scopes: ['application'],
      task_context: {
        current_action: 'Processing file',
        log: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \| Processing file \| all of it\n$/),
        metadata: {},
      },
      runtime: { done: true, state: 'FINISHED', exception: null, exception_traceback: null, result: { chunks: 2 } },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
    });
  });

  it('tells those that ended in every way there is, together', async () => {
    const cancelled = await tasks.start(request, untilAborted);
    await tasks.cancel(cancelled.id);
    const failed = await tasks.start(request, () => Promise.reject(new Error('inside')));
    await Promise.all([ended(cancelled.id), ended(failed.id)]);
    const answer = await get();
    expect(answer.status).toBe(200);
    const runtimes = new Map(
      answer.body.data.tasks.map((task: { id: number; runtime: object }) => [task.id, task.runtime]),
    );
    expect(runtimes.get(cancelled.id)).toMatchObject({ state: 'CANCELLED', done: true, exception: 'cancelled' });
    expect(runtimes.get(failed.id)).toMatchObject({ state: 'FINISHED', exception: 'An unexpected fault' });
    expect(answer.text).not.toContain('inside');
  });

  it('tells what is asked for', async () => {
    const kind = 'only-here';
    await tasks.start({ ...request, kind }, async () => null);
    await tasks.start({ ...request, kind, task_type: 'system' }, async () => null);
    const types = async (query: string) =>
      (await get(query)).body.data.tasks.map((task: { task_type: string }) => task.task_type);
    expect(await types(`?kind=${kind}`)).toEqual(['user', 'system']);
    expect(await types(`?kind=${kind}&type=`)).toEqual(['user', 'system']);
    expect(await types(`?kind=${kind}&type=system`)).toEqual(['system']);
    expect(await types(`?kind=${kind}&type=unknown`)).toEqual([]);
    expect(await types('?kind=nothing')).toEqual([]);
    expect(await types('?kind=%00')).toEqual([]);
    expect((await types('?type=&kind=')).length).toBeGreaterThan(2);
  });

  it('gives pages', async () => {
    const kind = 'paged';
    const ids: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push((await tasks.start({ ...request, kind }, async () => null)).id);
    }
    const first = (await get(`?kind=${kind}&limit=2`)).body.data;
    expect(first.tasks.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    const second = (await get(`?kind=${kind}&limit=2&cursor=${first.next_cursor}`)).body.data;
    expect(second.tasks.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2));
    expect(second.next_cursor).toBeNull();
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=a',
    'limit=1.5',
    'cursor=-1',
    'cursor=a',
    'cursor=99999999999',
    'kind=a&kind=b',
  ])('refuses the query %s', async (query) => {
    const answer = await get(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.reason).toBe('invalid_request');
  });
});

describe('GET /api/v1/system/tasks/{id}', () => {
  it('tells one task, not wrapped', async () => {
    const task = await tasks.start(request, async () => 'done');
    await ended(task.id);
    const { body } = await get(`/${task.id}`);
    expect(body).toMatchObject({ code: 0, msg: 'ok', data: { id: task.id, runtime: { result: 'done' } } });
  });

  it.each(['2147483647', '0', '-1', '1.5', 'a', '99999999999999999999', '%00'])('is 404 for %s', async (id) => {
    for (const answer of [await get(`/${id}`), await cancel(id)]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
    }
  });
});

describe('POST /api/v1/system/tasks/{id}/cancel', () => {
  it('ends a task that heeds it', async () => {
    const { id } = await tasks.start(request, untilAborted);
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data.id).toBe(id);
    expect(await ended(id)).toMatchObject({ runtime: { state: 'CANCELLED', exception: 'cancelled' } });
    const again = await cancel(id);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: -1, reason: 'conflict', msg: 'The task has ended' });
  });

  it('tells to disable the bot instead of ending its connection', async () => {
    const connection = await vi.waitFor(async () => {
      const { data } = (await get('?type=system&kind=platform-adapter')).body;
      expect(data.tasks).toHaveLength(1);
      return data.tasks[0];
    });
    expect(connection).toMatchObject({
      name: 'platform-adapter-websocket',
      scopes: ['application', 'platform'],
      runtime: { state: 'PENDING', done: false },
      finished_at: null,
    });
    const bots = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data.bots;
    expect(connection.label).toBe(bots[0].name);
    const answer = await cancel(connection.id);
    expect(answer.status).toBe(409);
    expect(answer.body.msg).toContain('disable the bot');
    expect((await get(`/${connection.id}`)).body.data.runtime.done).toBe(false);
  });
});

describe('tasks', () => {
  it('can be followed by the program that began them, and cancelled by one that may write', async () => {
    const { key: reader } = await service.createApiKey(['read']);
    const { key: writer } = await service.createApiKey(['write']);
    const { id } = await tasks.start(request, untilAborted);
    for (const path of [url, `${url}/${id}`]) {
      expect((await service.request({ url: path, apiKey: reader })).status).toBe(200);
      expect((await service.request({ url: path, apiKey: writer })).status).toBe(403);
      expect((await service.request({ url: path })).status).toBe(401);
    }
    const cancelling = { method: 'POST', url: `${url}/${id}/cancel` };
    expect((await service.request(cancelling)).status).toBe(401);
    expect((await service.request({ ...cancelling, apiKey: reader })).status).toBe(403);
    expect((await service.request({ ...cancelling, apiKey: writer })).status).toBe(200);
  });

  it('of bots end when the bot is switched off, and the list goes on', async () => {
    const [bot] = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data.bots;
    const set = (enable: boolean) =>
      service.request({ method: 'PUT', url: `/api/v1/platform/bots/${bot.uuid}`, bearer, json: { enable } });
    const connections = async () => (await get('?kind=platform-adapter')).body.data.tasks;
    const states = async () =>
      (await connections()).map(({ runtime }: { runtime: { state: string } }) => runtime.state);
    expect((await set(false)).status).toBe(200);
    await vi.waitFor(async () => expect(await states()).toEqual(['CANCELLED']));
    expect((await set(true)).status).toBe(200);
    await vi.waitFor(async () => expect(await states()).toEqual(['CANCELLED', 'PENDING']));
    expect((await connections())[0].task_context.metadata).toEqual({ bot_uuid: bot.uuid });
  });

  it('are ended by the start after a crash, and with the service by a stop', async () => {
    const stopped = await startTestService();
    try {
      const { service: first, config, database } = stopped;
      const { id } = await first.tasks.start(request, untilAborted);
      await first.stop();
      const row = () => database.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(await row()).toMatchObject({ state: 'CANCELLED', exception: 'interrupted by a stop of the service' });
      const left = await database.selectFrom('tasks').select('id').where('state', '=', 'PENDING').execute();
      expect(left).toEqual([]);

      await database.updateTable('tasks').set({ state: 'PENDING', exception: null, finished_at: null }).execute();
      const second = await createService(config);
      await second.start();
      expect(await row()).toMatchObject({ state: 'FINISHED', exception: 'interrupted by a restart' });
      await second.stop();
    } finally {
      await stopped.stop();
    }
  });
});
