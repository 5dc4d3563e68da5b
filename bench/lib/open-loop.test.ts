import { expect, it } from 'vitest';
import { openLoop } from './open-loop.ts';

it('counts from when something was due, though it began late', async () => {
  const dues: number[] = [];
  const begun: number[] = [];
  const count = await openLoop({ rate: 100, seconds: 0.1 }, (index, due) => {
    dues.push(due);
    // Longer than the others are apart: they begin late and are due as before.
    if (index === 0) for (const until = performance.now() + 45; performance.now() < until; );
    begun.push(performance.now());
  });
  expect(count).toBe(10);
  const steps = dues.slice(1).map((due, index) => due - (dues[index] as number));
  for (const step of steps) expect(step).toBeCloseTo(10, 6);
  expect((begun[1] as number) - (dues[1] as number)).toBeGreaterThan(30);
});

it('ends on abort', async () => {
  const end = new AbortController();
  const count = await openLoop({ rate: 1000, seconds: 3600, signal: end.signal }, (index) => {
    if (index === 5) end.abort();
  });
  expect(count).toBeLessThan(100);
});
