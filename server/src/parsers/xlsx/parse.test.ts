import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { expect, test } from 'vitest';
import { zipArchive } from '../../../test/factories/zip-archive.ts';
import { xlsx } from './index.ts';
import { parse } from './parse.ts';

const [mediaType = ''] = xlsx.media_types;
const file = (name: string, bytes: string | Uint8Array) => parserFile(name, bytes, mediaType);
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (list: [id: string, type: string, target: string][]) =>
  `<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

/** @param sheets content of `sheetData` and after it, by the name of the sheet */
function workbook(sheets: Record<string, string>, { strings = '', styles = '', attributes = '' } = {}): Uint8Array {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    '_rels/.rels': relations([['r', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<x:workbook xmlns:x="a" xmlns:r="${office}"><x:sheets>${names
      .map((name, index) => `<x:sheet name="${name}" r:id="s${index}" ${attributes}/>`)
      .join('')}</x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, index): [string, string, string] => [`s${index}`, 'worksheet', `/xl/sheet${index}.xml`]),
      ['t', 'sharedStrings', 'strings.xml'],
      ['f', 'styles', 'styles.xml'],
    ]),
    'xl/strings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
  };
  for (const [index, name] of names.entries()) parts[`xl/sheet${index}.xml`] = `<worksheet>${sheets[name]}</worksheet>`;
  return zipArchive(Object.entries(parts).map(([path, content]) => ({ path, content })));
}

const text = (reference: string, content: string, style = '0') =>
  `<c r="${reference}" s="${style}" t="inlineStr"><is><t>${content}</t></is></c>`;
const number = (reference: string, value: string, style = '0') =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
const row = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join('')}</row>`;
const data = (...rows: string[]) => `<sheetData>${rows.join('')}</sheetData>`;
const read = (bytes: Uint8Array) => parse(file('a.xlsx', bytes), fakeParserContext());

parserContract({
  parser: xlsx,
  samples: [
    {
      file: file(
        'two.xlsx',
        workbook({
          Prices: data(
            row(1, text('A1', 'Part'), text('B1', 'Price')),
            row(2, text('A2', 'Shade'), number('B2', '12.5')),
          ),
          Notes: data(row(3, text('C3', 'All without tax.'))),
        }),
      ),
      expects: ({ blocks, pages, page_kind }) => {
        expect(page_kind).toBe('sheet');
        expect(pages).toEqual([
          { number: 1, name: 'Prices', characters: 18 },
          { number: 2, name: 'Notes', characters: 16 },
        ]);
        expect(blocks).toEqual([
          {
            page: 1,
            type: 'table',
            head: true,
            rows: [
              ['Part', 'Price'],
              ['Shade', '12.5'],
            ],
          },
          { page: 2, type: 'paragraph', text: 'All without tax.' },
        ]);
      },
    },
  ],
  broken: [
    { file: file('text.xlsx', 'This is no archive.') },
    { file: file('other.xlsx', zipArchive([{ path: 'a.txt', content: 'a' }])) },
    { file: file('torn.xlsx', workbook({ One: '<sheetData><row>' })) },
    {
      file: file('old.xlsx', Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex')),
      reason: 'document_type_unsupported',
    },
  ],
});

test('cells of every type are read as displayed', async () => {
  const cells = [
    '<c r="A1" t="s"><v>0</v></c>',
    '<c r="B1" t="b"><v>1</v></c>',
    '<c r="C1" t="str"><f>A1</f><v>made</v></c>',
    '<c r="D1" t="e"><v>#DIV/0!</v></c>',
    '<c r="E1" t="d"><v>2026-04-30T00:00:00Z</v></c>',
    '<c r="F1" s="1"><v>46142</v></c>',
    '<c r="G1" t="s"><v>99</v></c>',
    '<c><v>8</v></c>',
  ];
  const strings = '<si><r><t>灯</t></r><r><t>罩</t></r><rPh><t>とう</t></rPh></si>';
  const styles =
    '<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
  const { blocks } = await read(workbook({ One: data(row(1, ...cells)) }, { strings, styles }));
  expect(blocks).toMatchObject([{ rows: [['灯罩', 'TRUE', 'made', '#DIV/0!', '2026-04-30', '2026-04-30', '8']] }]);
});

test('rows and columns without anything are not unfolded', async () => {
  const { blocks } = await read(
    workbook({
      One: data(
        row(1, text('A1', 'a'), text('XFD1', 'b')),
        row(2, text('A2', 'c')),
        row(1_048_576, text('A1048576', 'd')),
      ),
    }),
  );
  expect(blocks).toMatchObject([{ rows: [['a', 'b'], ['c']] }, { type: 'paragraph', text: 'd' }]);
});

test('a sheet that is nearly empty loses its empty cells, with a warning', async () => {
  const letters = Array.from({ length: 26 * 26 }, (_, at) => String.fromCharCode(65 + at / 26, 65 + (at % 26)));
  const rows = letters.map((column, index) =>
    row(index + 1, text(`A${index + 1}`, 'a'), text(`${column}${index + 1}`, 'b')),
  );
  const { blocks, warnings } = await read(workbook({ One: data(...rows) }));
  expect(blocks[0]).toMatchObject({ type: 'table', rows: letters.map(() => ['a', 'b']) });
  expect(warnings).toEqual([expect.stringContaining('nearly empty')]);
});

test('a hidden sheet is not read, and a formula without its result causes a warning', async () => {
  const hidden = await read(
    workbook({ One: data(row(1, text('A1', 'secret'))) }, { attributes: 'state="veryHidden"' }),
  );
  expect(hidden).toMatchObject({
    blocks: [],
    pages: [{ note: 'hidden, not read' }],
    warnings: [expect.stringContaining('One')],
  });
  const formula = await read(workbook({ One: data(row(1, '<c r="A1"><f>1+1</f></c>')) }));
  expect(formula).toMatchObject({ blocks: [], warnings: [expect.stringContaining('formulas')] });
});

test('merged cells are repeated where a row needs them, but not in a title', async () => {
  const merges = (...references: string[]) => references.map((reference) => `<mergeCell ref="${reference}"/>`).join('');
  const rows = [
    row(1, text('A1', 'Prices')),
    row(2, text('A2', 'Part'), text('B2', 'Sizes')),
    row(3, text('A3', 'Foot'), number('B3', '12'), number('C3', '14')),
    row(4, number('B4', '16'), number('C4', '18')),
  ];
  const { blocks } = await read(
    workbook({ One: data(...rows) + merges('A1:C1', 'B2:C2', 'A3:A4', 'A3:XFD1048576', 'nonsense') }),
  );
  expect(blocks).toMatchObject([
    { type: 'paragraph', text: 'Prices' },
    {
      type: 'table',
      head: true,
      rows: [
        ['Part', 'Sizes', 'Sizes'],
        ['Foot', '12', '14'],
        ['Foot', '16', '18'],
      ],
    },
  ]);
});

test('no entity unfolds', async () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]>';
  const bytes = zipArchive([
    { path: '_rels/.rels', content: relations([['r', 'officeDocument', 'xl/workbook.xml']]) },
    { path: 'xl/workbook.xml', content: `${bomb}<workbook><sheets><sheet name="&c;"/></sheets></workbook>` },
  ]);
  await expect(read(bytes)).rejects.toMatchObject({ reason: 'document_broken' });
});
