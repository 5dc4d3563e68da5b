import { silentLogger } from '@parley/sdk/testing';
import { expect, it } from 'vitest';
import { newCollection } from '../../../test/stores/knowledge-records.ts';
import type { TaskContext } from '../tasks/task-run.ts';
import { CollectionBuilder, type CollectionBuilderOptions } from './collection-builder.ts';
import type { CollectionState, StoredCollection } from './knowledge-base.ts';

/** A builder whose collection another replica settles. */
async function built() {
  const collection = newCollection({ state: 'building' });
  let own: StoredCollection[] = [collection];
  let stored: StoredCollection | null = collection;
  const ended = Promise.withResolvers<unknown>();
  const context = { task_id: 7, signal: new AbortController().signal, setAction: () => {}, setMetadata: () => {} };
  // As far as a builder uses them.
  const options = {
    collections: { built: async () => own, byId: async () => stored, change: async () => true },
    documents: { progress: async () => ({ done: 0, total: 1 }) },
    bases: { byUuid: async () => null },
    engines: { open: async () => ({}) },
    tasks: {
      start: async (_: unknown, run: (context: TaskContext) => Promise<unknown>) => {
        run(context as unknown as TaskContext).then(ended.resolve, ended.reject);
        return { id: 7 };
      },
    },
    judge: () => null,
    running: [],
    changed: () => {},
    cancel: () => {},
    logger: silentLogger,
  } as unknown as CollectionBuilderOptions;
  const builder = new CollectionBuilder(options);
  expect(await builder.begin(collection)).toBe(7);
  builder.start();
  return {
    builder,
    ended: ended.promise,
    settle: (state: CollectionState | null) => {
      own = [];
      stored = state === null ? null : { ...collection, state, error: 'no vectors' };
      builder.wake();
    },
  };
}

it.each([
  ['active', { state: 'active' }],
  ['failed', 'no vectors'],
  ['dropping', 'cancelled'],
  [null, 'cancelled'],
  ['building', 'the knowledge base is being rebuilt by another replica'],
] as const)('ends its task when another replica has left the collection %s', async (state, end) => {
  const { builder, ended, settle } = await built();
  settle(state);
  const outcome = ended.catch((error: Error) => error.message);
  if (typeof end === 'string') expect(await outcome).toContain(end);
  else expect(await outcome).toMatchObject(end);
  await builder.stop();
});
