import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChatQuota } from './chat-quota.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const windows = [
  { messages: 3, periodMs: 1000 },
  { messages: 5, periodMs: 10_000 },
];

it('allows what fits into each period', () => {
  const quota = new ChatQuota(windows);
  for (let message = 0; message < 3; message += 1) {
    expect(quota.delayOf('a')).toBe(0);
    quota.count('a');
    vi.advanceTimersByTime(100);
  }
  expect(quota.delayOf('a')).toBe(700);
  expect(quota.delayOf('b')).toBe(0);
  vi.advanceTimersByTime(700);
  expect(quota.delayOf('a')).toBe(0);
  quota.count('a');
  quota.count('a');
  vi.advanceTimersByTime(1000);
  // Five in ten seconds.
  expect(quota.delayOf('a')).toBe(8000);
});

it('leaves a reserve', () => {
  const quota = new ChatQuota(windows);
  quota.count('a');
  expect(quota.delayOf('a', 1)).toBe(0);
  expect(quota.delayOf('a', 2)).toBe(1000);
  quota.count('a');
  expect(quota.delayOf('a', 1)).toBe(1000);
  expect(quota.delayOf('a')).toBe(0);
});

it('forgets chats without recent messages once there are many', () => {
  const quota = new ChatQuota(windows);
  for (let chat = 0; chat < 2000; chat += 1) quota.count(`chat ${chat}`);
  vi.advanceTimersByTime(10_000);
  quota.count('a');
  for (let message = 0; message < 3; message += 1) quota.count('a');
  expect(quota.delayOf('a')).toBe(1000);
  expect(quota.delayOf('chat 1')).toBe(0);
});

it('does not count what was not sent', () => {
  const quota = new ChatQuota(windows);
  const undo = [1, 2, 3].map(() => quota.count('a'));
  expect(quota.delayOf('a')).toBe(1000);
  for (const one of undo) one();
  expect(quota.delayOf('a', 2)).toBe(0);
});
