import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lineCount, literalSpreads, longFunctions, usesBeforeDefinition, wordLines, words } from './style-measures.ts';

/*
 * Counts what the house style does without, as one JSON object:
 *
 *   node scripts/count-style.ts [--revision <commit>] [--list <measure or word>]
 *
 * `--list` prints the places of one count instead, such as `--list long_functions`.
 */

/** A file by its path from the root, with forward slashes. */
export interface TextFile {
  path: string;
  content: string;
}

/** A measure: which files it reads, and on which lines it finds something; line 0 is the path itself. */
interface Measure {
  reads(path: string): boolean;
  lines(path: string, content: string): number[];
}

const isCode = (path: string) => /\.(tsx?|mts|m?js)$/.test(path) && !path.endsWith('.d.ts');
const isTest = (path: string) => /^server\/test\/|\/testing\/|\.test\.tsx?$/.test(path);

/** Texts of our own in English, but for what is past, what is made by tools, and the list of the words itself. */
const holdsOurWords = (path: string) =>
  !/^(docs\/decisions\/|CHANGELOG\.md$|package-lock\.json$|web\/src\/locales\/(?!en\/)[^/]+\/|scripts\/style-measures\.)/.test(
    path,
  );

const wordMeasures = words.map((word): [string, Measure] => [
  word,
  { reads: holdsOurWords, lines: (path, content) => wordLines(word, `${path}\n${content}`).map((line) => line - 1) },
]);

const syntaxMeasures: [string, Measure][] = [
  ['literal_spreads', { reads: isCode, lines: literalSpreads }],
  [
    'long_functions',
    {
      reads: (path) => isCode(path) && !isTest(path) && !/^(web|server\/src\/http\/routes)\//.test(path),
      lines: longFunctions,
    },
  ],
  [
    'uses_before_definition',
    {
      reads: (path) => isCode(path) && !isTest(path) && /^server\/src\/(service\.ts$|assembly\/)/.test(path),
      lines: usesBeforeDefinition,
    },
  ],
];

const sourceFolders = ['server/src', 'web/src', 'sdk/src'];
const isSource = (path: string) => isCode(path) && !isTest(path) && !path.startsWith('web/src/locales/');

/** Every count, by its name. */
export function styleCounts(files: readonly TextFile[]) {
  const count = (measure: Measure) => placesOf(measure, files).length;
  const counts = (measures: [string, Measure][]) =>
    Object.fromEntries(measures.map(([name, measure]) => [name, count(measure)]));
  const wordCounts = counts(wordMeasures);
  const linesBelow = (folder: string) =>
    files
      .filter(({ path }) => path.startsWith(`${folder}/`) && isSource(path))
      .reduce((sum, { content }) => sum + lineCount(content), 0);
  return {
    words: { ...wordCounts, total: Object.values(wordCounts).reduce((sum, each) => sum + each, 0) },
    ...counts(syntaxMeasures),
    source_lines: Object.fromEntries(sourceFolders.map((folder) => [folder, linesBelow(folder)])),
  };
}

/** Where a measure or word is found: `path:line: text`. @throws RangeError for a name that is not counted */
export function stylePlaces(name: string, files: readonly TextFile[]): string[] {
  const measures = new Map([...wordMeasures, ...syntaxMeasures]);
  const measure = measures.get(name);
  if (measure === undefined) throw new RangeError(`"${name}" is none of ${[...measures.keys()].join(', ')}`);
  return placesOf(measure, files);
}

function placesOf({ reads, lines }: Measure, files: readonly TextFile[]): string[] {
  return files
    .filter(({ path }) => reads(path))
    .flatMap(({ path, content }) =>
      lines(path, content).map((line) => `${path}:${line}: ${(content.split('\n')[line - 1] ?? path).trim()}`),
    );
}

/** The text files that git knows in a checkout, as they are on disk. */
export function checkedOutFiles(root: string): TextFile[] {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  return textFiles(root, [...new Set(names)]);
}

/** The text files of a revision. @throws when there is no such revision */
export function filesOfRevision(root: string, revision: string): TextFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-style-'));
  try {
    const archive = join(folder, 'tree.tar');
    const tree = join(folder, 'tree');
    execFileSync('git', ['archive', '--prefix', 'tree/', '--output', archive, revision], { cwd: root });
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    const names = readdirSync(tree, { recursive: true, encoding: 'utf8' }).sort();
    return textFiles(
      tree,
      names.map((name) => name.split(sep).join('/')),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textFiles(root: string, names: string[]): TextFile[] {
  return names
    .filter((name) => name !== '' && existsSync(join(root, name)) && statSync(join(root, name)).isFile())
    .map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }))
    .filter(({ content }) => !content.includes('\0'));
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { revision: { type: 'string' }, list: { type: 'string' } } });
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = values.revision === undefined ? checkedOutFiles(root) : filesOfRevision(root, values.revision);
  if (values.list === undefined) console.log(JSON.stringify(styleCounts(files), null, 2));
  else for (const place of stylePlaces(values.list, files)) console.log(place);
}
