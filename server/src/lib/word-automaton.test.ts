import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WordAutomaton } from './word-automaton.ts';

/** The automaton's result after each code unit: the longest word that ends there, and how much may continue. */
async function read(words: string[], text: string): Promise<[ending: number, open: number][]> {
  const automaton = await WordAutomaton.of(words);
  let state = 0;
  return text.split('').map((unit) => {
    state = automaton.step(state, unit.charCodeAt(0));
    return [automaton.ending(state), automaton.open(state)];
  });
}

/** The same, found by trying everything. */
function tried(words: string[], text: string): [ending: number, open: number][] {
  return text.split('').map((_, index) => {
    const before = text.slice(0, index + 1);
    const endings = words.filter((word) => before.endsWith(word)).map(({ length }) => length);
    const prefixes = words.flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 1) }, (_, end) => word.slice(0, end + 1)),
    );
    const open = prefixes.filter((prefix) => before.endsWith(prefix)).map(({ length }) => length);
    return [Math.max(0, ...endings), Math.max(0, ...open)];
  });
}

it('finds words that are prefixes, parts and overlaps of one another', async () => {
  expect(await read(['he', 'she', 'hers'], 'ushers')).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
    [3, 2],
    [0, 3],
    [4, 1],
  ]);
});

it('finds what trying everything finds', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '中', '😀'), maxLength: 30 });
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '中', '😀'), maxLength: 5 }), { maxLength: 8 });
  const property = fc.asyncProperty(words, text, async (list, long) => {
    expect(await read(list, long)).toEqual(tried(list, long));
  });
  await fc.assert(property);
});

it('finds nothing without words', async () => {
  expect(await read([], 'abc')).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(await read([''], 'a')).toEqual([[0, 0]]);
});

it('takes time linear in the text, however many words there are and however they repeat', async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `${'a'.repeat(100)}${index}`);
  const automaton = await WordAutomaton.of(words);
  const text = 'a'.repeat(1_000_000);
  const started = performance.now();
  let state = 0;
  for (let index = 0; index < text.length; index += 1) state = automaton.step(state, text.charCodeAt(index));
  expect(automaton.open(state)).toBe(100);
  // Trying each word at each place would take hours.
  expect(performance.now() - started).toBeLessThan(5000);
});
