import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { first } from './en/first.ts';
import { english } from './en/index.ts';
import { japanese } from './ja/index.ts';
import { chinese } from './zh-hans/index.ts';

const source = join(import.meta.dirname, '..');

type Tree = { [key: string]: string | Tree };

/** Texts by their paths: `common.save`. */
function textsOf(tree: Tree, path = ''): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : textsOf(value, `${path}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe.each([
  ['Chinese', chinese],
  ['Japanese', japanese],
])('the texts in %s', (_, dictionary) => {
  const texts = new Map(textsOf(dictionary as unknown as Tree));

  it('are all there, and no others', () => {
    expect([...texts.keys()].sort()).toEqual([...new Map(textsOf(english)).keys()].sort());
  });

  it('say something, with the same values in them', () => {
    for (const [path, text] of textsOf(english)) {
      const other = texts.get(path) ?? '';
      expect(other.trim(), path).not.toBe('');
      expect(placeholders(other), path).toEqual(placeholders(text));
    }
  });
});

/** Words that people would read and no dictionary has: between elements, and in attributes that are read out. */
function wordsIn(path: string, content: string): string[] {
  const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const read = new Set([
    'aria-label',
    'title',
    'placeholder',
    'alt',
    'label',
    'aria-roledescription',
    'text',
    'introduction',
  ]);
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && read.has(node.name.getText()) && node.initializer !== undefined) {
      if (ts.isStringLiteral(node.initializer) && /\p{L}/u.test(node.initializer.text))
        found.push(node.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const textPaths = (tree: Tree) =>
  new Set(textsOf(tree).map(([path]) => path.replace(/_(zero|one|two|few|many|other)$/, '')));
const askedIn = (content: string) => [...content.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, key]) => key as string);
/** Beginnings of keys whose ends are known only when they are asked for. */
const groupsIn = (content: string) =>
  [...content.matchAll(/`([a-z]\w+\.(?:\w+\.)*)\$\{/g)].map(([, key]) => key as string);

/**
 * Modules of the console that are loaded when these are, at once or later, with their contents. What lists of routes
 * load is not among them: those are other pages.
 */
function modulesFrom(...paths: string[]): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    const content = readFileSync(path, 'utf8');
    found.set(path, content);
    for (const [, dynamic, other] of content.matchAll(/(?:from |import |(import\())'(\.[^']+\.tsx?)'/g)) {
      if (dynamic === undefined || !path.endsWith('routes.ts')) visit(join(path, '..', other as string));
    }
  };
  for (const path of paths) visit(join(source, path));
  return found;
}

describe('the code of the console', () => {
  const files = globSync('**/*.tsx', { cwd: source, exclude: ['**/*.test.tsx'] });

  it('has no words of its own', () => {
    expect(files.length).toBeGreaterThan(20);
    const words = files.flatMap((file) =>
      wordsIn(file, readFileSync(join(source, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    // The name of the product is the same in every language.
    expect(words.filter((line) => !line.endsWith(': Parley'))).toEqual([]);
  });

  it('would be found out', () => {
    expect(wordsIn('page.tsx', '<p title="Hello">There {name}</p>')).toEqual(['Hello', 'There']);
    expect(wordsIn('page.tsx', '<p title={t("hello")}>{t("there")} · 1</p>')).toEqual([]);
  });

  it('asks for no more than the first texts where only those are loaded', () => {
    const loaded = modulesFrom('main.tsx', 'components/shell/console-shell.tsx', 'pages/dashboard/dashboard-page.tsx');
    expect(loaded.size).toBeGreaterThan(50);
    const known = textPaths(first);
    const asked = [...loaded].flatMap(([path, content]) => askedIn(content).map((key) => `${key} in ${path}`));
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((one) => !known.has(one.split(' ')[0] as string))).toEqual([]);
    const groups = [...loaded].flatMap(([path, content]) => groupsIn(content).map((key) => `${key} in ${path}`));
    expect(groups.length).toBeGreaterThan(5);
    const keys = [...known];
    const missing = groups.filter((one) => !keys.some((key) => key.startsWith(one.split(' ')[0] as string)));
    // Until the other texts are there, such an error has the general text, or that of the server.
    expect(missing.filter((one) => !/^(problems|fieldRules|reasons)\. in .*error-text\.ts$/.test(one))).toEqual([]);
  });

  it('asks only for texts that there are', () => {
    const known = textPaths(english);
    const asked = globSync('**/*.{ts,tsx}', { cwd: source })
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .flatMap((file) => askedIn(readFileSync(join(source, file), 'utf8')));
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((key) => !known.has(key))).toEqual([]);
  });
});
