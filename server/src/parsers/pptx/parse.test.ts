import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { expect, test } from 'vitest';
import { zipArchive } from '../../../test/factories/zip-archive.ts';
import { pptx } from './index.ts';
import { parse } from './parse.ts';

const [mediaType = ''] = pptx.media_types;
const file = (name: string, bytes: string | Uint8Array) => parserFile(name, bytes, mediaType);
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (list: [id: string, type: string, target: string][]) =>
  `<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

interface SlideParts {
  shapes: string;
  attributes?: string;
  notes?: string;
  diagram?: string;
}

/** The last slide stands first in the archive: only the presentation knows the order. */
function presentation(slides: readonly SlideParts[]): Uint8Array {
  const parts: Record<string, string> = {
    '_rels/.rels': relations([['r', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${office}"><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, index) => [`s${index}`, 'slide', `slides/slide${slides.length - index}.xml`]),
    ),
  };
  for (const [index, { shapes, attributes = '', notes, diagram }] of slides.entries()) {
    const name = `slide${slides.length - index}.xml`;
    parts[`ppt/slides/${name}`] = `<p:sld xmlns:p="p" xmlns:a="a" xmlns:mc="m" ${attributes}>${shapes}</p:sld>`;
    parts[`ppt/slides/_rels/${name}.rels`] = relations([
      ['n', 'notesSlide', `../notes/${name}`],
      ['d', 'diagramData', `../diagrams/${name}`],
    ]);
    if (notes !== undefined) parts[`ppt/notes/${name}`] = `<p:notes xmlns:p="p" xmlns:a="a">${notes}</p:notes>`;
    if (diagram !== undefined) parts[`ppt/diagrams/${name}`] = `<d:data xmlns:d="d" xmlns:a="a">${diagram}</d:data>`;
  }
  return zipArchive(Object.entries(parts).map(([path, content]) => ({ path, content })));
}

const paragraph = (text: string, bullet = '') => `<a:p><a:pPr>${bullet}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (type: string | null, ...paragraphs: string[]) =>
  `<p:sp><p:nvPr>${type === null ? '' : `<p:ph type="${type}"/>`}</p:nvPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
const read = (...slides: SlideParts[]) => parse(file('a.pptx', presentation(slides)), fakeParserContext());

parserContract({
  parser: pptx,
  samples: [
    {
      file: file(
        'two.pptx',
        presentation([
          {
            shapes:
              shape('title', paragraph('Lamps')) + shape('body', paragraph('give light'), paragraph('need power')),
          },
          { shapes: shape(null, paragraph('The end')) + shape('sldNum', paragraph('2')) },
        ]),
      ),
      expects: ({ title, blocks, pages, page_kind }) => {
        expect({ title, page_kind }).toEqual({ title: 'Lamps', page_kind: 'slide' });
        expect(pages).toEqual([
          { number: 1, name: 'Lamps', characters: 25 },
          { number: 2, characters: 7 },
        ]);
        expect(blocks).toEqual([
          { page: 1, type: 'heading', level: 1, text: 'Lamps' },
          { page: 1, type: 'list-item', text: 'give light' },
          { page: 1, type: 'list-item', text: 'need power' },
          { page: 2, type: 'paragraph', text: 'The end' },
        ]);
      },
    },
  ],
  broken: [
    { file: file('text.pptx', 'This is no archive.') },
    { file: file('other.pptx', zipArchive([{ path: 'a.txt', content: 'a' }])) },
    { file: file('torn.pptx', presentation([{ shapes: '<p:sp>' }])) },
    {
      file: file('old.pptx', Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex')),
      reason: 'document_type_unsupported',
    },
  ],
});

test('bullets differ from texts, and lines within a paragraph are preserved', async () => {
  const { blocks } = await read({
    shapes:
      shape(
        'body',
        paragraph('one'),
        paragraph('two', '<a:buNone/>'),
        '<a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r></a:p>',
      ) + shape(null, paragraph('three', '<a:buChar char="-"/>')),
  });
  expect(blocks.map((block) => [block.type, 'text' in block && block.text])).toEqual([
    ['list-item', 'one'],
    ['paragraph', 'two'],
    ['list-item', 'a\nb'],
    ['list-item', 'three'],
  ]);
});

test('tables, diagrams and notes are read, fallbacks for older programs are not', async () => {
  const cell = (text: string, attributes = '') => `<a:tc ${attributes}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
  const table = `<a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('Part')}${cell('Size')}</a:tr><a:tr>${cell('Foot', 'rowSpan="2"')}${cell('12')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('14')}</a:tr></a:tbl>`;
  const alternate = `<mc:AlternateContent><mc:Choice>${shape(null, paragraph('new'))}</mc:Choice><mc:Fallback>${shape(null, paragraph('old'))}</mc:Fallback></mc:AlternateContent>`;
  const { blocks } = await read({
    shapes: table + alternate,
    notes: shape('body', paragraph('Say hello.')) + shape('sldNum', paragraph('1')),
    diagram: `<d:pt><d:t>${paragraph('Step')}</d:t></d:pt>`,
  });
  expect(blocks).toEqual([
    {
      page: 1,
      type: 'table',
      head: true,
      rows: [
        ['Part', 'Size'],
        ['Foot', '12'],
        ['Foot', '14'],
      ],
    },
    { page: 1, type: 'paragraph', text: 'new' },
    { page: 1, type: 'paragraph', text: 'Say hello.' },
    { page: 1, type: 'list-item', text: 'Step' },
  ]);
});

test('a hidden slide is not read, one without text causes a warning', async () => {
  const { blocks, pages, warnings } = await read(
    { shapes: shape('title', paragraph('Secret')), attributes: 'show="0"' },
    { shapes: '' },
  );
  expect(blocks).toEqual([]);
  expect(pages.map(({ note }) => note)).toEqual(['hidden, not read', 'no text, possibly a picture']);
  expect(warnings).toEqual([expect.stringContaining('Secret')]);
});
