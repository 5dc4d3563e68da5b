import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RoutedMessage, routedPipeline } from './pipeline-routing.ts';
import type { PipelineRoutingRule } from './pipeline-routing-rule.ts';

type Conditions = Omit<PipelineRoutingRule, 'pipeline_uuid'>;
type Time = NonNullable<PipelineRoutingRule['time']>;

const person: RoutedMessage = {
  session_type: 'person',
  session_id: 'ada',
  sender_id: 'ada',
  text: 'Where is my Invoice?',
  mentionsBot: false,
};
const group: RoutedMessage = { ...person, session_type: 'group', session_id: 'g1' };
const noon = Date.parse('2026-11-18T12:00:00.000Z');

const holds = (conditions: Conditions, message = person, now = noon) =>
  routedPipeline([{ pipeline_uuid: 'p', ...conditions }], message, now) === 'p';

describe('a rule holds', () => {
  it.each<[string, Conditions, boolean, boolean]>([
    ['users', { persons: ['bob', 'ada'] }, true, true],
    ['other users', { persons: ['bob'] }, false, false],
    ['users with the id of the group', { persons: ['g1'] }, false, false],
    ['groups', { groups: ['g2', 'g1'] }, false, true],
    ['other groups', { groups: ['g2'] }, false, false],
    ['groups with the id of a user', { groups: ['ada'] }, false, false],
    ['keywords', { keywords: ['bill', 'INVOICE'] }, true, true],
    ['parts of words', { keywords: ['voi'] }, true, true],
    ['other keywords', { keywords: ['bill'] }, false, false],
    ['mentions', { mentioned: true }, false, false],
    ['no mentions', { mentioned: false }, true, true],
    ['a user in a group', { persons: ['ada'], groups: ['g1'] }, false, true],
    ['another user in a group', { persons: ['bob'], groups: ['g1'] }, false, false],
    ['everything', { persons: ['ada'], groups: ['g1'], keywords: ['my'], mentioned: false }, false, true],
  ])('for %s', (_, conditions, alone, inGroup) => {
    expect([holds(conditions), holds(conditions, group)]).toEqual([alone, inGroup]);
    const mentioned = { ...group, mentionsBot: true };
    expect(holds({ mentioned: true }, mentioned)).toBe(true);
    expect(holds({ mentioned: false }, mentioned)).toBe(false);
  });

  it.each([
    ['STRASSE', 'Die Straße ist gesperrt'],
    ['straße', 'DIE STRASSE IST GESPERRT'],
    ['ΟΔΟΣ', 'η οδος εδώ'],
    ['οδος', 'Η ΟΔΟΣΑ'],
    ['发票', '我的发票在哪里'],
  ])('for the word %s in "%s"', (keyword, text) => {
    expect(holds({ keywords: [keyword] }, { ...person, text })).toBe(true);
  });

  it('for keywords at the start of a text without end', () => {
    const text = `${'x'.repeat(19_996)}word${'x'.repeat(5_000_000)}`;
    expect(holds({ keywords: ['word'] }, { ...person, text })).toBe(true);
    expect(holds({ keywords: ['word'] }, { ...person, text: ` ${text}` })).toBe(false);
    const many = { keywords: Array.from({ length: 100 }, (_, index) => `${'x'.repeat(200)}${index}`) };
    const rules = Array.from({ length: 100 }, () => ({ pipeline_uuid: 'p', ...many }));
    const started = performance.now();
    expect(routedPipeline(rules, { ...person, text }, noon)).toBeNull();
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('the time of a rule', () => {
  const at = (time: Time, timestamp: string) => holds({ time }, person, Date.parse(timestamp));

  it.each([
    ['2026-11-18T08:59:59.999Z', false],
    ['2026-11-18T09:00:00.000Z', true],
    ['2026-11-18T16:59:59.999Z', true],
    ['2026-11-18T17:00:00.000Z', false],
  ])('is in UTC unless it says otherwise: %s', (timestamp, expected) => {
    expect(at({ from: '09:00', to: '17:00' }, timestamp)).toBe(expected);
  });

  it.each([
    ['Wednesday evening', '2026-11-18T22:00:00Z', true],
    ['the night after Wednesday', '2026-11-19T05:59:00Z', true],
    ['Thursday morning', '2026-11-19T06:00:00Z', false],
    ['Thursday evening', '2026-11-19T22:00:00Z', false],
    ['the night before Wednesday', '2026-11-18T05:59:00Z', false],
    ['Wednesday noon', '2026-11-18T12:00:00Z', false],
  ])('may cross midnight, and belongs to its start day: %s', (_, timestamp, expected) => {
    expect(at({ from: '22:00', to: '06:00', days: [3] }, timestamp)).toBe(expected);
  });

  it('may span 24 hours', () => {
    const time: Time = { from: '08:00', to: '08:00', days: [7] };
    expect(at(time, '2026-11-22T07:59:59Z')).toBe(false);
    expect(at(time, '2026-11-22T08:00:00Z')).toBe(true);
    expect(at(time, '2026-11-23T07:59:59Z')).toBe(true);
    expect(at(time, '2026-11-23T08:00:00Z')).toBe(false);
  });

  it.each([
    // It is summer time until 25 October, 03:00.
    ['2026-10-23T07:00:00Z', true],
    ['2026-10-23T06:59:00Z', false],
    ['2026-10-26T07:00:00Z', false],
    ['2026-10-26T08:00:00Z', true],
  ])('follows the clocks of its zone: %s', (timestamp, expected) => {
    expect(at({ from: '09:00', to: '17:00', days: [1, 5], time_zone: 'Europe/Berlin' }, timestamp)).toBe(expected);
  });
});

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Antarctica/Troll'];
const minute = fc.nat(24 * 60 - 1);
const asText = (value: number) =>
  `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`;
const anyTime: fc.Arbitrary<Time> = fc.record(
  {
    from: minute.map(asText),
    to: minute.map(asText),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    time_zone: fc.constantFrom(...zones),
  },
  { requiredKeys: ['from', 'to'] },
);
const anyTimestamp = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2035-01-01') });
const name = fc.constantFrom('ada', 'bob', 'g1', 'g2');
const names = fc.array(name, { minLength: 1, maxLength: 2 });
const conditionsOf = {
  persons: names,
  groups: names,
  keywords: fc.array(fc.string({ minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  mentioned: fc.boolean(),
  time: anyTime,
};
const anyRules = fc
  .array(fc.record(conditionsOf, { requiredKeys: [] }), { maxLength: 6 })
  .map((list) => list.map((conditions, index) => ({ pipeline_uuid: `p${index}`, ...conditions })));
const anyMessage: fc.Arbitrary<RoutedMessage> = fc.record({
  session_type: fc.constantFrom('person', 'group'),
  session_id: name,
  sender_id: name,
  text: fc.string({ maxLength: 20 }),
  mentionsBot: fc.boolean(),
});

/** The minute of the week, from Monday 00:00 on, that a clock in a zone shows. */
function minuteOfWeek(now: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday ?? '');
  return day * 1440 + Number(parts.hour) * 60 + Number(parts.minute);
}

describe('whatever the rules and the message', () => {
  it('the first rule that holds alone decides', () => {
    fc.assert(
      fc.property(anyRules, anyMessage, anyTimestamp, (rules, message, now) => {
        const alone = rules.filter((rule) => routedPipeline([rule], message, now) !== null);
        expect(routedPipeline(rules, message, now)).toBe(alone[0]?.pipeline_uuid ?? null);
      }),
    );
  });

  it('a rule holds exactly when each of its conditions does', () => {
    fc.assert(
      fc.property(
        fc.record(conditionsOf, { requiredKeys: [] }),
        anyMessage,
        anyTimestamp,
        (conditions, message, now) => {
          const each = Object.entries(conditions).map(([key, value]) => holds({ [key]: value }, message, now));
          expect(holds(conditions, message, now)).toBe(each.every((result) => result));
        },
      ),
    );
  });

  it('a time range matches the minutes of the week from its starts to its ends', () => {
    const week = 7 * 1440;
    let held = 0;
    fc.assert(
      fc.property(anyTime, anyTimestamp, (time, now) => {
        const { from, to, days = [1, 2, 3, 4, 5, 6, 7], time_zone = 'UTC' } = time;
        const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
        const length = minutes(to) > minutes(from) ? minutes(to) - minutes(from) : minutes(to) - minutes(from) + 1440;
        const current = minuteOfWeek(now, time_zone);
        const expected = days.some((day) => (current - ((day - 1) * 1440 + minutes(from)) + week) % week < length);
        expect(holds({ time }, person, now)).toBe(expected);
        if (expected) held += 1;
      }),
      { numRuns: 500 },
    );
    expect(held).toBeGreaterThan(50);
  });

  it('a keyword is found anywhere, ignoring case', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(
        word,
        fc.string(),
        fc.string(),
        fc.constantFrom('toLowerCase', 'toUpperCase'),
        (key, a, b, change) => {
          expect(holds({ keywords: [key] }, { ...person, text: a + key + b })).toBe(true);
          const ascii = key.replace(/[^\x20-\x7e]/g, 'x');
          expect(holds({ keywords: [ascii] }, { ...person, text: a + ascii[change]() + b })).toBe(true);
        },
      ),
    );
  });
});
