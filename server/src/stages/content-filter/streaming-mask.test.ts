import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Patterns, readLength } from '../../kit/patterns.ts';
import { compileWords, type SensitiveWordList } from './compile-words.ts';
import { StreamingMask } from './streaming-mask.ts';

const list = (words: string[], over: Partial<SensitiveWordList> = {}): SensitiveWordList => ({
  words,
  mask: '*',
  mask_word: '',
  ...over,
});
const mask = async (words: SensitiveWordList, text: string) =>
  new StreamingMask(await compileWords(words)).finish(text);
const { signal } = new AbortController();

describe('a complete text', () => {
  it.each<[string, string[], string, string]>([
    ['each character of a word', ['bad'], 'a bad day, badly', 'a *** day, ***ly'],
    ['words that overlap', ['abc', 'bcd'], 'xabcdx', 'x****x'],
    ['a word within a longer one', ['ab', 'xaby'], 'xabz xaby', 'x**z ****'],
    ['a word that overlaps itself', ['aa'], 'aaab', '***b'],
    ['a character outside of the basic plane once', ['😀b'], 'a😀b', 'a**'],
    ['Chinese', ['坏话'], '这是坏话。', '这是**。'],
    ['matches of regular expressions', ['b[a4]d', '\\d{3}-\\d{4}'], 'b4d bed 555-1234', '*** bed ********'],
    ['case as it is written', ['Bad'], 'bad Bad', 'bad ***'],
    ['other cases where the expression says so', ['(?i)bad'], 'bAd', '***'],
    ['whole words where the expression says so', ['\\bass\\b'], 'pass ass', 'pass ***'],
  ])('has masked %s', async (_, words, text, masked) => {
    expect(await mask(list(words), text)).toBe(masked);
  });

  it('has the mask of the list in the place of each character', async () => {
    expect(await mask(list(['bad'], { mask: '[x]' }), 'bad')).toBe('[x][x][x]');
  });

  it('has one word in the place of each where the list has one', async () => {
    const words = list(['bad', 'ugly', 'u.l'], { mask_word: '(hidden)' });
    expect(await mask(words, 'badbad and ugly')).toBe('(hidden)(hidden) and (hidden)');
  });

  it.each<[string, SensitiveWordList, string, string]>([
    ['is a word', list(['bad', 'xxx'], { mask: 'x' }), 'bad', '***'],
    ['would form a word with the text before', list(['bad', 'shit'], { mask_word: 't' }), 'shibad', 'shi***'],
    ['would form a word with the text after', list(['bad', 'tree'], { mask_word: 't' }), 'badree', '***ree'],
    ['would form a word with the next mask', list(['a', 'tb', 'bb'], { mask_word: 'b' }), 'aa', 'b*'],
    ['would always form a word', list(['bad', 'a#', '#'], { mask: '#' }), 'bad', '***'],
  ])('has another mask if it %s', async (_, words, text, masked) => {
    expect(await mask(words, text)).toBe(masked);
  });

  it('is read to its end, also by an expression with a short read length', async () => {
    const wide = 'x(?:[a-z]?){150}y';
    const read = readLength((await new Patterns().open(wide))?.size ?? 0);
    const text = `${'-'.repeat(3 * read)}x${'b'.repeat(150)}y`;
    expect((await mask(list([wide]), text)).endsWith(`-${'*'.repeat(152)}`)).toBe(true);
    const across = `${'-'.repeat(read - 20)}x${'b'.repeat(100)}y-`;
    expect((await mask(list([wide]), across)).endsWith(`-${'*'.repeat(102)}-`)).toBe(true);
  });

  it('reports the entry that matched, and the number of words', async () => {
    const seen = new StreamingMask(await compileWords(list(['bad', 'u.ly'])));
    await seen.finishInTurns('ugly and bad and bad', signal);
    expect([seen.hit, seen.count]).toEqual(['bad', 3]);
    const other = new StreamingMask(await compileWords(list(['bad', 'u.ly'])));
    await other.finishInTurns('ugly', signal);
    expect(other.hit).toBe('u.ly');
    const none = new StreamingMask(await compileWords(list(['bad', 'u.ly'])));
    await none.finishInTurns('fine', signal);
    expect([none.hit, none.count]).toEqual([null, 0]);
  });
});

describe('a streamed text', () => {
  const shown = async (words: SensitiveWordList, ...texts: string[]) => {
    const mask = new StreamingMask(await compileWords(words));
    return texts.map((text) => mask.show(text));
  };

  it('holds back the start of a word and nothing else', async () => {
    expect(await shown(list(['secret']), 'the s', 'the sec', 'the second', 'the second secret')).toEqual([
      'the ',
      'the ',
      'the second',
      'the second ******',
    ]);
  });

  it('holds back as much as an expression may still match', async () => {
    const texts = ['a long text', 'a long text sexcre', 'a long text sexcret', 'a long text sexcret that'];
    expect(await shown(list(['se.?cret']), ...texts)).toEqual([
      'a lon',
      'a long text ',
      'a long text *******',
      'a long text *******',
    ]);
  });

  it('cuts no character in two', async () => {
    const family = '👨‍👩‍👧';
    expect(await shown(list(['aaa\u0301b']), 'x', 'xe\u0301', 'xe\u0301aaa', 'xe\u0301aaa\u0301')).toEqual([
      'x',
      'xe\u0301',
      'xe\u0301',
      'xe\u0301',
    ]);
    expect(await shown(list(['q']), `a${family.slice(0, 1)}`, `a${family}`)).toEqual(['a', `a${family}`]);
    expect(await shown(list(['\u200d👩👩']), 'a👨\u200d👩')).toEqual(['a']);
  });

  it('is read again when it does not continue the previous text', async () => {
    expect(await shown(list(['bad']), 'one bad', 'two bad', 'two bad!')).toEqual(['one ***', 'two ***', 'two ***!']);
  });

  it('costs time only for added text, however often it is shown', async () => {
    const mask = new StreamingMask(await compileWords(list(['bad', 'u[gq]ly'])));
    const text = 'some words that are fine, and a bad one. '.repeat(2500);
    const started = performance.now();
    for (let length = 20; length <= text.length; length += 20) mask.show(text.slice(0, length));
    // Looking at all of it each time would take minutes.
    expect(performance.now() - started).toBeLessThan(8000);
  });
});

/** Texts of few letters, so that words are often in them, side by side, across and within one another. */
const letters = fc.constantFrom('a', 'b', 'c', ' ', '中', '😀', 'e\u0301');
const text = fc.string({ unit: letters, maxLength: 40 });
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '中', '😀'), minLength: 1, maxLength: 4 });
const expression = fc.constantFrom(
  'a[bc]',
  'b{2,3}',
  '(?:a|中)c?b',
  'a.b',
  '[^*#█]c',
  '(ab){1,4}c',
  '😀+?b{0,3}a{1,3}',
);
const masks = fc.record({
  mask: fc.constantFrom('*', '#', 'a', '**'),
  mask_word: fc.constantFrom('', '', 'b', '(hidden)', 'abc'),
});

describe('whatever the words, the text and its chunks', () => {
  it('no plain word is ever seen, and nothing that was shown is taken back', async () => {
    const property = fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      masks,
      text,
      fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
      async (words, over, whole, sizes) => {
        const compiled = await compileWords(list(words, over));
        const finished = new StreamingMask(compiled).finish(whole);
        for (const forbidden of words) expect(finished).not.toContain(forbidden);
        const mask = new StreamingMask(compiled);
        for (let end = 0; end < whole.length; end += sizes.next().value as number) {
          const shown = mask.show(whole.slice(0, end));
          expect(finished.startsWith(shown)).toBe(true);
          for (const forbidden of words) expect(shown).not.toContain(forbidden);
        }
      },
    );
    await fc.assert(property, { numRuns: 1000 });
  });

  it('no match of an expression is ever seen, and nothing that was shown is taken back', async () => {
    const property = fc.asyncProperty(
      fc.array(expression, { minLength: 1, maxLength: 3 }),
      fc.array(word, { maxLength: 2 }),
      text,
      fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
      async (expressions, words, whole, sizes) => {
        const compiled = await compileWords(list([...expressions, ...words]));
        // A mask is no letter, so that a point is one.
        const forbidden = [...expressions.map((source) => new RegExp(source.replace('.', '[^*]'), 'u')), ...words];
        const clean = (seen: string) => {
          for (const one of forbidden)
            expect(typeof one === 'string' ? seen.includes(one) : one.test(seen)).toBe(false);
        };
        const finished = new StreamingMask(compiled).finish(whole);
        clean(finished);
        const mask = new StreamingMask(compiled);
        for (let end = 0; end < whole.length; end += sizes.next().value as number) {
          const shown = mask.show(whole.slice(0, end));
          expect(finished.startsWith(shown)).toBe(true);
          clean(shown);
        }
        expect(await new StreamingMask(compiled).finishInTurns(whole, signal)).toBe(finished);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  it('a text without a word stays as it is, all of it', async () => {
    const property = fc.asyncProperty(fc.array(word), text, async (words, whole) => {
      const compiled = await compileWords(list(words.length === 0 ? ['zz'] : words));
      const finished = new StreamingMask(compiled).finish(whole);
      if (!words.some((one) => whole.includes(one))) expect(finished).toBe(whole);
      else expect(finished).not.toBe(whole);
    });
    await fc.assert(property);
  });
});
