import { afterEach, expect, it, vi } from 'vitest';
import { forgetOldMessages } from './message-retention.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('deletes messages past their retention time', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-08T10:00:00.000Z') });
  const removeBefore = vi.fn(async () => 3);
  expect(await forgetOldMessages({ removeBefore }, 7, 500)).toBe(3);
  expect(removeBefore.mock.calls).toEqual([['2026-03-01T10:00:00.000Z', 500]]);
});

it('deletes nothing without a retention time', async () => {
  const removeBefore = vi.fn(async () => 3);
  expect(await forgetOldMessages({ removeBefore }, 0, 500)).toBe(0);
  expect(removeBefore).not.toHaveBeenCalled();
});
