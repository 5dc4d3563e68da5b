import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StatisticsService } from './statistics-service.ts';
import type { StatisticsStore } from './statistics-store.ts';

const minute = 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A ledger of the timestamps of received messages, which records the ranges that were read. */
function ledger(received: number[]) {
  const ranges: [from: number, until: number][] = [];
  const active: number[] = [];
  const store: StatisticsStore = {
    count: async (activeSince) => {
      active.push(activeSince);
      return { active_session_count: 1, conversation_count: 2 };
    },
    received: async (from, until) => {
      ranges.push([from, until]);
      return received.filter((timestamp) => timestamp >= from && timestamp < until).length;
    },
  };
  return { store, ranges, active };
}

it('counts what was received since the start, each message once', async () => {
  const received = [start - 1, start, start + 1];
  const statistics = new StatisticsService(ledger(received).store);
  const count = async () => (await statistics.read()).query_count;
  expect(await count()).toBe(2);
  for (const passed of [0.5, 1, 1.5, 10, 10.5]) {
    vi.setSystemTime(start + passed * minute);
    received.push(Date.now());
    expect(await count()).toBe(received.length - 1);
    expect(await Promise.all([count(), count(), count()])).toEqual(Array(3).fill(received.length - 1));
  }
  // One that was stored a while after it was given its id.
  received.push(Date.now() - minute / 2);
  expect(await count()).toBe(received.length - 1);
});

it('does not look through the same messages again', async () => {
  const { store, ranges, active } = ledger([]);
  const statistics = new StatisticsService(store);
  vi.setSystemTime(start + 60 * minute);
  await statistics.read();
  vi.setSystemTime(start + 61 * minute);
  await statistics.read();
  expect(ranges).toEqual([
    [start, start + 59 * minute],
    [start + 59 * minute, Number.MAX_SAFE_INTEGER],
    [start + 59 * minute, start + 60 * minute],
    [start + 60 * minute, Number.MAX_SAFE_INTEGER],
  ]);
  expect(active).toEqual([start + 30 * minute, start + 31 * minute]);
});
