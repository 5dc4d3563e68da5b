import { expect, it } from 'vitest';
import { withoutVastGaps } from './blank-lines.ts';

const thousand = '\n'.repeat(1000);

it.each<[string, string, string]>([
  ['nothing', '', ''],
  ['a text', 'a\n\n  b\n', 'a\n\n  b\n'],
  ['a thousand blank lines', `a\n${thousand}b`, `a\n${thousand}b`],
  ['more', `a\n${thousand}\n \n\u3000\t\nb`, `a\n${thousand}b`],
  ['several gaps', `a\n${thousand}\n\nb\n${thousand}\nc`, `a\n${thousand}b\n${thousand}c`],
  ['a gap in front', `${thousand}\n  a`, `${thousand}  a`],
  ['a gap behind', `a\n${thousand}\n\n`, `a\n${thousand}`],
  ['an end without a line break', `a\n${thousand}\n  `, `a\n${thousand}`],
])('keeps the visible text of %s', (_, text, expected) => {
  expect(withoutVastGaps(text)).toBe(expected);
});

it('uses the given check for blank lines', () => {
  const text = `a\n${'x\n'.repeat(1500)}b`;
  expect(withoutVastGaps(text)).toBe(text);
  expect(withoutVastGaps(text, (line) => line === 'x\n')).toBe(`a\n${'x\n'.repeat(1000)}b`);
});
