import { readFileSync } from 'node:fs';
import { errorReasons, fieldRules, hints, knownProblems, outcomeReasons } from '@parley/sdk';
import { expect, test } from 'vitest';
import { errorDocs, errorDocsFile } from './write-error-docs.ts';

test('docs/errors.md matches the reasons and statuses; `npm run docs` updates it', () => {
  expect(readFileSync(errorDocsFile, 'utf8')).toBe(errorDocs());
});

const rows = errorDocs()
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
const named = (reasons: object) => Object.keys(reasons).map((reason) => `\`${reason}\``);

test('every reason of an error has its row with a status and a meaning', () => {
  const errors = rows.filter(([, status = '', meaning]) => meaning !== undefined && /^\d/.test(status));
  expect(errors.map(([reason]) => reason).sort()).toEqual(named(errorReasons).sort());
  for (const [reason, status = '', meaning] of errors) {
    expect(Number(status), reason).toBeGreaterThanOrEqual(400);
    expect(meaning, reason).toMatch(/\.$/);
  }
});

test('every problem has its row with its reason and a meaning', () => {
  const problems = rows.filter(([, reason = '', meaning]) => meaning !== undefined && reason.startsWith('`'));
  expect(problems.map(([code, reason]) => [code, reason])).toEqual(
    Object.entries(knownProblems).map(([code, { reason }]) => [`\`${code}\``, `\`${reason}\``]),
  );
  for (const [code, , meaning] of problems) expect(meaning, code).toMatch(/\.$/);
});

test('every outcome, hint and rule has its row with a meaning', () => {
  const outcomes = rows.filter((cells) => cells.length === 2);
  expect(outcomes.map(([reason]) => reason).sort()).toEqual(
    [...named(outcomeReasons), ...named(hints), ...named(fieldRules)].sort(),
  );
  for (const [reason, meaning] of outcomes) expect(meaning, reason).toMatch(/\.$/);
});
