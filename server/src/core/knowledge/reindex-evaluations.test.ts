import { ParleyError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { StateEvents } from '../events/state-events.ts';
import type { Task, TaskState } from '../tasks/task.ts';
import { ReindexEvaluations } from './reindex-evaluations.ts';

describe('the golden questions after re-indexing', () => {
  let events: StateEvents;
  let states: Map<number, TaskState>;
  let evaluations: unknown[][];
  let errors: unknown[];
  let outcome: Error | null;
  let service: ReindexEvaluations;
  beforeEach(() => {
    events = new StateEvents();
    [states, evaluations, errors, outcome] = [new Map(), [], [], null];
    service = new ReindexEvaluations({
      evaluations: {
        start: async (...parts) => {
          evaluations.push(parts);
          if (outcome !== null) throw outcome;
          return { uuid: '', task_id: 0 };
        },
      },
      tasks: {
        get: async (id) => {
          const state = states.get(id) ?? 'PENDING';
          return { runtime: { state, done: state !== 'PENDING' } } as Task;
        },
      },
      events,
      logger: { ...silentLogger, error: (fields: unknown) => void errors.push(fields) },
    });
  });
  const publish = (id: number, state: TaskState) => {
    states.set(id, state);
    events.publish({ type: 'task', data: { id, state } });
  };

  it('are evaluated once, after the last document', async () => {
    await Promise.all([1, 2, 3].map((id) => service.follow('base', id)));
    await service.follow('other', 4);
    publish(1, 'PENDING');
    publish(3, 'FINISHED');
    publish(2, 'FINISHED');
    publish(5, 'FINISHED');
    expect(evaluations).toEqual([]);
    publish(1, 'CANCELLED');
    expect(evaluations).toEqual([['base', {}, 'reindex']]);
    publish(1, 'FINISHED');
    publish(4, 'FINISHED');
    expect(evaluations).toEqual([
      ['base', {}, 'reindex'],
      ['other', {}, 'reindex'],
    ]);
  });

  it('are evaluated when a task ended before it was awaited', async () => {
    publish(1, 'FINISHED');
    await service.follow('base', 1);
    expect(evaluations).toHaveLength(1);
  });

  it('are not evaluated when all documents were cancelled', async () => {
    await service.follow('base', 1);
    publish(1, 'CANCELLED');
    expect(evaluations).toEqual([]);
  });

  it('are skipped when there are none; other errors are logged', async () => {
    for (const error of [new ParleyError('conflict', 'no questions'), new Error('the database is away')]) {
      outcome = error;
      await service.follow('base', 1);
      publish(1, 'FINISHED');
      await expect.poll(() => evaluations.length).toBeGreaterThan(0);
    }
    await expect.poll(() => errors).toMatchObject([{ error: { message: 'the database is away' } }]);
    expect(evaluations).toHaveLength(2);
  });
});
