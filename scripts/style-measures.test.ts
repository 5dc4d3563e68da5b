import { expect, it } from 'vitest';
import { lineCount, literalSpreads, longFunctions, usesBeforeDefinition, wordLines } from './style-measures.ts';

it.each([
  ['moment', 'A moment.', [1]],
  ['moment', 'const lastMoment = moments();\n\nMOMENT_KEPT', [1, 1, 3]],
  ['moment', 'two moments\nof one momentMoment', [1, 2, 2]],
  ['kept', 'kept-rows.ts and HTTPKept', [1, 1]],
  ['kept', 'skeptical', []],
  ['is told', 'who is told, isTold and is_told', [1, 1, 1]],
  ['is told', '// what the sender is\n// told of it\n/* is\n * told */', [1, 3]],
  ['is told', 'this told; is untold', []],
  ['put down', 'put-down\noutputDown', [1]],
])('finds "%s" in %j', (word, content, lines) => {
  expect(wordLines(word, content)).toEqual(lines);
});

it('finds spreads of object literals, and no other', () => {
  const content = `const one = { ...base, ...(given ? { a } : {}) };
const two = { a, ...{ b } };
const three = { ...[{ b }] };
const four = ({
  ...({ c } as Part), ...{},
});`;
  expect(literalSpreads('one.ts', content)).toEqual([2, 5, 5]);
  expect(literalSpreads('one.tsx', 'const form = (\n  <Form {...props} {...{ a }} />\n);')).toEqual([2]);
  expect(literalSpreads('one.ts', "// ...{ a }\nconst text = '...{ a }';")).toEqual([]);
});

it.each([
  ['function build() {', '}'],
  ['export const build = async () => {', '};'],
  ['export class Builder { constructor() {', '} }'],
  ['export const builder = { build() {', '} };'],
])('finds a function of more than 100 lines: %s', (begin, end) => {
  const ofLines = (count: number) => `\n${[begin, ...Array(count - 2).fill('  call();'), end].join('\n')}\n`;
  expect(longFunctions('build.ts', ofLines(100))).toEqual([]);
  expect(longFunctions('build.ts', ofLines(101))).toEqual([2]);
});

it('finds variables that closures use above their declaration', () => {
  const content = `import { start } from './start.ts';
export function build() {
  const queue = start(() => builder.wake(), later, () => ({ builder }));
  const { builder, other: renamed } = start(queue);
  const type = (value: typeof last) => value;
  const shadowed = start((last: number) => last, { last: 1 }, queue.last);
  renamed(shadowed, type, () => later);
  const last = queue;
}
function later() {
  return limit;
}
const limit = 1;`;
  expect(usesBeforeDefinition('build.ts', content)).toEqual([3, 3, 11]);
});

it('counts lines, with or without a last line break', () => {
  expect(['a', 'a\n', 'a\n\nb\n'].map(lineCount)).toEqual([1, 1, 3]);
});
