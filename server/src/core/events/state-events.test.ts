import { describe, expect, it } from 'vitest';
import { type StateEvent, StateEvents } from './state-events.ts';

const publish = (events: StateEvents, ...numbers: number[]) => {
  for (const number of numbers) events.publish({ type: 'task', data: { number } });
};
const numbers = (events: StateEvent[] | null) => events?.map(({ data }) => data.number) ?? null;
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('watching changes of state', () => {
  it('notifies every watcher of each change, in order, until it stops watching', () => {
    const events = new StateEvents();
    const [one, other]: [StateEvent[], StateEvent[]] = [[], []];
    const endOne = events.watch((event) => one.push(event));
    events.watch((event) => other.push(event));
    publish(events, 1, 2);
    endOne();
    publish(events, 3);
    expect([numbers(one), numbers(other)]).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
    expect(other[0]).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      type: 'task',
      data: { number: 1 },
    });
    expect(new Set(other.map(({ id }) => id)).size).toBe(3);
  });

  it('notifies of what is watched, and knows what that is', () => {
    const events = new StateEvents();
    const types: string[] = [];
    const end = events.watch(({ type }) => void types.push(type), ['task', 'resync']);
    expect([events.isWatched('task'), events.isWatched('message')]).toEqual([true, false]);
    events.publish({ type: 'message', data: {} });
    events.missed();
    events.publish({ type: 'task', data: {} });
    expect(types).toEqual(['resync', 'task']);
    const endAll = events.watch(() => undefined);
    expect(events.isWatched('message')).toBe(true);
    endAll();
    end();
    expect([events.isWatched('task'), events.isWatched('message')]).toEqual([false, false]);
  });

  it('lets a watcher stop while it is notified', () => {
    const events = new StateEvents();
    const seen: StateEvent[] = [];
    const end = events.watch((event) => {
      seen.push(event);
      end();
    });
    publish(events, 1, 2);
    expect(numbers(seen)).toEqual([1]);
  });
});

describe('going on after an event', () => {
  it('returns the events after it, up to the limit', () => {
    const events = new StateEvents();
    const start = events.latestId;
    expect(events.since(start)).toEqual([]);
    publish(events, 1, 2, 3);
    expect(numbers(events.since(start))).toEqual([1, 2, 3]);
    expect(numbers(events.since(start, 2))).toEqual([1, 2]);
    const [first] = events.since(start, 1) ?? [];
    expect(numbers(events.since(first?.id ?? ''))).toEqual([2, 3]);
    expect(numbers(events.since(first?.id ?? '', 1))).toEqual([2]);
    expect(events.since(events.latestId)).toEqual([]);
  });

  it('stores ten thousand and reports when older ones are gone', () => {
    const events = new StateEvents();
    const start = events.latestId;
    publish(events, ...count(1, 10_000));
    const middle = events.latestId;
    publish(events, ...count(10_001, 19_999));
    expect(numbers(events.since(middle))).toEqual(count(10_001, 19_999));
    // With the next, the older half goes.
    publish(events, 20_000);
    expect(events.since(start)).toBeNull();
    expect(numbers(events.since(middle))).toEqual(count(10_001, 20_000));
    expect(numbers(events.since(middle, 3))).toEqual([10_001, 10_002, 10_003]);
    publish(events, 20_001);
    expect(numbers(events.since(middle, 1))).toEqual([10_001]);
  });

  it('is null for an event of another run', () => {
    const [events, other] = [new StateEvents(), new StateEvents()];
    publish(events, 1);
    publish(other, 1);
    const run = events.latestId.slice(0, events.latestId.lastIndexOf('-'));
    for (const id of [
      '',
      '-',
      'x',
      '1',
      other.latestId,
      `${run}-2`,
      `${run}-0.5`,
      `${run}-x`,
      `${run}--1`,
      `-${run}-1`,
    ]) {
      expect(events.since(id), id).toBeNull();
    }
  });
});
