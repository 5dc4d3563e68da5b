import { silentLogger } from '@parley/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { addHours, hourOf } from './hours.ts';
import { createRollupKeeper, sumUp } from './rollup-keeper.ts';
import type { RollupStore } from './rollup-store.ts';

const start = '2026-03-01T22:00:00.000Z';
const at = (hours: number) => addHours(start, hours);

/** A ledger of timestamps, and its rollups. */
function store(timestamps: string[]) {
  const sums = new Map<string, number>();
  const marks = new Set<string>();
  let until: string | null = null;
  const counted: string[][] = [];
  const rollups: RollupStore = {
    until: async () => until,
    firstTimestamp: async (from) => timestamps.toSorted().find((timestamp) => timestamp >= (from ?? '')) ?? null,
    markedHours: async (before) => [...marks].filter((hour) => hour < before).slice(0, 1),
    count: async (hours) => {
      counted.push([...hours]);
      const rollups = hours
        .map((start) => ({ start, received: timestamps.filter((timestamp) => hourOf(timestamp) === start).length }))
        .filter(({ received }) => received > 0)
        .map((row) => ({ ...row, bot_uuid: '', pipeline_uuid: '', model_name: '' }));
      return { rollups, marks: hours.filter((hour) => marks.has(hour)).map((hour) => ({ id: 1, hour })) };
    },
    replace: async (hour, rollups, seen, next) => {
      sums.delete(hour);
      for (const { received } of rollups) sums.set(hour, received ?? 0);
      for (const mark of seen) marks.delete(mark.hour);
      until = next;
    },
    setUntil: async (hour) => {
      until = hour;
    },
  };
  return { rollups, sums, marks, counted, until: () => until };
}

describe('the keeper of sums', () => {
  it('sums up hours that are over for long enough', async () => {
    const ledger = store([at(0), at(0), at(3), at(5)]);
    await sumUp(ledger.rollups, Date.parse(at(5)) + 14 * 60_000);
    expect([...ledger.sums]).toEqual([
      [at(0), 2],
      [at(3), 1],
    ]);
    expect(ledger.until()).toBe(at(4));
    await sumUp(ledger.rollups, Date.parse(at(6)) + 15 * 60_000);
    expect(ledger.sums.get(at(5))).toBe(1);
    expect(ledger.until()).toBe(at(6));
  });

  it('skips times without messages', async () => {
    const ledger = store([at(0), at(1000)]);
    await sumUp(ledger.rollups, Date.parse(at(2000)));
    expect(ledger.counted.flat().length).toBeLessThan(60);
    expect([ledger.sums.size, ledger.until()]).toEqual([2, at(1999)]);
  });

  it('does nothing while the ledger is empty', async () => {
    const ledger = store([]);
    await sumUp(ledger.rollups, Date.parse(at(100)));
    expect([ledger.counted, ledger.until()]).toEqual([[], null]);
  });

  it('recomputes marked hours', async () => {
    const timestamps = [at(0), at(1)];
    const ledger = store(timestamps);
    await sumUp(ledger.rollups, Date.parse(at(10)));
    timestamps.push(at(0));
    ledger.marks.add(at(0));
    // One of the present waits for its time.
    ledger.marks.add(at(11));
    await sumUp(ledger.rollups, Date.parse(at(11)));
    expect(ledger.sums.get(at(0))).toBe(2);
    expect([...ledger.marks]).toEqual([at(11)]);
  });

  it('goes back with the clock', async () => {
    const ledger = store([at(0), at(8)]);
    await sumUp(ledger.rollups, Date.parse(at(10)));
    await sumUp(ledger.rollups, Date.parse(at(5)));
    expect(ledger.until()).toBe(at(4));
    await sumUp(ledger.rollups, Date.parse(at(10)));
    expect([ledger.until(), ledger.sums.get(at(8))]).toEqual([at(9), 1]);
  });

  it('looks again and again, whatever fails, until it is stopped', async () => {
    const ledger = store([at(0)]);
    const error = vi.fn();
    let looks = 0;
    const keeper = createRollupKeeper(
      {
        ...ledger.rollups,
        until: async () => {
          looks += 1;
          if (looks === 1) throw new Error('no connection');
          return ledger.rollups.until();
        },
      },
      { logger: { ...silentLogger, error }, interval: 1 },
    );
    keeper.start();
    await expect.poll(() => ledger.sums.size).toBe(1);
    await keeper.stop();
    const before = looks;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(looks).toBe(before);
    expect(error).toHaveBeenCalledTimes(1);
    keeper.start();
    expect(looks).toBe(before);
  });
});
