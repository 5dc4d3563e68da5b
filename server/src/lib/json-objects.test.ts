import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonObjects } from './json-objects.ts';

const cut = (...pieces: string[]) => {
  const objects = new JsonObjects();
  return { found: pieces.flatMap((piece) => objects.feed(piece)), rest: objects.rest };
};

describe('JSON objects that follow one another', () => {
  it('are found wherever the chunks end', () => {
    const values = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())));
    fc.assert(
      fc.property(
        values,
        fc.constantFrom('', '\n', ' \r\n'),
        fc.integer({ min: 1, max: 20 }),
        (list, between, size) => {
          const text = list.map((value) => JSON.stringify(value)).join(between);
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          const { found, rest } = cut(...pieces);
          expect(found.map((json) => JSON.parse(json))).toEqual(list.map((value) => JSON.parse(JSON.stringify(value))));
          expect(rest).toBe('');
        },
      ),
    );
  });

  it('leave an incomplete rest', () => {
    expect(cut('{"a":"}"', '}{"b":')).toEqual({ found: ['{"a":"}"}'], rest: '{"b":' });
    expect(cut('} ] text')).toEqual({ found: [], rest: '} ] text' });
    expect(cut('{"a":"\\"}')).toEqual({ found: [], rest: '{"a":"\\"}' });
    expect(cut('')).toEqual({ found: [], rest: '' });
  });
});
