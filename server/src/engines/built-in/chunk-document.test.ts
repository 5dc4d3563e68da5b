import { type DocumentBlock, documentText, rowText } from '@parley/sdk';
import type { Chunk } from '@parley/sdk/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { type ChunkingOptions, chunkDocument } from './chunk-document.ts';

const options: ChunkingOptions = { size: 200, overlap: 60 };
const chunksOf = (blocks: readonly DocumentBlock[], over: Partial<ChunkingOptions> = {}) => [
  ...chunkDocument(blocks, { ...options, ...over }),
];
const paragraph = (text: string, page?: number): DocumentBlock => ({
  type: 'paragraph',
  text,
  ...(page === undefined ? {} : { page }),
});
const heading = (level: number, text: string): DocumentBlock => ({ type: 'heading', level, text });
const sentence = (number: number) => `Sentence ${number} tells of the sea and of nothing else.`;
const sentences = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => sentence(from + place)).join(' ');

/** The contract of the module: the text at the span, preceded by the table header if the chunk starts in a table. */
function expectTextAtSpan({ text, start, end }: Chunk, whole: string, heads: readonly string[]): void {
  const slice = whole.slice(start, end);
  if (text === slice) return;
  expect(text.endsWith(slice)).toBe(true);
  expect(heads).toContain(text.slice(0, text.length - slice.length));
}

describe('a document is cut', () => {
  it('by its headings, whose path each chunk knows', () => {
    const chunks = chunksOf([
      paragraph('Before everything.'),
      heading(1, 'Guide'),
      heading(2, 'Set up'),
      paragraph('Take the box.'),
      heading(2, 'Use'),
      paragraph(sentences(6)),
      heading(1, 'Index'),
      heading(1, 'Names'),
      heading(2, 'A'),
      paragraph('Ada.'),
    ]);
    expect(chunks.map(({ heading_path }) => heading_path)).toEqual([
      [],
      ['Guide', 'Set up'],
      ['Guide', 'Use'],
      ['Guide', 'Use'],
      [],
    ]);
    expect(chunks[1]?.text).toBe('Guide\n\nSet up\n\nTake the box.');
    expect(chunks.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  it('between sentences, of which the last ones come again', () => {
    const chunks = chunksOf([paragraph(sentences(12))]);
    expect(chunks.length).toBeGreaterThan(3);
    for (const [place, { text, start }] of chunks.entries()) {
      expect(text).toMatch(/^Sentence .*else\.$/);
      const before = chunks[place - 1];
      if (before === undefined) continue;
      expect(text.slice(0, before.end - start)).toMatch(/^Sentence \d+ tells of the sea and of nothing else\.$/);
      expect(before.text.endsWith(text.slice(0, before.end - start))).toBe(true);
    }
  });

  it('without overlap where none is wanted', () => {
    const chunks = chunksOf([paragraph(sentences(12))], { overlap: 0 });
    for (const [place, { start }] of chunks.entries())
      expect(start).toBeGreaterThanOrEqual(chunks[place - 1]?.end ?? 0);
  });

  it('at sentences that go over several lines, not at the lines', () => {
    const text =
      'The first sentence goes\nover two lines. The second one\nis as long as\r\nthe first.\n\nHere is another';
    const chunks = chunksOf([paragraph(text)], { size: 50, overlap: 0 });
    expect(chunks.map((chunk) => chunk.text)).toEqual([
      'The first sentence goes\nover two lines.',
      'The second one\nis as long as\r\nthe first.',
      'Here is another',
    ]);
  });

  it('in scripts without spaces', () => {
    const chinese = '灯塔整夜燃烧鲸油。面包发酵很慢，因为野生酵母很有耐心。獾在果园下面挖掘长长的隧道！';
    const chunks = chunksOf([paragraph(chinese.repeat(3))], { size: 30, overlap: 0 });
    for (const { text } of chunks) expect(text).toMatch(/[。！]$/);
    const thai = 'ประภาคารเผาน้ำมันวาฬทุกคืนในฤดูหนาวขนมปังขึ้นช้าเพราะยีสต์ป่าอดทน';
    const words = new Set(
      [...new Intl.Segmenter('th', { granularity: 'word' }).segment(thai)].map(({ index }) => index),
    );
    for (const { start } of chunksOf([paragraph(thai)], { size: 20, overlap: 0 })) expect(words).toContain(start);
  });

  it('with the pages it starts and ends on', () => {
    const chunks = chunksOf([paragraph(sentences(2), 3), paragraph(sentences(1), 4), paragraph(sentences(3), 5)], {
      overlap: 0,
    });
    expect(chunks.map(({ page, page_end }) => [page, page_end])).toEqual([
      [3, 4],
      [5, 5],
    ]);
    expect(chunksOf([paragraph('No pages.')])[0]).toMatchObject({ page: null, page_end: null });
  });

  it('with the head of a table before each of its parts', () => {
    const rows = [['Port', 'Tide'], ...Array.from({ length: 30 }, (_, row) => [`Harbour ${row}`, `${row} metres`])];
    const table: DocumentBlock = { type: 'table', head: true, rows };
    const chunks = chunksOf([paragraph('Tides of the year.'), table, paragraph('All of them in metres.')]);
    expect(chunks.length).toBeGreaterThan(3);
    const whole = documentText([paragraph('Tides of the year.'), table, paragraph('All of them in metres.')]);
    for (const chunk of chunks.slice(1)) {
      expect(chunk.text).toMatch(/^Port \| Tide\nHarbour/);
      expect(chunk.text).toBe(`Port | Tide\n${whole.slice(chunk.start, chunk.end)}`);
    }
    expect(chunks.at(-1)?.text).toContain('All of them in metres.');
  });

  it('without a head that would fill half of each part', () => {
    const rows = [['x'.repeat(150), 'y'], ...Array.from({ length: 30 }, (_, row) => [`Harbour ${row}`])];
    const chunks = chunksOf([{ type: 'table', head: true, rows }]);
    expect(chunks.filter(({ text }) => text.includes('xxx'))).toHaveLength(1);
  });

  it('between lines of code, with their indentation', () => {
    const code = Array.from({ length: 20 }, (_, line) => `    call(${line}, "a line of code");`).join('\n');
    const chunks = chunksOf([{ type: 'code', text: code }], { overlap: 0 });
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text } of chunks) expect(text).toMatch(/^ {4}call.*;$/s);
    expect(chunks.map(({ text }) => text).join('\n')).toBe(code);
  });

  it('so that a paragraph stays whole where there is enough before it', () => {
    const blocks = [paragraph(sentences(2)), paragraph(sentences(3, 5)), paragraph(sentences(2, 9))];
    const chunks = chunksOf(blocks, { overlap: 0 });
    expect(chunks.map(({ text }) => text)).toEqual([sentences(2), sentences(3, 5), sentences(2, 9)]);
  });

  it('into nothing where there is no text', () => {
    expect(chunksOf([])).toEqual([]);
    const empty: DocumentBlock[] = [paragraph(' \n '), { type: 'table', head: true, rows: [] }, paragraph('')];
    expect(chunksOf(empty)).toEqual([]);
  });

  it('with headings of bounded length in its paths', () => {
    const [chunk] = chunksOf([heading(1, `${'🦡'.repeat(300)}`), paragraph('Badgers.')]).slice(-1);
    expect(chunk?.heading_path[0]).toMatch(/^🦡+…$/u);
    expect(chunk?.heading_path[0]?.length).toBeLessThanOrEqual(200);
  });
});

describe('every document', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.lorem({ mode: 'sentences', maxCount: 12 }),
    fc
      .array(fc.constantFrom('👩‍👩‍👧‍👦', '🇫🇷', 'e\u0301', '한', 'क्षि', '.', ' ', '\n', '\r\n', '。', 'a', '\u200d'), {
        maxLength: 200,
      })
      .map((parts) => parts.join('')),
    fc.string({ maxLength: 8 }).map((word) => word.repeat(200)),
  );
  const page = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
  const paged = <Block extends object>(block: fc.Arbitrary<Block>) =>
    fc.tuple(block, page).map(([one, number]) => ({ ...one, ...(number === undefined ? {} : { page: number }) }));
  const block = paged<DocumentBlock>(
    fc.oneof(
      fc.record({ type: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text }),
      fc.record({ type: fc.constantFrom('paragraph' as const, 'list-item' as const, 'code' as const), text }),
      fc.record({
        type: fc.constant('table' as const),
        head: fc.boolean(),
        rows: fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 6 }),
      }),
    ),
  ) as fc.Arbitrary<DocumentBlock>;

  it('is cut so that spans, sizes, overlaps and coverage hold, the same each time', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 12 }),
        fc.integer({ min: 40, max: 400 }),
        fc.integer({ min: 0, max: 200 }),
        (blocks, size, overlap) => {
          const chunks = chunksOf(blocks, { size, overlap });
          const whole = documentText(blocks);
          const heads = blocks.flatMap((one) =>
            one.type === 'table' && one.head ? [`${rowText(one.rows[0] ?? [])}\n`] : [],
          );
          const borders = new Set(
            [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(whole)].map(({ index }) => index),
          ).add(whole.length);
          const isWhole = (place: number) =>
            borders.has(place) || /^\s|\s$/.test(whole.slice(Math.max(0, place - 1), place + 1));
          let covered = 0;
          for (const [place, chunk] of chunks.entries()) {
            const { start, end, position } = chunk;
            expect(position).toBe(place);
            expectTextAtSpan(chunk, whole, heads);
            expect(chunk.text.length).toBeLessThanOrEqual(size);
            expect(end).toBeGreaterThan(start);
            expect(isWhole(start) && isWhole(end)).toBe(true);
            // Text without a chunk is white space.
            expect(whole.slice(covered, Math.max(covered, start)).trim()).toBe('');
            const before = chunks[place - 1];
            if (before !== undefined) {
              expect(start).toBeGreaterThan(before.start);
              expect(end).toBeGreaterThan(before.end);
              expect(before.end - start).toBeLessThanOrEqual(Math.min(overlap, size / 2));
            }
            covered = end;
          }
          expect(whole.slice(covered).trim()).toBe('');
          expect(chunksOf(blocks, { size, overlap })).toEqual(chunks);
        },
      ),
      { numRuns: runsTried(300), interruptAfterTimeLimit: 20_000 },
    );
  });
});

describe('hostile documents', () => {
  it.each([
    ['ten megabytes of sentences', 'The tide came in and nobody was surprised at all. '.repeat(200_000)],
    ['ten megabytes without a border', 'x'.repeat(10_000_000)],
    ['ten megabytes of white space with a word', `${' \n'.repeat(5_000_000)}word`],
    ['ten megabytes of short lines', 'log line without an end\n'.repeat(420_000)],
    ['megabytes of one character with marks', `a${'\u0301'.repeat(2_000_000)}`],
    ['megabytes of pairs', '🦡'.repeat(1_000_000)],
  ])('are cut in bounded time: %s', { timeout: 120_000 }, (_, text) => {
    let covered = 0;
    for (const chunk of chunkDocument([paragraph(text)], { size: 1000, overlap: 150 })) {
      expect(chunk.text.length <= 1000 && chunk.end > covered).toBe(true);
      expect(chunk.text.isWellFormed()).toBe(true);
      covered = chunk.end;
    }
    expect(covered).toBe(text.trimEnd().length);
  });

  it('are cut in bounded time: many small parts', { timeout: 60_000 }, () => {
    const blocks = Array.from({ length: 50_000 }, (_, place) => [
      heading((place % 6) + 1, `Part ${place}`),
      paragraph('Text.'),
    ]);
    let count = 0;
    for (const _ of chunkDocument(blocks.flat(), { size: 1000, overlap: 150 })) count += 1;
    expect(count).toBe(50_000);
  });
});
