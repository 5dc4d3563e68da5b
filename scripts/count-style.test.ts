import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkedOutFiles, filesOfRevision, styleCounts, stylePlaces, type TextFile } from './count-style.ts';
import { words } from './style-measures.ts';

const [word] = words;
const longFunction = `function long() {\n${'  call();\n'.repeat(100)}}\n`;
const spread = 'const merged = { ...base, ...{ a } };\n';

const files: TextFile[] = [
  { path: 'README.md', content: `Title\n\nFor ${word}.\n` },
  { path: 'docs/decisions/one.md', content: word },
  { path: 'CHANGELOG.md', content: word },
  { path: 'package-lock.json', content: word },
  { path: 'scripts/style-measures.ts', content: word },
  { path: `web/src/${word}.ts`, content: `export {};\n\nexport const by_${word} = 1;\n` },
  { path: 'web/src/locales/en/chat.ts', content: word },
  { path: 'web/src/locales/ja/chat.ts', content: word },
  { path: 'web/src/locales/texts.ts', content: word },
  { path: 'web/src/form.tsx', content: longFunction },
  { path: 'server/src/http/routes/bots/routes.ts', content: longFunction },
  { path: 'server/src/service.ts', content: `${longFunction}const wake = () => queue;\nconst queue = 1;\n` },
  { path: 'server/src/core/queue.ts', content: 'const wake = () => queue;\nconst queue = 1;\n' },
  { path: 'server/src/core/queue.test.ts', content: longFunction + spread },
  { path: 'sdk/testing/contract.ts', content: longFunction },
  { path: 'sdk/src/merge.ts', content: spread },
];

it('counts everything where it matters', () => {
  const { words: wordCounts, ...others } = styleCounts(files);
  expect(wordCounts).toMatchObject({ [word]: 5, total: 5 });
  expect(Object.keys(wordCounts)).toEqual([...words, 'total']);
  expect(others).toEqual({
    literal_spreads: 2,
    long_functions: 1,
    uses_before_definition: 1,
    source_lines: { 'server/src': 102 + 104 + 2, 'web/src': 3 + 102, 'sdk/src': 1 },
  });
});

it('lists the places of a word or another measure', () => {
  expect(stylePlaces(word, files)).toEqual([
    `README.md:3: For ${word}.`,
    `web/src/${word}.ts:0: web/src/${word}.ts`,
    `web/src/${word}.ts:3: export const by_${word} = 1;`,
    `web/src/locales/en/chat.ts:1: ${word}`,
    `web/src/locales/texts.ts:1: ${word}`,
  ]);
  expect(stylePlaces('uses_before_definition', files)).toEqual([
    'server/src/service.ts:103: const wake = () => queue;',
  ]);
  expect(stylePlaces('literal_spreads', files)).toHaveLength(2);
  expect(() => stylePlaces('constructor', files)).toThrow(RangeError);
  expect(() => stylePlaces('nothing', files)).toThrow('"nothing" is none of');
});

it('reads the text files of a checkout and of a revision', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-count-style-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  git('init', '--quiet');
  write('README.md', 'old\n');
  write('docs/images/größe 1.md', 'pictures\n');
  write('docs/images/form.png', 'PNG\0');
  git('add', '.');
  git(...author, 'commit', '--quiet', '--message', 'first');
  write('README.md', 'new\n');
  write('untracked.md', 'x');
  const pictures = { path: 'docs/images/größe 1.md', content: 'pictures\n' };
  expect(checkedOutFiles(folder)).toEqual([{ path: 'README.md', content: 'new\n' }, pictures]);
  rmSync(join(folder, 'README.md'));
  expect(checkedOutFiles(folder)).toEqual([pictures]);
  expect(filesOfRevision(folder, 'HEAD')).toEqual([{ path: 'README.md', content: 'old\n' }, pictures]);
  expect(() => filesOfRevision(folder, 'nothing')).toThrow();
});
