import type { AnswerFilter, MessageChain, TextUnit } from '@parley/sdk';
import { fakeStageContext, pipelineMessage } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { split } from './index.ts';
import { firstPart, piecesOf, splitText } from './split-text.ts';
import { bothOf, sizeOf, type TextSize } from './text-size.ts';

const units: readonly TextUnit[] = ['utf16', 'code_points', 'bytes'];
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The size as the platforms count it, in the simplest way. */
function counted(text: string, unit: TextUnit): number {
  if (unit === 'utf16') return text.length;
  return unit === 'bytes' ? new TextEncoder().encode(text).length : [...text].length;
}

const characters = fc.constantFrom(
  ...['a', 'word', ' ', '\n', '\n\n', '. ', 'é', 'e\u0301', '中', '。', '😀', '𠀀', '👨‍👩‍👧', '🇩🇪', '\ud83d', '\ude00'],
);
const markdown = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: characters }, fc.constantFrom('\n```中文\n', '\n```\n', '`码 😀`', '[链接](x)')),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''));
const unit = fc.constantFrom(...units);

describe('a size', () => {
  it.each<[string, number, number, number]>([
    ['abc', 3, 3, 3],
    ['é', 1, 1, 2],
    ['中文', 2, 2, 6],
    ['😀', 2, 1, 4],
    ['👨‍👩‍👧', 8, 5, 18],
    ['e\u0301', 2, 2, 3],
    ['\ud83d', 1, 1, 3],
    ['', 0, 0, 0],
  ])('of %j', (text, utf16, code_points, bytes) => {
    expect(units.map((one) => sizeOf(text, one))).toEqual([utf16, code_points, bytes]);
  });

  it('is that of the encoded text', () => {
    fc.assert(
      fc.property(fc.array(characters), unit, (parts, one) => {
        const text = parts.join('');
        expect(sizeOf(text, one)).toBe(counted(text, one));
      }),
    );
  });

  it('that both of two allow allows no text that one of them refuses', () => {
    const size = fc.record<TextSize>({ most: fc.integer({ min: 16, max: 60 }), unit });
    const property = fc.property(size, size, markdown, (one, other, text) => {
      const both = bothOf(one, other);
      for (const piece of splitText(text, { limit: both })) {
        expect(sizeOf(piece, one.unit)).toBeLessThanOrEqual(one.most);
        expect(sizeOf(piece, other.unit)).toBeLessThanOrEqual(other.most);
      }
    });
    fc.assert(property, { numRuns: 1000 });
    expect(bothOf({ most: 4000, unit: 'bytes' }, { most: 12_000, unit: 'utf16' })).toEqual({
      most: 4000,
      unit: 'bytes',
    });
    expect(bothOf({ most: 9000, unit: 'utf16' }, { most: 2000, unit: 'bytes' })).toEqual({ most: 2000, unit: 'bytes' });
  });
});

describe('in every unit', () => {
  const sizes = fc.record({ most: fc.integer({ min: 4, max: 200 }), unit });

  it('each part fits, no character is lost, and no pair of surrogates is cut in two', () => {
    const property = fc.property(
      markdown,
      sizes,
      sizes,
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      (text, ...room) => {
        const [limit, other, taken] = room;
        // A first message that is shown while it is generated is limited otherwise.
        const first = bothOf(other, limit).most < 4 ? limit : bothOf(other, limit);
        const used = Math.floor(first.most * taken);
        fc.pre(first.most - used >= 4);
        const pieces = [...piecesOf(text, { limit, first, used })];
        let end = 0;
        for (const [index, piece] of pieces.entries()) {
          const source = text.slice(piece.start, piece.end);
          const sent = piece.before + source + piece.after;
          const own = index === 0 ? { ...first, most: first.most - used } : limit;
          expect(counted(sent, own.unit)).toBeLessThanOrEqual(own.most);
          expect(text.slice(end, piece.start).trim()).toBe('');
          expect(/[\ud800-\udbff]$/.test(source) && /^[\udc00-\udfff]/.test(text.slice(piece.end))).toBe(false);
          end = piece.end;
        }
        expect(text.slice(end).trim()).toBe('');
      },
    );
    fc.assert(property, { numRuns: 3000 });
  });

  it('no character is cut in two that fits into a message', () => {
    const property = fc.property(markdown, fc.integer({ min: 60, max: 200 }), unit, (text, most, one) => {
      const starts = new Set([0, ...[...graphemes.segment(text)].map(({ index }) => index)]);
      for (const { start, end } of piecesOf(text, { limit: { most, unit: one } })) {
        expect(starts.has(start)).toBe(true);
        expect(end === text.length || starts.has(end) || text[end] === '\n').toBe(true);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('the first part does not become shorter behind half a character, which has no other half', () => {
    const text = '中a🇩🇪a`码 😀`😀\ud83d🇩🇪';
    const parts = Array.from({ length: text.length + 1 }, (_, end) =>
      firstPart(text.slice(0, end), { limit: { most: 66, unit: 'bytes' } }),
    );
    for (const [end, part] of parts.entries()) expect(part.startsWith(parts[end - 1] ?? '')).toBe(true);
  });

  it('the first part of a streamed text never becomes shorter, and starts the first message', () => {
    const property = fc.property(markdown, fc.integer({ min: 60, max: 150 }), unit, (text, most, one) => {
      const room = { limit: { most, unit: one } };
      let shown = '';
      for (let end = 0; end <= text.length; end += 1) {
        const part = firstPart(text.slice(0, end), room);
        expect(part.startsWith(shown)).toBe(true);
        expect(counted(part, one)).toBeLessThanOrEqual(most);
        shown = part;
      }
      expect((splitText(text, room)[0] ?? '').startsWith(shown)).toBe(true);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it.each(units)('takes a time in proportion to the text: %s', (one) => {
    const started = performance.now();
    for (const part of ['[', '`', '**a ', '\n```', '。', '😀', 'e\u0301', '👨‍👩‍👧', '中文 ']) {
      splitText(part.repeat(50_000), { limit: { most: 4000, unit: one } });
      firstPart(part.repeat(50_000), { limit: { most: 1_000_000, unit: one } });
    }
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe('an answer on a platform with other units', () => {
  const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
  const mention = { type: 'At', target: '7', display: '小明' } as const;
  const filterOf = (text_limit: TextSize & { messages?: number }, stream_limit: TextSize | null = null) =>
    split.answer?.(
      pipelineMessage(),
      fakeStageContext(split, { platform: { text_limit, stream_limit, elements: ['Plain'] } }),
    ) as AnswerFilter;
  const texts = async (filter: AnswerFilter, ...messages: MessageChain[]) =>
    ((await filter.finish?.(messages))?.messages ?? []).map((chain) =>
      chain.map((element) => (element.type === 'Plain' ? element.text : '@')).join(''),
    );

  it('counts bytes, those of mentions included', async () => {
    const filter = filterOf({ most: 20, unit: 'bytes' });
    expect(await texts(filter, plain('这是第一句话。这是第二句话'))).toEqual(['这是第一句', '话。这是第', '二句话']);
    expect(await texts(filter, [mention, ...plain(' 第一 第二 第三')])).toEqual(['@ 第一', '第二 第三']);
    expect(await texts(filter, plain('twenty letters of it'))).toEqual(['twenty letters of it']);
  });

  it('counts code points', async () => {
    expect(await texts(filterOf({ most: 10, unit: 'code_points' }), plain('😀'.repeat(12)))).toEqual([
      '😀'.repeat(10),
      '😀'.repeat(2),
    ]);
  });

  it('shows no more than a message that is edited may have, and goes on in longer ones', async () => {
    const words = 'one two three four five six seven eight nine ten';
    const filter = filterOf({ most: 30, unit: 'utf16' }, { most: 16, unit: 'bytes' });
    expect(filter.show?.(plain(words))).toEqual(plain('one two three'));
    expect(await texts(filter, plain(words))).toEqual(['one two three', 'four five six seven eight nine', 'ten']);
    const unlimited = split.answer?.(
      pipelineMessage(),
      fakeStageContext(split, {
        platform: { text_limit: null, stream_limit: { most: 16, unit: 'bytes' }, elements: ['Plain'] },
      }),
    ) as AnswerFilter;
    expect(await texts(unlimited, plain(words))).toEqual(['one two three', 'four five six seven eight nine ten']);
  });
});
