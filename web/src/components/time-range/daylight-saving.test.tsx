import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { english } from '../../../testing/texts.ts';
import { closedWindowOf, localTimestamp, type RangeSearch, windowBefore } from './time-range.ts';
import { TimeRangeSelect } from './time-range-select.tsx';

const texts = english.timeRange;
const hour = 3_600_000;

/** Both changes of a year, with the minute before and after each. Lord Howe moves by half an hour, Santiago at midnight. */
const changes = [
  ['America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08T01:59'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00'],
  ['America/New_York', '2026-11-01T05:59:00.000Z', '2026-11-01T01:59'],
  ['America/New_York', '2026-11-01T07:00:00.000Z', '2026-11-01T02:00'],
  ['Europe/Berlin', '2026-03-29T00:59:00.000Z', '2026-03-29T01:59'],
  ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29T03:00'],
  ['Europe/Berlin', '2026-10-25T00:59:00.000Z', '2026-10-25T02:59'],
  ['Europe/Berlin', '2026-10-25T02:00:00.000Z', '2026-10-25T03:00'],
  ['Australia/Lord_Howe', '2026-04-04T14:59:00.000Z', '2026-04-05T01:59'],
  ['Australia/Lord_Howe', '2026-04-04T15:30:00.000Z', '2026-04-05T02:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:00.000Z', '2026-10-04T01:59'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', '2026-10-04T02:30'],
  ['America/Santiago', '2026-09-06T03:59:00.000Z', '2026-09-05T23:59'],
  ['America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-06T01:00'],
  ['America/Santiago', '2026-04-05T02:59:00.000Z', '2026-04-04T23:59'],
  ['America/Santiago', '2026-04-05T04:00:00.000Z', '2026-04-05T00:00'],
  ['Asia/Kolkata', '2026-03-08T06:59:00.000Z', '2026-03-08T12:29'],
  ['Pacific/Kiritimati', '2026-11-01T10:00:00.000Z', '2026-11-02T00:00'],
] as const;

/** Hours that the clocks show twice: the timestamp of each time, and what they show. */
const repeated = [
  ['America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z', '2026-11-01T01:30'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30'],
  ['Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z', '2026-04-05T01:45'],
  ['America/Santiago', '2026-04-05T02:30:00.000Z', '2026-04-05T03:30:00.000Z', '2026-04-04T23:30'],
] as const;

/** What the clocks never show, and the timestamp that stands for it: as long after the change as it was meant. */
const skipped = [
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z', '2026-03-08T03:30'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z', '2026-03-29T03:30'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z', '2026-10-04T02:45'],
  ['America/Santiago', '2026-09-06T00:30', '2026-09-06T04:30:00.000Z', '2026-09-06T01:30'],
] as const;

function select(zone: string, value: RangeSearch) {
  vi.stubEnv('TZ', zone);
  const onChange = vi.fn();
  render(<TimeRangeSelect value={value} onChange={onChange} />);
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  return {
    onChange,
    field,
    /** Types a whole value and leaves the field. */
    enter: (label: string, typed: string) => {
      fireEvent.change(field(label), { target: { value: typed } });
      fireEvent.blur(field(label));
    },
    choose: (range: string) => userEvent.selectOptions(screen.getByLabelText(texts.label), range),
  };
}

describe('a custom range', () => {
  it.each(changes)('in %s shows %s as %s, and reads it back', (zone, timestamp, local) => {
    const { field, enter, onChange } = select(zone, { range: 'own', from: '2020-01-01T00:00:00.000Z', to: timestamp });
    expect(field(texts.to).value).toBe(local);
    enter(texts.from, local);
    expect(onChange).toHaveBeenCalledWith({ range: 'own', from: timestamp, to: timestamp });
  });

  it.each(repeated)(
    'in %s shows %s and %s both as %s, and changes neither by looking',
    (zone, first, second, local) => {
      const { field, onChange } = select(zone, { range: 'own', from: first, to: second });
      for (const label of [texts.from, texts.to]) {
        expect(field(label).value).toBe(local);
        fireEvent.focus(field(label));
        fireEvent.blur(field(label));
      }
      expect(onChange).not.toHaveBeenCalled();
    },
  );

  it.each(skipped)('in %s takes %s, which is no time there, for %s, and shows %s', (zone, typed, timestamp, local) => {
    const { enter, onChange } = select(zone, { range: 'own', to: '2026-12-01T00:00:00.000Z' });
    enter(texts.from, typed);
    expect(onChange).toHaveBeenCalledWith({ range: 'own', from: timestamp, to: '2026-12-01T00:00:00.000Z' });
    expect(localTimestamp(timestamp)).toBe(local);
  });

  it('keeps its seconds when nothing was typed', () => {
    const { field, onChange } = select('Europe/Berlin', { range: 'own', from: '2026-03-29T01:00:42.123Z' });
    fireEvent.blur(field(texts.from));
    expect(onChange).not.toHaveBeenCalled();
  });

  it('is open at an end that is cleared', () => {
    const from = '2026-03-29T01:00:00.000Z';
    const { enter, onChange } = select('Europe/Berlin', { range: 'own', from, to: '2026-04-01T00:00:00.000Z' });
    enter(texts.to, '');
    expect(onChange).toHaveBeenCalledWith({ range: 'own', from, to: undefined });
  });

  it.each(['America/New_York', 'Europe/Berlin', 'Asia/Kolkata'])('in %s begins with the range before', async (zone) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-29T12:00:00.000Z') });
    const { choose, onChange } = select(zone, { range: '24h' });
    await choose('own');
    const [from, to] = ['2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z'];
    expect(onChange).toHaveBeenCalledWith({ range: 'own', from, to });
  });

  it('is gone with its ends when another is chosen', async () => {
    const { choose, onChange } = select('UTC', { range: 'own', from: '2026-03-29T01:00:00.000Z' });
    await choose('7d');
    expect(onChange).toHaveBeenCalledWith({ range: '7d', from: undefined, to: undefined });
  });
});

describe.each(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago'])('in %s', (zone) => {
  it('ranges that end now have their full length over both changes', () => {
    vi.stubEnv('TZ', zone);
    for (const [, timestamp] of changes) {
      const now = Date.parse(timestamp) + 6 * hour;
      for (const [range, hours] of [
        ['24h', 24],
        ['7d', 168],
        ['30d', 720],
      ] as const) {
        const window = closedWindowOf({ range }, now);
        expect(Date.parse(window.to) - Date.parse(window.from)).toBe(hours * hour);
        const before = windowBefore(window);
        expect(Date.parse(before.to) - Date.parse(before.from)).toBe(hours * hour - 1);
        expect(Date.parse(before.to)).toBe(Date.parse(window.from) - 1);
      }
    }
  });
});
