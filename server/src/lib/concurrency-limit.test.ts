import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

describe('turns', () => {
  it.each([
    [1, 1],
    [3, 3],
    [0, 1],
    [100, 10],
  ])('with a limit of %d, %d of ten go on at once, in their order', async (limit, most) => {
    const turns = new ConcurrencyLimit(limit);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 10 }, (_, index) =>
      turns.run(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => ends.push(resolve));
        return index;
      }),
    );
    for (let ended = 0; ended < 10; ended += 1) {
      await expect.poll(() => begun.length).toBe(Math.min(10, most + ended));
      ends[ended]?.();
    }
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('goes on when one fails', async () => {
    const turns = new ConcurrencyLimit(1);
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const throwing = turns.run(() => {
      throw new Error('at once');
    });
    const last = turns.run(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    await expect(throwing).rejects.toThrow('at once');
    expect(await last).toBe('yes');
    expect(await turns.run(async () => 'again')).toBe('again');
  });
});
