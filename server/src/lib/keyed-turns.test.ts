import { expect, it } from 'vitest';
import { KeyedTurns } from './keyed-turns.ts';

it('runs work of one key in order, and of others meanwhile', async () => {
  const turns = new KeyedTurns();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = [
    turns.run('a', async () => {
      await first.promise;
      order.push('a1');
    }),
    turns.run('a', async () => order.push('a2')),
    turns.run('b', async () => {
      order.push('b');
      first.resolve();
    }),
  ];
  await Promise.all(work);
  expect(order).toEqual(['b', 'a1', 'a2']);
});

it('goes on after a failure', async () => {
  const turns = new KeyedTurns();
  const failed = turns.run('a', () => Promise.reject(new Error('no')));
  const next = turns.run('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
