import { describe, expect, test } from 'vitest';
import { StartPace } from './start-pace.ts';

const second = 1000;
const minute = 60 * second;

describe('the pace of starts', () => {
  test('waits twice as long after each crash, up to 5 minutes', () => {
    const pace = new StartPace();
    let time = 0;
    const waits = Array.from({ length: 11 }, () => {
      // Less than a minute, and too long for five crashes in one.
      time += 30 * second;
      pace.crashed(time, 30 * second);
      const wait = pace.waitMs(time);
      time += wait;
      return wait / second;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(pace.isPaused(time)).toBe(false);
  });

  test('begins again after a process has run for a minute', () => {
    const pace = new StartPace();
    for (let crash = 0; crash < 4; crash += 1) pace.crashed(0, 0);
    pace.crashed(2 * minute, minute);
    expect([pace.waitMs(2 * minute), pace.waitMs(2 * minute + 500), pace.isPaused(2 * minute)]).toEqual([
      second,
      500,
      false,
    ]);
  });

  test('pauses after five crashes within a minute, and then makes one attempt', () => {
    const pace = new StartPace();
    for (let crash = 1; crash <= 4; crash += 1) {
      pace.crashed(crash * second, second);
      expect(pace.isPaused(crash * second)).toBe(false);
    }
    pace.crashed(5 * second, second);
    expect([pace.isPaused(5 * second), pace.waitMs(5 * second)]).toEqual([true, 5 * minute]);
    const after = 5 * second + 5 * minute;
    expect([pace.isPaused(after), pace.waitMs(after)]).toEqual([false, 0]);
    pace.crashed(after, second);
    expect([pace.isPaused(after), pace.waitMs(after)]).toEqual([true, 5 * minute]);
    // An attempt that succeeds ends it.
    const later = after + 10 * minute;
    pace.crashed(later, 5 * minute);
    expect([pace.isPaused(later), pace.waitMs(later)]).toEqual([false, second]);
  });
});
