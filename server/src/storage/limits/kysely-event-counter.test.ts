import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { pruneEventCounts } from '../../core/limits/event-counter.ts';
import { KyselyEventCounter } from './kysely-event-counter.ts';

const minute = 60_000;

describeOnEachEngine('the counter of events', (storage) => {
  const counter = () => new KyselyEventCounter(storage().database);
  const keys = async () => {
    const rows = await storage().database.selectFrom('event_counts').select('key').orderBy('key').execute();
    return rows.map(({ key }) => key);
  };

  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts up to the limit and no further', async () => {
    const counts: number[] = [];
    for (const event of ['a', 'b', 'c', 'd']) counts.push(await counter().countEvent('key', minute, 2, event));
    expect(counts).toEqual([1, 2, 3, 3]);
    // The refused ones were not counted: with a higher limit there is room.
    expect(await counter().countEvent('key', minute, 3, 'e')).toBe(3);
    expect(await counter().countEvent('key', minute, 0, 'f')).toBe(1);
  });

  it('restarts with the next window, and separates keys', async () => {
    expect(await counter().countEvent('one', minute, 1, 'a')).toBe(1);
    expect(await counter().countEvent('two', minute, 1, 'b')).toBe(1);
    expect(await counter().countEvent('one', minute, 1, 'c')).toBe(2);
    expect(await counter().countEvent('one', 2 * minute, 1, 'c')).toBe(1);
    expect(await keys()).toEqual(['one', 'two']);
  });

  it('counts in the later window when clocks do not agree', async () => {
    expect(await counter().countEvent('key', 2 * minute, 2, 'a')).toBe(1);
    expect(await counter().countEvent('key', minute, 2, 'b')).toBe(2);
    expect(await counter().countEvent('key', 2 * minute, 2, 'c')).toBe(3);
  });

  it('counts an event once, however often it is met', async () => {
    expect(await counter().countEvent('key', minute, 2, 'a')).toBe(1);
    expect(await counter().countEvent('key', minute, 2, 'a')).toBe(1);
    expect(await counter().countEvent('key', minute, 2, 'b')).toBe(2);
    // It was let through once; that the limit is reached or lowered, or the window over, does not matter any more.
    expect(await counter().countEvent('key', minute, 2, 'a')).toBe(2);
    expect(await counter().countEvent('key', minute, 1, 'a')).toBe(1);
    expect(await counter().countEvent('key', 2 * minute, 2, 'b')).toBeLessThanOrEqual(2);
    expect(await counter().countEvent('key', minute, 2, 'c')).toBe(3);
  });

  it('does not confuse an event with one whose name contains it', async () => {
    expect(await counter().countEvent('key', minute, 9, 'abc')).toBe(1);
    expect(await counter().countEvent('key', minute, 9, 'ab')).toBe(2);
    expect(await counter().countEvent('key', minute, 9, 'bc')).toBe(3);
    expect(await counter().countEvent('key', minute, 9, 'xabc')).toBe(4);
  });

  it('remembers a bounded number of events', async () => {
    const event = (index: number) => `${'0'.repeat(61)}${String(index).padStart(3, '0')}`;
    for (let index = 0; index < 40; index += 1) await counter().countEvent('key', minute, 1000, event(index));
    const [row] = await storage().database.selectFrom('event_counts').selectAll().execute();
    expect(row).toMatchObject({ count: 40 });
    expect(row?.events.length).toBeLessThanOrEqual(16 * 66);
    expect(await counter().countEvent('key', minute, 1000, event(39 - 15))).toBe(40);
    expect(await counter().countEvent('key', minute, 1000, event(0))).toBe(41);
  });

  it('loses none and lets none too many through when many come at once', async () => {
    const [first, second] = [counter(), counter()];
    const counts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).countEvent('key', minute, 25, `${index}`)),
    );
    const passed = counts.filter((count) => count <= 25);
    expect(passed.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect(counts.filter((count) => count === 26)).toHaveLength(35);
  });

  it('counts as a plain counter would', async () => {
    const step = fc.record({
      key: fc.constantFrom('k', 'key', "k'; drop table event_counts; --", '群_😀'),
      window: fc.integer({ min: 0, max: 3 }),
      limit: fc.integer({ min: 1, max: 3 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        run += 1;
        const expected = new Map<string, { window: number; count: number }>();
        for (const [index, { key, window, limit }] of steps.entries()) {
          const before = expected.get(key);
          const count = before === undefined || window > before.window ? 1 : before.count + 1;
          const isCounted = count === 1 || count <= limit;
          if (isCounted) expected.set(key, { window: Math.max(window, before?.window ?? 0), count });
          const found = await counter().countEvent(`${run}/${key}`, window * minute, limit, `${index}`);
          expect(found).toBe(isCounted ? count : limit + 1);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('removes windows that are over, and those of a clock that was wrong', async () => {
    const day = 86_400_000;
    const now = Date.parse('2026-05-05T12:00:00Z');
    vi.useFakeTimers({ now, toFake: ['Date'] });
    for (const [key, start] of Object.entries({ old: -3 * day, older: -9 * day, now: 0, soon: minute, far: 9 * day })) {
      await counter().countEvent(key, now + start, 5, 'a');
    }
    expect(await pruneEventCounts(counter(), 2)).toBe(2);
    expect(await pruneEventCounts(counter(), 2)).toBe(1);
    expect(await pruneEventCounts(counter(), 2)).toBe(0);
    expect(await keys()).toEqual(['now', 'soon']);
  });
});
