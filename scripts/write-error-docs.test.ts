import { readFileSync } from 'node:fs';
import { reasons } from '@parley/sdk';
import { expect, test } from 'vitest';
import { errorDocs, errorDocsFile } from './write-error-docs.ts';

test('docs/errors.md matches the reasons and statuses; `npm run docs` updates it', () => {
  expect(readFileSync(errorDocsFile, 'utf8')).toBe(errorDocs());
});

test('every reason has its row with a status and a meaning', () => {
  const rows = errorDocs()
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.map((cells) => cells[1]).sort()).toEqual(
    Object.keys(reasons)
      .map((reason) => `\`${reason}\``)
      .sort(),
  );
  for (const [, reason, status = '', meaning] of rows) {
    expect(Number(status), reason).toBeGreaterThanOrEqual(400);
    expect(meaning, reason).toMatch(/\.$/);
  }
});
