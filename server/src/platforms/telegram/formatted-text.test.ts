import fc from 'fast-check';
import type { MessageEntity } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { type FormattedText, joined, plainText, splitText, trimmed } from './formatted-text.ts';
import { placeOf } from './testing/fixtures.ts';

const formatted = (text: string, ...entities: [MessageEntity['type'], string][]): FormattedText => ({
  text,
  entities: entities.map(([type, part]) => ({ type, ...placeOf(text, part) }) as MessageEntity),
});
const covered = ({ text, entities }: FormattedText) =>
  entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]);

describe('joining', () => {
  it('moves formatting along', () => {
    const both = joined([plainText('🦜 '), formatted('bold', ['bold', 'bold']), plainText('!')]);
    expect(both.text).toBe('🦜 bold!');
    expect(covered(both)).toEqual([['bold', 'bold']]);
  });
});

describe('trimming', () => {
  it('removes blank lines and trailing space, not indentation', () => {
    const text = trimmed(formatted('\n\n  • a b \n\n', ['bold', 'b \n']));
    expect(text.text).toBe('  • a b');
    expect(covered(text)).toEqual([['bold', 'b']]);
    expect(trimmed(plainText(' \n '))).toEqual(plainText(''));
  });
});

describe('splitting', () => {
  const texts = (text: string, limit: number) => splitText(plainText(text), limit).map((piece) => piece.text);

  it('does not change a text that fits', () => {
    expect(texts('a'.repeat(4096), 4096)).toEqual(['a'.repeat(4096)]);
    expect(splitText(plainText('  \n'))).toEqual([]);
  });

  it('happens between paragraphs, lines, words, or characters', () => {
    expect(texts('aaaa aaaa\n\nbbb\nccc', 14)).toEqual(['aaaa aaaa', 'bbb\nccc']);
    expect(texts('aaa aaa\nbbb bbb', 10)).toEqual(['aaa aaa', 'bbb bbb']);
    expect(texts('aaa aaa bbb', 10)).toEqual(['aaa aaa', 'bbb']);
    expect(texts('aaaaaaaaaaaaa', 10)).toEqual(['aaaaaaaaaa', 'aaa']);
    // Not at a place that would leave most of a message empty.
    expect(texts('a bbbbbbbbbbbb', 10)).toEqual(['a bbbbbbbb', 'bbbb']);
  });

  it('goes up to the limit where the limit is between words', () => {
    expect(texts('aaaa bbbbb cccc', 10)).toEqual(['aaaa bbbbb', 'cccc']);
  });

  it('never cuts a character, however many units it has', () => {
    expect(texts(`${'a'.repeat(9)}🦜b`, 10)).toEqual(['aaaaaaaaa', '🦜b']);
    expect(texts('aaaaa👩‍👩‍👧‍👦b', 12)).toEqual(['aaaaa', '👩‍👩‍👧‍👦b']);
    // Letters with hundreds of marks are cut somewhere, but not in the middle of a pair.
    for (const piece of texts(`a${'\u0301'.repeat(300)}🦜`, 10)) expect(piece.isWellFormed()).toBe(true);
  });

  it('continues formatting across the cut', () => {
    const text = formatted('aaa bbb ccc ddd', ['bold', 'bbb ccc'], ['code', 'ddd']);
    expect(splitText(text, 8).map((piece) => [piece.text, ...covered(piece)])).toEqual([
      ['aaa bbb', ['bold', 'bbb']],
      ['ccc ddd', ['bold', 'ccc'], ['code', 'ddd']],
    ]);
  });

  it('loses nothing, and every part fits', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const part = fc.record({ offset: fc.nat(300), length: fc.integer({ min: 1, max: 300 }) });
    fc.assert(
      fc.property(text, fc.array(part, { maxLength: 5 }), fc.integer({ min: 2, max: 40 }), (whole, parts, limit) => {
        const entities = parts.map((place) => ({ type: 'bold' as const, ...place }));
        const pieces = splitText({ text: whole, entities }, limit);
        for (const piece of pieces) {
          expect(piece.text.length).toBeLessThanOrEqual(limit);
          expect(piece.text.trim()).not.toBe('');
          for (const { offset, length } of piece.entities) {
            expect(offset >= 0 && length > 0 && offset + length <= piece.text.length).toBe(true);
          }
        }
        const letters = (value: string) => value.replace(/\s/g, '');
        expect(letters(pieces.map((piece) => piece.text).join(''))).toBe(letters(whole));
      }),
    );
  });

  it('of a streamed text does not change the parts before the last', () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
    let before: string[] = [];
    for (let end = 50; end <= words.length; end += 7) {
      const pieces = texts(words.slice(0, end), 100);
      expect(pieces.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = pieces;
    }
    expect(before.length).toBeGreaterThan(20);
  });
});
