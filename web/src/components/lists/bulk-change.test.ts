import { expect, it } from 'vitest';
import { changeMany } from './bulk-change.ts';

it('goes on until there is nothing left, and adds up what happened', async () => {
  const failure = { id: 'c', name: 'C', reason: 'in_use', message: 'bots use it' };
  const answers = [
    { matched: 2, changed: ['a', 'b'], failures: [], next: 'b' },
    { matched: 2, changed: ['d'], failures: [failure], next: null },
  ];
  const requests: unknown[] = [];
  const progress: number[] = [];
  const outcome = await changeMany<string, object>(
    { matching: { state: 'error' } },
    async (request) => {
      requests.push(request);
      return answers[requests.length - 1] as (typeof answers)[0];
    },
    (done) => progress.push(done),
  );
  expect(requests).toEqual([{ matching: { state: 'error' } }, { matching: { state: 'error' }, after: 'b' }]);
  expect(outcome).toEqual({ changed: ['a', 'b', 'd'], failures: [failure], error: null });
  expect(progress).toEqual([2, 4]);
});

it('names no more ids at once than a request takes', async () => {
  const sizes: number[] = [];
  const ids = Array.from({ length: 1201 }, (_, index) => index);
  await changeMany<number, object>(
    { ids },
    async (request) => {
      const named = 'ids' in request ? request.ids : [];
      sizes.push(named.length);
      return { matched: named.length, changed: named, failures: [], next: null };
    },
    () => undefined,
  );
  expect(sizes).toEqual([500, 500, 201]);
});

it('tells what was done before a request failed', async () => {
  const fault = new Error('the server stops');
  let requests = 0;
  const outcome = await changeMany<string, object>(
    { matching: {} },
    async () => {
      requests += 1;
      if (requests === 2) throw fault;
      return { matched: 1, changed: ['a'], failures: [], next: 'a' };
    },
    () => undefined,
  );
  expect(outcome).toEqual({ changed: ['a'], failures: [], error: fault });
});
