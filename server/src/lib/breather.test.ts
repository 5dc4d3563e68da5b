import { expect, it } from 'vitest';
import { Breather } from './breather.ts';

it('lets others work while many steps are taken', async () => {
  const breather = new Breather();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const end = performance.now() + 200;
  while (performance.now() < end) await breather.breathe();
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});

it('continues immediately after a short time', async () => {
  const breather = new Breather();
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  await breather.breathe();
  expect(turns).toBe(0);
});
