import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const glossary = readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8');

/** The names in the column "In code", in order, without repetitions. */
function namesInCode(page: string): string[] {
  const cells = [...page.matchAll(/^\| \*\*.*?\|.*?\|(.*?)\|.*\|$/gm)].map(([, cell = '']) => cell);
  return [...new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))];
}

/** Files and folders contain a slash; relative ones are in the repository or in `server/src`. */
const isPath = (name: string) => name.includes('/');
const names = namesInCode(glossary);
const sources = globSync('{sdk,client,server,web}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules') || path.endsWith('.test.ts') || path.includes('/dist'),
})
  .filter((path) => !path.startsWith('server/test/'))
  .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
  .join('\n');
const withoutComments = sources.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
const identifiers = new Set(withoutComments.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));

describe('docs/glossary.md', () => {
  it('names files and identifiers', () => {
    expect(names.filter(isPath).length).toBeGreaterThan(10);
    expect(names.filter((name) => !isPath(name)).length).toBeGreaterThan(40);
  });

  it.each(names.filter(isPath))('`%s` exists', (path) => {
    expect(globSync(`{,server/src/}${path}`, { cwd: root })).not.toEqual([]);
  });

  it.each(names.filter((name) => !isPath(name)))('`%s` is an identifier of the code', (name) => {
    for (const part of name.split('.')) expect(identifiers).toContain(part);
  });
});

it('finds the names of the column "In code" only', () => {
  const page =
    '| Term | Meaning | In code | On the wire |\n| **a** | `b` | `C`, `d/e` | `f` |\n| **g** | h | | `i` |\n';
  expect(namesInCode(page)).toEqual(['C', 'd/e']);
});
