import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accessDocs, accessDocsFile } from './write-access-docs.ts';

test('docs/access.md lists the routes with what they ask; `npm run docs` writes it anew', async () => {
  expect(readFileSync(accessDocsFile, 'utf8')).toBe(await accessDocs());
});
