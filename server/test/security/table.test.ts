import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = import.meta.dirname;
const page = readFileSync(fileURLToPath(new URL('../../../SECURITY.md', import.meta.url)), 'utf8');
const section = page.split('## Classes of published vulnerabilities')[1]?.split('\n## ')[0] ?? '';
const rows = [...section.matchAll(/^\| (.*) \| (.*) \| (.*) \|$/gm)].slice(1);
const named = rows.flatMap(([, , , tests = '']) => [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));

it('every class of advisories names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const [line, , , tests] of rows) expect(tests, line).toMatch(/`[\w/-]+\.test\.ts`/);
  expect(named.filter((name) => !existsSync(join(folder, name.includes('/') ? '..' : '', name)))).toEqual([]);
});

it('every security test belongs to a class', () => {
  const tests = readdirSync(folder).filter(
    (name) => name.endsWith('.test.ts') && name !== basename(import.meta.filename),
  );
  expect(tests.filter((name) => !named.includes(name))).toEqual([]);
});
