import { expect, it } from 'vitest';
import { TaskLog } from './task-log.ts';

it('writes lines as programs of the reference system read them', () => {
  const log = new TaskLog();
  log.add('Parsing file', 'page 1');
  log.add('default', 'done');
  expect(log.text).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \| Parsing file \| page 1\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \| default \| done\n$/,
  );
});

it('is empty at first', () => {
  expect(new TaskLog().text).toBe('');
});

it('keeps the latest 200 lines', () => {
  const log = new TaskLog();
  for (let index = 1; index <= 1000; index += 1) log.add('count', `line ${index}.`);
  const lines = log.text.trimEnd().split('\n');
  expect(lines).toHaveLength(200);
  expect(lines[0]).toMatch(/line 801\.$/);
  expect(lines.at(-1)).toMatch(/line 1000\.$/);
});

it('makes one line of a message, and no endless one', () => {
  const log = new TaskLog();
  log.add('a\nb', 'c\r\n2026-01-01 00:00:00 | forged | d\u2028e\0f');
  expect(log.text.trimEnd().split('\n')).toHaveLength(1);
  expect(log.text).toMatch(/ \| a b \| c 2026-01-01 00:00:00 \| forged \| d e f\n$/);
  log.add('a', 'x'.repeat(1_000_000));
  expect(log.text.length).toBeLessThan(2000);
});
