import { expect, it } from 'vitest';
import { RecentLogs } from './recent-logs.ts';

const entry = (over: object = {}) =>
  `${JSON.stringify({ level: 'warn', time: '2026-11-21T12:34:56.789Z', source: 'bot-runtime.ts:72', msg: 'said', ...over })}\n`;

function filled(count: number): RecentLogs {
  const logs = new RecentLogs();
  for (let number = 1; number <= count; number += 1) logs.write(entry({ msg: `line ${number}` }));
  return logs;
}

const numbers = (text: string) => [...text.matchAll(/line (\d+)\n/g)].map(([, number]) => Number(number));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

it('shows time, source, level and message', () => {
  const logs = new RecentLogs();
  logs.write(entry({ bot: 'b', error: { type: 'TypeError', message: 'no', stack: 'at x' }, count: 2, list: [1] }));
  expect(logs.read(0, 0).logs).toBe(
    '[11-21 12:34:56.789] bot-runtime.ts (72) - [WARNING] : said bot=b error=TypeError: no count=2 list=[1]\n',
  );
});

it.each([
  ['info', 'INFO'],
  ['error', 'ERROR'],
  ['fatal', 'CRITICAL'],
  ['trace', 'DEBUG'],
])('calls the level %s by the name that readers of such lines know', (level, name) => {
  const logs = new RecentLogs();
  logs.write(entry({ level }));
  expect(logs.read(0, 0).logs).toContain(` - [${name}] : `);
});

it('is empty at first', () => {
  expect(new RecentLogs().read(0, 0)).toEqual({ logs: '', end_page_number: 0, end_offset: 0 });
  expect(new RecentLogs().read(7, 3)).toEqual({ logs: '', end_page_number: 0, end_offset: 0 });
});

it('keeps one line for one entry, whatever the entry holds', () => {
  const logs = new RecentLogs();
  logs.write(entry({ msg: '\u001b[31mred\u001b[0m\nforged [INFO]\r\u2028\u0007\tend' }));
  const { logs: text } = logs.read(0, 0);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toContain('red\\nforged [INFO]\\u000d\\u2028\\u0007 end\n');
  logs.write(entry({ msg: 'x'.repeat(1_000_000) }));
  expect(logs.read(0, 1).logs.length).toBeLessThanOrEqual(4001);
});

it('gives each line once to who passes the end back', () => {
  const logs = new RecentLogs();
  let place = { end_page_number: 0, end_offset: 0 };
  let read = '';
  let written = 0;
  for (const step of [0, 1, 5, 14, 1, 20, 0, 41, 3]) {
    for (let count = 0; count < step; count += 1) {
      written += 1;
      logs.write(entry({ msg: `line ${written}` }));
    }
    const { logs: text, ...end } = logs.read(place.end_page_number, place.end_offset);
    read += text;
    place = end;
  }
  expect(numbers(read)).toEqual(range(1, 85));
  expect(place).toEqual({ end_page_number: 4, end_offset: 5 });
});

it.each([
  [19, { end_page_number: 0, end_offset: 19 }],
  [20, { end_page_number: 0, end_offset: 20 }],
  [21, { end_page_number: 1, end_offset: 1 }],
])('ends on the page of the last of %i lines', (count, end) => {
  expect(filled(count).read(0, 0)).toMatchObject(end);
});

it('drops whole pages, and starts with the oldest line for a dropped cursor', () => {
  const logs = filled(1000);
  expect(numbers(logs.read(0, 0).logs)).toEqual(range(801, 1000));
  expect(numbers(logs.read(49, 18).logs)).toEqual([999, 1000]);
  logs.write(entry({ msg: 'line 1001' }));
  expect(numbers(logs.read(3, 7).logs)).toEqual(range(821, 1001));
  expect(logs.read(3, 7)).toMatchObject({ end_page_number: 50, end_offset: 1 });
});

it('starts over for a cursor of a process that logged more', () => {
  expect(numbers(filled(30).read(40, 2).logs)).toEqual(range(1, 30));
});

it('takes an offset beyond a page as its end', () => {
  expect(numbers(filled(45).read(0, 500).logs)).toEqual(range(21, 45));
});
