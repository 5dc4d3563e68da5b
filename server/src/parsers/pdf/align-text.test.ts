import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignText } from './align-text.ts';

const page = (text: string) => [...text].map((character) => ({ codePoint: character.codePointAt(0) ?? 0 }));
/** The characters of a page that a text is found at. */
const found = (text: string, on: string, from = 0, to = text.length) => {
  const characters = [...on];
  return [...alignText(text, page(on)).subarray(from, to)].map((index) => characters[index] ?? '').join('');
};

describe('alignText', () => {
  it('finds a text among others', () => {
    expect(found('The break is 30 minutes.', 'Page 4\r\nBefore it. The break is 30 minutes. After.')).toBe(
      'Thebreakis30minutes',
    );
  });

  it.each([
    ['line ends and hyphens', 'a diagram of the drill', 'a dia\u0002\r\ngram of\r\nthe  drill', 'adiagramofthedrill'],
    ['ligatures', 'the first office', 'the \ufb01rst o\ufb03ce', 'the\ufb01\ufb01rsto\ufb03\ufb03\ufb03ce'],
    ['letter case', 'THE FIRST OFFICE', 'The first office', 'Thefirstoffice'],
    ['composed letters', 'cafe\u0301 at the corner', 'caf\u00e9 at the corner', 'caf\u00e9atthecorner'],
    ['scripts without spaces', '钻头必须冷却三十分钟', '注意\n钻头必须\n冷却三十分钟。', '钻头必须冷却三十分钟'],
    ['a text shorter than a seed', '30 min', 'after 30 min of use', '30min'],
  ])('ignores %s', (_, text, on, expected) => {
    expect(found(text, on)).toBe(expected);
  });

  it('continues behind a running title, and in another order of columns', () => {
    const text = 'It began on this page here and it goes on in the next column there.';
    const on = 'it goes on in the next column there. RUNNING TITLE It began on this page here and';
    expect(found(text, on)).toBe('Itbeganonthispagehereanditgoesoninthenextcolumnthere');
  });

  it('finds the part that is on this page', () => {
    expect(found('The end of one page and the beginning of another.', 'and the beginning of another. More.')).toBe(
      'andthebeginningofanother',
    );
  });

  it('takes the one of two alike that the text goes on with', () => {
    const on = 'Take a break after two hours. Then rest. Take a break after two hours when it is hot.';
    const text = 'Take a break after two hours when it is hot.';
    const indexes = alignText(text, page(on));
    expect(indexes[0]).toBe(on.lastIndexOf('Take'));
  });

  it.each([
    ['', 'some text'],
    ['some text', ''],
    ['…', 'some text'],
    ['nothing of this stands there', 'but something else entirely'],
  ])('finds nothing of %j in %j', (text, on) => {
    expect(found(text, on)).toBe('');
  });

  it('takes broken code points for no letters', () => {
    expect([...alignText('some text', [{ codePoint: -1 }, { codePoint: 0x11_00_00 }])]).toEqual(Array(9).fill(-1));
  });

  it('is quick where everything is alike', () => {
    const started = performance.now();
    alignText('a'.repeat(20_000), page('a'.repeat(20_000)));
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('only names letters that are the same', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '-', 'é'), maxLength: 60 });
    fc.assert(
      fc.property(texts, texts, (text, on) => {
        const characters = [...on];
        for (const [at, index] of alignText(text, page(on)).entries()) {
          if (index >= 0) expect(characters[index]).toBe(text[at]);
        }
      }),
    );
  });
});
