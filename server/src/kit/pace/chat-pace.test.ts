import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatPace, type Pace } from './chat-pace.ts';

const person: Pace = { intervalMs: 1000, burst: 5 };
const group: Pace = { intervalMs: 4000, burst: 5 };
const single: Pace = { intervalMs: 1000, burst: 1 };
const never = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** When each of some messages to a chat may be sent, milliseconds from now. */
async function turns(pace: ChatPace, limits: Pace, count: number, chat = 'one'): Promise<number[]> {
  const begun = performance.now();
  const timestamps: number[] = [];
  const waits = Array.from({ length: count }, async () => {
    await pace.waitTurn(chat, limits, never);
    timestamps.push(Math.round(performance.now() - begun));
  });
  await vi.runAllTimersAsync();
  await Promise.all(waits);
  return timestamps;
}

describe('messages that are sent into one chat', () => {
  it('are sent at once at first, then one per second', async () => {
    expect(await turns(new ChatPace(), person, 8)).toEqual([0, 0, 0, 0, 0, 1000, 2000, 3000]);
  });

  it('are 20 in any minute in a group', async () => {
    const timestamps = await turns(new ChatPace(), group, 60);
    for (const timestamp of timestamps) {
      expect(timestamps.filter((other) => other >= timestamp && other < timestamp + 60_000).length).toBeLessThanOrEqual(
        20,
      );
    }
    expect(timestamps.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 4000, 8000]);
  });

  it('may come in a burst again after a calm', async () => {
    const pace = new ChatPace();
    await turns(pace, person, 6);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await turns(pace, person, 4)).toEqual([0, 0, 1000, 2000]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await turns(pace, person, 5)).toEqual([0, 0, 0, 0, 0]);
  });

  it('do not hold back those into another', async () => {
    const pace = new ChatPace();
    await turns(pace, person, 20);
    expect(await turns(pace, person, 1, 'other')).toEqual([0]);
  });

  it('do not wait on when the signal comes', async () => {
    const pace = new ChatPace();
    const abort = new AbortController();
    await pace.waitTurn('one', single, abort.signal);
    const waiting = expect(pace.waitTurn('one', single, abort.signal)).rejects.toThrow('over');
    abort.abort(new Error('over'));
    await waiting;
    await expect(pace.waitTurn('one', single, abort.signal)).rejects.toThrow('over');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keep their pace whatever the clock shows', async () => {
    const pace = new ChatPace();
    await turns(pace, single, 1);
    vi.setSystemTime(Date.now() + 86_400_000);
    const timestamps = await turns(pace, single, 1);
    expect(timestamps[0]).toBeGreaterThan(0);
  });
});
