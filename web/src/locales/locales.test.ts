import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
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

describe('the code of the console', () => {
  const files = globSync('**/*.tsx', { cwd: source });

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

  it('asks only for texts that there are', () => {
    const known = new Set(textsOf(english).map(([path]) => path.replace(/_(zero|one|two|few|many|other)$/, '')));
    const asked = globSync('**/*.{ts,tsx}', { cwd: source })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(join(source, file), 'utf8').matchAll(/\bt\(\s*'([\w.]+)'/g)])
      .map(([, key]) => key as string);
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((key) => !known.has(key))).toEqual([]);
  });
});
