import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

describe('turns', () => {
  it.each([
    [1, 1],
    [3, 3],
    [0, 1],
    [100, 10],
  ])('with a limit of %d, %d of ten run concurrently, in order', async (limit, most) => {
    const turns = new ConcurrencyLimit(limit);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 10 }, (_, index) =>
      turns.run(async () => {
        started.push(index);
        await new Promise<void>((resolve) => ends.push(resolve));
        return index;
      }),
    );
    for (let ended = 0; ended < 10; ended += 1) {
      await expect.poll(() => started.length).toBe(Math.min(10, most + ended));
      ends[ended]?.();
    }
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('continues when one fails', async () => {
    const turns = new ConcurrencyLimit(1);
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const throwing = turns.run(() => {
      throw new Error('immediately');
    });
    const last = turns.run(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    await expect(throwing).rejects.toThrow('immediately');
    expect(await last).toBe('yes');
    expect(await turns.run(async () => 'again')).toBe('again');
  });
});
