import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configFields, environmentName } from '../server/src/config/config.ts';
import { configurationDocs, configurationDocsFile } from './write-configuration-docs.ts';

test('docs/configuration.md matches the schema; `npm run docs` updates it', () => {
  expect(readFileSync(configurationDocsFile, 'utf8')).toBe(configurationDocs());
});

test('every setting has its row', () => {
  const rows = configurationDocs()
    .split('\n')
    .filter((line) => line.startsWith('| `PARLEY_'));
  expect(rows.map((line) => line.split('`')[1])).toEqual(configFields.map(environmentName));
});
