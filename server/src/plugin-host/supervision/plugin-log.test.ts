import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PluginLog } from './plugin-log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

describe('the log of a plugin', () => {
  test('keeps the latest 1,000 lines, and counts those above 200 a second', () => {
    const log = new PluginLog();
    for (let second = 0; second < 6; second += 1) {
      for (let line = 0; line < 1000; line += 1) log.add('info', `${second} ${line}`);
      vi.advanceTimersByTime(1000);
    }
    expect(log.lines).toHaveLength(1000);
    expect(log.lines.slice(-201).map(({ level, text }) => `${level} ${text}`)).toEqual([
      ...Array.from({ length: 200 }, (_, line) => `info 5 ${line}`),
      'warn 800 more lines within a second were dropped',
    ]);
  });

  test('cuts long lines', () => {
    const log = new PluginLog();
    log.add('error', 'x'.repeat(20_000));
    const read = log.reader();
    read(Buffer.from('y'.repeat(9000)));
    read(Buffer.from('y'.repeat(9000)));
    read(Buffer.from('\n'));
    expect(log.lines.map(({ text }) => [text[0], text.length])).toEqual([
      ['x', 10_000],
      ['y', 10_000],
    ]);
  });

  test('takes lines from chunks that end anywhere', () => {
    const log = new PluginLog();
    const read = log.reader();
    for (const byte of Buffer.from('on a line: 好\r\n\nnext\nrest')) read(Buffer.of(byte));
    expect(log.lines.map(({ text }) => text)).toEqual(['on a line: 好', 'next']);
  });
});
