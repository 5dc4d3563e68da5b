import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Pattern, Patterns, readLength } from './patterns.ts';

const { signal } = new AbortController();

async function opened(source: string, patterns = new Patterns()): Promise<Pattern> {
  const pattern = await patterns.open(source);
  if (pattern === null) throw new Error(`${source} cannot be used: ${await patterns.faultOf(source)}`);
  return pattern;
}

describe('a pattern', () => {
  it('matches at the start or anywhere', async () => {
    const pattern = await opened('b+');
    expect(pattern.begins('bba')).toBe(true);
    expect(pattern.begins('abb')).toBe(false);
    expect(pattern.occurs('abb')).toBe(true);
    expect(pattern.occurs('acc')).toBe(false);
  });

  it('is anchored with all of its alternatives', async () => {
    const pattern = await opened('a|b');
    expect(pattern.begins('b')).toBe(true);
    expect(pattern.begins('xb')).toBe(false);
    expect((await opened('(?m)^b')).begins('a\nb')).toBe(false);
  });

  it('finds its matches, none of them empty', async () => {
    expect([...(await opened('a*')).find('aabXa')]).toEqual([
      [0, 2],
      [4, 5],
    ]);
    expect([...(await opened('你')).find('😀你')]).toEqual([[2, 3]]);
  });

  it('may be written as in Python', async () => {
    expect((await opened('(?P<who>\\w+)再见')).begins('大家再见')).toBe(true);
    expect((await opened('(?i)hello')).begins('HELLO')).toBe(true);
  });

  it.each(['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?P<n>a)(?P=n)', '(a', ')', '*'])(
    '%s cannot be used, and the error explains why',
    async (source) => {
      const patterns = new Patterns();
      expect(await patterns.open(source)).toBeNull();
      expect(await patterns.faultOf(source)).toMatch(/^cannot be used as a regular expression: .+ not possible\.$/);
    },
  );

  it('that is empty matches nothing and is no error', async () => {
    const patterns = new Patterns();
    expect(await patterns.open('')).toBeNull();
    expect(await patterns.faultOf('')).toBeNull();
    expect(await patterns.search([''], '', 'occurs', signal)).toEqual({ matched: null, invalid: [] });
  });

  it('that is well formed has no fault', async () => {
    expect(await new Patterns().faultOf('(?P<a>b)|c{2,5}')).toBeNull();
  });

  it('that would become too large is refused, and so is one that nests too deeply', async () => {
    const patterns = new Patterns();
    expect(await patterns.faultOf('(?:\\pL?){1000}'.repeat(200))).toMatch(/^is too large: \d+ instructions/);
    expect(await patterns.faultOf('(a{1000}){1000}')).toMatch(/repeat count/);
    expect(await patterns.faultOf(`${'('.repeat(2040)}a${')'.repeat(2040)}`)).toMatch(/nests too deeply/);
  });

  it('that would repeat itself in its error is cut', async () => {
    const fault = await new Patterns().faultOf(`(${'a'.repeat(4000)}`);
    expect(fault?.length).toBeLessThan(400);
  });
});

describe('the work of a pattern', () => {
  // Counted, not timed, to be independent of the machine.
  it('is bounded whatever its size', () => {
    for (const size of [1, 10, 128, 129, 1000, 5000]) {
      expect(readLength(size)).toBeLessThanOrEqual(65_536);
      expect(readLength(size) * size).toBeLessThanOrEqual(2 ** 23);
      expect(readLength(size)).toBeGreaterThanOrEqual(1600);
    }
  });

  it('ends where it stops reading', async () => {
    const pattern = await opened('needle');
    const limit = readLength(pattern.size);
    expect(limit).toBe(65_536);
    expect(pattern.occurs(`${' '.repeat(limit - 6)}needle`)).toBe(true);
    expect(pattern.occurs(`${' '.repeat(limit)}needle`)).toBe(false);
    expect([...pattern.find(`needle${' '.repeat(1_000_000)}needle`)]).toEqual([[0, 6]]);
  });

  it.each([
    '(a+)+$',
    '(a|a)*[b!]$',
    '(a|aa)+$',
    '(?:.*a){20}b',
    '\\pL{1,1000}[b?]',
    '([a-z]+)*\\d',
    '[ab]*a[ab]{9}[c?]',
  ])('%s does not go back over a text of a megabyte', async (source) => {
    const pattern = await opened(source);
    const limit = readLength(pattern.size);
    const text = 'a'
      .repeat(limit - 20)
      .padEnd(limit, 'b!')
      .padEnd(1_000_000, 'c');
    // Each character is read a few times. With backtracking, it would be 2 to the power of their number.
    const read = countCharactersRead(() => [pattern.begins(text), pattern.occurs(text)]);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(10 * limit);
  });
});

/** How often the engine takes a character of a text while something runs. */
function countCharactersRead(run: () => void): number {
  const original = String.prototype.charCodeAt;
  let read = 0;
  const counting = vi.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (this: string, index) {
    read += 1;
    return original.call(this, index);
  });
  run();
  counting.mockRestore();
  return read;
}

describe('Patterns', () => {
  it('caches compiled patterns up to its capacity, and evicts the least recently used', async () => {
    const patterns = new Patterns(3 * 50);
    const first = await patterns.open('one');
    await patterns.open('two');
    await patterns.open('three');
    expect(await patterns.open('one')).toBe(first);
    const two = await patterns.open('two');
    await patterns.open('four');
    expect(await patterns.open('two')).toBe(two);
    await patterns.open('five');
    await patterns.open('six');
    await patterns.open('seven');
    expect(await patterns.open('one')).not.toBe(first);
  });

  it('forgets faults as well', async () => {
    const patterns = new Patterns(100);
    for (let index = 0; index < 20; index += 1) expect(await patterns.open(`(${index}`)).toBeNull();
    expect(await patterns.faultOf('(0')).toContain('(0');
  });

  it('uses a pattern that is larger than its capacity all the same', async () => {
    const patterns = new Patterns(10);
    expect((await patterns.open('a{500}'))?.occurs('a'.repeat(500))).toBe(true);
  });

  it('compiles a pattern once for concurrent calls', async () => {
    const patterns = new Patterns();
    const all = await Promise.all(Array.from({ length: 20 }, () => patterns.open('same')));
    expect(new Set(all).size).toBe(1);
  });

  it('searches in order and reports invalid patterns', async () => {
    const patterns = new Patterns();
    expect(await patterns.search(['x', '(?=y)', 'b', '(c', 'a'], 'ab', 'begins', signal)).toEqual({
      matched: 'a',
      invalid: ['(?=y)', '(c'],
    });
    expect(await patterns.search(['x', 'b', 'a'], 'ab', 'occurs', signal)).toEqual({ matched: 'b', invalid: [] });
    expect(await patterns.search([], 'ab', 'occurs', signal)).toEqual({ matched: null, invalid: [] });
  });

  it('yields between slow patterns, and stops when aborted', async () => {
    const patterns = new Patterns();
    const sources = Array.from({ length: 50 }, (_, index) => `${index}(?:[ab]?){500}[ce]`);
    for (const source of sources) await patterns.open(source);
    const controller = new AbortController();
    const reason = new Error('aborted');
    let turns = 0;
    const others = (async () => {
      for (turns = 0; turns < 5; turns += 1) await nextTurn();
      controller.abort(reason);
    })();
    await expect(patterns.search(sources, 'ab'.repeat(40_000), 'occurs', controller.signal)).rejects.toBe(reason);
    await others;
    expect(turns).toBe(5);
  });

  it('finds plain words as a text search does', async () => {
    const patterns = new Patterns();
    const word = fc.stringMatching(/^[ab你 ]{1,3}$/u);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), fc.stringMatching(/^[ab你 ]{0,12}$/u), async (words, text) => {
        const found = await patterns.search(words, text, 'occurs', signal);
        expect(found.matched).toBe(words.find((candidate) => text.includes(candidate)) ?? null);
        const begun = await patterns.search(words, text, 'begins', signal);
        expect(begun.matched).toBe(words.find((candidate) => text.startsWith(candidate)) ?? null);
      }),
    );
  });
});
