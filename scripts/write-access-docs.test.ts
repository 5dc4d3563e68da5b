import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accessDocs, accessDocsFile } from './write-access-docs.ts';

test('docs/access.md matches the routes; `npm run docs` updates it', async () => {
  expect(readFileSync(accessDocsFile, 'utf8')).toBe(await accessDocs());
});
