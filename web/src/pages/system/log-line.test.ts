import { expect, test } from 'vitest';
import { logLine } from './log-line.ts';

test('a line is taken apart', () => {
  expect(logLine('[11-21 21:10:57.123] bots.ts (12) - [WARNING] : it said - [ERROR] : no', 3)).toEqual({
    number: 3,
    timestamp: '11-21 21:10:57.123',
    place: 'bots.ts (12)',
    level: 'WARNING',
    message: 'it said - [ERROR] : no',
  });
});

test('a line in another format is unchanged', () => {
  expect(logLine('something else', 0)).toEqual({
    number: 0,
    timestamp: '',
    place: '',
    level: 'INFO',
    message: 'something else',
  });
});
