import { afterEach, expect, it, vi } from 'vitest';
import { forgetOldMessages } from './message-retention.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('forgets what is older than the days that messages are kept', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-08T10:00:00.000Z') });
  const removeBefore = vi.fn(async () => 3);
  expect(await forgetOldMessages({ removeBefore }, 7, 500)).toBe(3);
  expect(removeBefore.mock.calls).toEqual([['2026-03-01T10:00:00.000Z', 500]]);
});

it('forgets nothing when messages are kept for ever', async () => {
  const removeBefore = vi.fn(async () => 3);
  expect(await forgetOldMessages({ removeBefore }, 0, 500)).toBe(0);
  expect(removeBefore).not.toHaveBeenCalled();
});
