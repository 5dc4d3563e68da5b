import { describe, expect, it } from 'vitest';
import { hasGap, heldBack, mergeMessages } from './merge-messages.ts';

const message = (minute: number, state = 'answered') => ({
  uuid: `m${minute}`,
  created_at: `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`,
  state,
});
const list = (...minutes: number[]) => minutes.map((minute) => message(minute));
const uuids = (messages: { uuid: string }[]) => messages.map(({ uuid }) => uuid);

describe('the newest page and what was loaded before', () => {
  it('are one list, in which the newer state counts', () => {
    const newest = { messages: [message(5), message(4, 'failed')], next_cursor: 'more' };
    const merged = mergeMessages(newest, [message(4, 'processing'), message(3)]);
    expect(merged).toEqual([message(5), message(4, 'failed'), message(3)]);
  });

  it('leave out what is not listed any more', () => {
    expect(uuids(mergeMessages({ messages: list(6, 3), next_cursor: 'more' }, list(5, 4, 3, 2)))).toEqual([
      'm6',
      'm3',
      'm2',
    ]);
    expect(uuids(mergeMessages({ messages: list(6), next_cursor: null }, list(5, 4)))).toEqual(['m6']);
  });

  it('say nothing of what an empty page with more behind it did not look at', () => {
    expect(uuids(mergeMessages({ messages: [], next_cursor: 'more' }, list(2, 1)))).toEqual(['m2', 'm1']);
  });

  it('have a gap where they do not meet', () => {
    expect(hasGap({ messages: list(9, 8), next_cursor: 'more' }, list(5))).toBe(true);
    expect(hasGap({ messages: list(9, 5), next_cursor: 'more' }, list(5))).toBe(false);
    expect(hasGap({ messages: list(9, 8), next_cursor: null }, list(5))).toBe(false);
    expect(hasGap({ messages: list(9), next_cursor: 'more' }, [])).toBe(false);
  });
});

it('new rows are withheld while the user has scrolled down', () => {
  expect(heldBack(list(5, 4, 3), 'm4')).toEqual([list(4, 3), 1]);
  expect(heldBack(list(5, 4, 3), null)).toEqual([list(5, 4, 3), 0]);
  expect(heldBack(list(5, 4), 'gone')).toEqual([list(5, 4), 0]);
});
