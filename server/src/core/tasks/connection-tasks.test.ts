import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyTaskStore } from '../../storage/tasks/kysely-task-store.ts';
import { StateEvents } from '../events/state-events.ts';
import { type ConnectionStatus, ConnectionTasks } from './connection-tasks.ts';
import { TaskService } from './task-service.ts';

describe('connections of bots as tasks', () => {
  let storage: Storage;
  let tasks: TaskService;
  let connections: ConnectionTasks;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    const options = { logger: silentLogger, saveIntervalMs: 1 };
    tasks = new TaskService(new KyselyTaskStore(storage.database, storage.replica), new StateEvents(), options);
    connections = new ConnectionTasks({
      tasks,
      bot: async (uuid) => bots.get(uuid) ?? null,
      logger: silentLogger,
    });
  });
  afterEach(async () => {
    await tasks.stop(1000);
    await storage.close();
  });

  const bots = new Map([
    ['bot-1', { name: 'Helper', adapter: 'telegram' }],
    ['bot-2', { name: 'Other', adapter: 'slack' }],
  ]);
  const report = (state: ConnectionStatus['state'], error: string | null = null, bot = 'bot-1') =>
    connections.observe(bot, { state, error });
  const list = async () => (await tasks.list({})).tasks;

  it('run while the connection is maintained, and end with it', async () => {
    report('starting');
    report('running');
    await vi.waitFor(async () => expect(await list()).toHaveLength(1));
    report('reconnecting', 'no route');
    report('error', 'timed out');
    const [task] = await list();
    expect(task).toMatchObject({
      task_type: 'system',
      kind: 'platform-adapter',
      name: 'platform-adapter-telegram',
      label: 'Helper',
      scopes: ['application', 'platform'],
      task_context: { current_action: 'error', metadata: { bot_uuid: 'bot-1' } },
      runtime: { done: false, state: 'PENDING' },
    });
    expect(task?.task_context.log.replace(/^.{19} /gm, '')).toBe(
      [
        '| starting | connecting to the platform',
        '| running | connected to the platform',
        '| reconnecting | connecting to the platform again: no route',
        '| error | not connected to the platform: timed out',
        '',
      ].join('\n'),
    );
    await expect(tasks.cancel(task?.id as number)).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('disable the bot'),
    });
    report('stopped');
    await vi.waitFor(async () =>
      expect((await list())[0]?.runtime).toMatchObject({
        done: true,
        state: 'CANCELLED',
        exception: expect.any(String),
      }),
    );
  });

  it('are one for each bot and connection', async () => {
    report('running');
    report('running', null, 'bot-2');
    report('stopped');
    report('stopped');
    report('running');
    await vi.waitFor(async () => {
      const found = (await list()).map(({ label, runtime }) => `${label} ${runtime.state}`).sort();
      expect(found).toEqual(['Helper CANCELLED', 'Helper PENDING', 'Other PENDING']);
    });
  });

  it('are none for a bot that was not connected', async () => {
    report('stopped');
    report('running', null, 'bot-that-is-gone');
    await new Promise(setImmediate);
    expect(await list()).toEqual([]);
  });

  it('end with the service', async () => {
    report('running');
    await vi.waitFor(async () => expect(await list()).toHaveLength(1));
    await tasks.stop(10_000);
    const [task] = await list();
    expect(task?.runtime).toMatchObject({ state: 'CANCELLED', exception: 'interrupted by a stop of the service' });
    report('stopped');
    report('starting');
    expect(await list()).toHaveLength(1);
  });
});
