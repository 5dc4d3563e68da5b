import { expect, it } from 'vitest';
import { cronTimes } from './cron-times.ts';

const berlin = (cron: string) => ({ cron, time_zone: 'Europe/Berlin' });
const at = (text: string) => Date.parse(text);
const text = (time: number | null) => time && new Date(time).toISOString();

function times(rule: { cron: string; time_zone: string }, handled: string, now: string) {
  const { due, missed, next } = cronTimes(rule, at(handled), at(now));
  return { due: text(due), missed: text(missed), next: text(next) };
}

/** Every time that a schedule is run for while a clock goes on by a step of seconds. */
function runs(rule: { cron: string; time_zone: string }, from: string, until: string, seconds: number): string[] {
  const found: string[] = [];
  let handled = at(from);
  for (let now = at(from); now <= at(until); now += seconds * 1000) {
    const { due, missed } = cronTimes(rule, handled, now);
    if (due !== null) found.push(new Date(due).toISOString());
    if (due !== null || missed !== null) handled = now;
  }
  return found;
}

it('a time is due once it has come, until it was handled', () => {
  const rule = berlin('0 9 * * 1-5');
  const [before, time, next] = ['2026-11-27T07:59:59.999Z', '2026-11-27T08:00:00.000Z', '2026-11-30T08:00:00.000Z'];
  expect(times(rule, '2026-11-26T08:00:00.500Z', before)).toEqual({ due: null, missed: null, next: time });
  expect(times(rule, '2026-11-26T08:00:00.500Z', time)).toEqual({ due: time, missed: null, next });
  expect(times(rule, time, time)).toEqual({ due: null, missed: null, next });
});

it('of several times within the last hour, the latest is due', () => {
  expect(times(berlin('*/10 * * * *'), '2026-11-27T08:05:00.000Z', '2026-11-27T08:35:00.000Z')).toEqual({
    due: '2026-11-27T08:30:00.000Z',
    missed: null,
    next: '2026-11-27T08:40:00.000Z',
  });
});

it.each([
  ['an hour', '2026-11-27T09:00:00.000Z', '2026-11-27T08:00:00.000Z', null],
  ['more than an hour', '2026-11-27T09:00:00.001Z', null, '2026-11-27T08:00:00.000Z'],
  ['a year', '2027-11-27T09:00:00.000Z', '2027-11-27T08:00:00.000Z', '2026-11-27T08:00:00.000Z'],
])('a time that was missed by %s', (_, now, due, missed) => {
  expect(times(berlin('0 9 * * *'), '2026-11-27T07:00:00.000Z', now)).toMatchObject({ due, missed });
});

it('a time that was handled is not due again when the clock is put back', () => {
  const handled = '2026-11-27T08:00:00.300Z';
  expect(times(berlin('0 9 * * *'), handled, '2026-11-27T07:30:00.000Z')).toEqual({
    due: null,
    missed: null,
    next: '2026-11-28T08:00:00.000Z',
  });
});

it('a clock that was more than a day ahead does not hold a schedule up', () => {
  expect(times(berlin('0 9 * * *'), '2036-11-27T08:00:00.300Z', '2026-11-27T08:30:00.000Z').next).toBe(
    '2026-11-28T08:00:00.000Z',
  );
});

it.each([
  // 02:30 occurs twice, and the list of hours has it as well.
  ['30 2 * * *', '2026-10-24T22:00:00Z', ['2026-10-25T00:30:00.000Z']],
  ['30 2,4 * * *', '2026-10-24T22:00:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-25T03:30:00.000Z']],
  // 02:30 is left out.
  ['30 2 * * *', '2027-03-27T22:00:00Z', ['2027-03-28T01:00:00.000Z']],
])('%s in the night of %s, when clocks change, runs once', (cron, from, expected) => {
  const until = new Date(at(from) + 6 * 3_600_000).toISOString();
  expect(runs(berlin(cron), from, until, 20)).toEqual(expected);
});

it.each(['Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu'])(
  'intervals keep to their distance in %s, when clocks change as well',
  (time_zone) => {
    for (const from of ['2026-10-24T22:00:00.000Z', '2027-03-28T00:00:00.000Z', '2026-10-03T12:00:00.000Z']) {
      const until = new Date(at(from) + 6 * 3_600_000).toISOString();
      const found = runs({ cron: '*/15 * * * *', time_zone }, from, until, 45);
      expect(found).toEqual(Array.from(found, (_, index) => new Date(at(from) + (index + 1) * 900_000).toISOString()));
      expect(found).toHaveLength(24);
    }
  },
);
