import type { DocumentBlock } from '@parley/sdk';
import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { describe, expect, test } from 'vitest';
import { pdf } from './index.ts';
import { parse } from './parse.ts';
import { linesAt, makePdf, type PdfText } from './testing/make-pdf.ts';

const file = (name: string, bytes: string | Uint8Array) => parserFile(name, bytes, 'application/pdf');
const read = (...pages: PdfText[][]) => parse(file('a.pdf', makePdf(pages)), fakeParserContext());
const brief = (blocks: readonly DocumentBlock[]) =>
  blocks.map((block) => (block.type === 'table' ? block.rows : `${block.type}: ${block.text}`));

const prose = [
  'The lamp is charged with the cable that is in the box, which takes about three',
  'hours. It may be used while it is being charged, but then it takes longer. When',
  'the battery is full, the small light beside the button goes out by itself, and',
  'the cable can be taken out.',
];
const left = [
  'A lamp for a desk should be easy to',
  'move, remember how bright it was, and',
  'be dark enough for the night. All of',
  'them are cheap to make. What is miss-',
  'ing most often is the last of them,',
];
const right = [
  'which we found in two lamps of ten.',
  'The others were too bright even in',
  'their darkest mode, and some had one',
  'mode only. Nobody could say why that',
  'had been decided.',
];

parserContract({
  parser: pdf,
  samples: [
    {
      file: file('pages.pdf', makePdf([linesAt(72, 72, prose), [], linesAt(72, 72, ['The end.'])], { Title: 'Lamps' })),
      expects: ({ title, blocks, pages, page_kind }) => {
        expect({ title, page_kind }).toEqual({ title: 'Lamps', page_kind: 'page' });
        expect(blocks).toEqual([
          { page: 1, type: 'paragraph', text: prose.join(' ') },
          { page: 3, type: 'paragraph', text: 'The end.' },
        ]);
        expect(pages).toEqual([
          { number: 1, characters: prose.join(' ').length },
          { number: 2, characters: 0, note: 'no text, perhaps a scan' },
          { number: 3, characters: 8 },
        ]);
      },
    },
  ],
  broken: [{ file: file('text.pdf', 'This is no PDF file.') }, { file: file('header.pdf', '%PDF-1.7\n') }],
});

describe('reading order', () => {
  test('goes down one column after the other, below a title over both', async () => {
    const title = [{ text: 'On lamps', x: 220, y: 60, size: 20 }];
    const { blocks } = await read([...linesAt(310, 100, right), ...linesAt(72, 106, left), ...title]);
    expect(brief(blocks)).toEqual([
      'heading: On lamps',
      'paragraph: A lamp for a desk should be easy to move, remember how bright it was, and be dark enough for the ' +
        'night. All of them are cheap to make. What is missing most often is the last of them, which we found in two ' +
        'lamps of ten. The others were too bright even in their darkest mode, and some had one mode only. Nobody ' +
        'could say why that had been decided.',
    ]);
  });

  test('does not depend on the order within the file', async () => {
    const { blocks } = await read(linesAt(72, 72, prose).reverse());
    expect(brief(blocks)).toEqual([`paragraph: ${prose.join(' ')}`]);
  });

  test('appends rotated text', async () => {
    const { blocks } = await read([{ text: 'Draft', x: 20, y: 400, turned: 90 }, ...linesAt(72, 72, prose)]);
    expect(brief(blocks)).toEqual([`paragraph: ${prose.join(' ')}`, 'paragraph: Draft']);
  });
});

describe('a table', () => {
  const row = (y: number, cells: string[], bold = false) =>
    cells.map((text, index) => ({ text, x: 72 + index * 130, y, bold })).filter(({ text }) => text !== '');

  test('is recognized by its columns, with the surrounding text', async () => {
    const { blocks } = await read([
      ...linesAt(72, 72, prose),
      ...row(140, ['Mode', 'Hours', 'Brightness'], true),
      ...row(154, ['Reading', '8', '600 lm']),
      ...row(168, ['Evening', '24', '180 lm']),
      ...row(182, ['Night', '160', '20 lm']),
      ...linesAt(72, 214, ['The mode is saved.']),
    ]);
    expect(brief(blocks)).toEqual([
      `paragraph: ${prose.join(' ')}`,
      [
        ['Mode', 'Hours', 'Brightness'],
        ['Reading', '8', '600 lm'],
        ['Evening', '24', '180 lm'],
        ['Night', '160', '20 lm'],
      ],
      'paragraph: The mode is saved.',
    ]);
    expect(blocks[1]).toMatchObject({ head: true });
  });

  test('may have cells of several lines', async () => {
    const { blocks } = await read([
      ...row(72, ['Part', 'What it is for']),
      ...row(96, ['Shade', 'spreads the light and']),
      ...row(108, ['', 'keeps it out of eyes']),
      ...row(132, ['Foot', 'holds the battery']),
    ]);
    expect(brief(blocks)).toEqual([
      [
        ['Part', 'What it is for'],
        ['Shade', 'spreads the light and\nkeeps it out of eyes'],
        ['Foot', 'holds the battery'],
      ],
    ]);
  });

  test('is not recognized in two lines that happen to have a gap', async () => {
    const { blocks } = await read([...row(72, ['Lumo Works', 'Order 77']), ...linesAt(72, 100, prose)]);
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'paragraph']);
  });
});

describe('paragraphs', () => {
  test('end where a gap or a short line is, or a mark of a list', async () => {
    const { blocks } = await read([
      ...linesAt(72, 72, [...prose, ...prose]),
      ...linesAt(72, 190, ['1. Take off the film.', '2. Charge it.']),
    ]);
    expect(brief(blocks)).toEqual([
      `paragraph: ${prose.join(' ')}`,
      `paragraph: ${prose.join(' ')}`,
      'list-item: 1. Take off the film.',
      'list-item: 2. Charge it.',
    ]);
  });

  test('preserve the hyphens of words that have them elsewhere', async () => {
    const lines = [
      'Low-light lamps are dark in the end and are called so. A low-',
      'light lamp is one that is good at be-',
      'ing dark.',
    ];
    const { blocks } = await read(linesAt(72, 72, lines));
    expect(brief(blocks)).toEqual([
      'paragraph: Low-light lamps are dark in the end and are called so. A low-light lamp is one that is good at being dark.',
    ]);
  });

  test('in larger or other letters are headings', async () => {
    const { blocks } = await read([
      { text: 'Lamps', x: 72, y: 60, size: 24 },
      { text: 'Charging', x: 72, y: 90, size: 14 },
      ...linesAt(72, 120, prose),
      { text: 'Storing', x: 72, y: 190, bold: true },
      ...linesAt(72, 206, prose),
    ]);
    const headings = blocks.flatMap((block) => (block.type === 'heading' ? [[block.level, block.text]] : []));
    expect(headings).toEqual([
      [1, 'Lamps'],
      [2, 'Charging'],
      [3, 'Storing'],
    ]);
  });
});

describe('text that repeats at the edges of pages', () => {
  const page = (number: number, text: string): PdfText[] => [
    { text: 'Handbook', x: 72, y: 30 },
    ...linesAt(72, 100, [text]),
    { text: `Page ${number}`, x: 280, y: 815 },
  ];

  test('is removed', async () => {
    const { blocks, warnings } = await read(page(1, 'One.'), page(2, 'Two.'), page(3, 'Three.'), page(4, 'Four.'));
    expect(brief(blocks)).toEqual(['One.', 'Two.', 'Three.', 'Four.'].map((text) => `paragraph: ${text}`));
    expect(warnings).toEqual([expect.stringContaining('page numbers')]);
  });

  test('stays in documents of few pages, except page numbers', async () => {
    const { blocks } = await read(page(1, 'One.'), page(2, 'Two.'));
    expect(brief(blocks)).toEqual(['Handbook', 'One.', 'Handbook', 'Two.'].map((text) => `paragraph: ${text}`));
  });
});

test('titles that only name a file are none', async () => {
  const bytes = makePdf([[{ text: 'Lamps', x: 72, y: 60, size: 24 }, ...linesAt(72, 120, prose)]], {
    Title: 'lamps-final.docx',
  });
  expect((await parse(file('a.pdf', bytes), fakeParserContext())).title).toBe('Lamps');
});
