import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { expect, test } from 'vitest';
import { zipArchive } from '../../../test/factories/zip-archive.ts';
import { docx } from './index.ts';
import { parse } from './parse.ts';

const [mediaType = ''] = docx.media_types;
const file = (name: string, bytes: string | Uint8Array) => parserFile(name, bytes, mediaType);

const types =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const relations =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" ' +
  'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>' +
  '</Relationships>';
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (text: string, style = '') =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${run(text)}</w:p>`;

function document(body: string, more: Record<string, string> = {}): Uint8Array {
  const parts = {
    '[Content_Types].xml': types,
    '_rels/.rels': relations,
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    ...more,
  };
  return zipArchive(Object.entries(parts).map(([path, content]) => ({ path, content })));
}

const read = (body: string, more?: Record<string, string>) =>
  parse(file('a.docx', document(body, more)), fakeParserContext());

parserContract({
  parser: docx,
  samples: [
    {
      file: file('lamps.docx', document(paragraph('Lamps give light.') + paragraph('They need power.'))),
      expects: ({ title, blocks }) => {
        expect(title).toBeNull();
        expect(blocks).toEqual([
          { type: 'paragraph', text: 'Lamps give light.' },
          { type: 'paragraph', text: 'They need power.' },
        ]);
      },
    },
  ],
  broken: [
    { file: file('text.docx', 'This is no archive.') },
    { file: file('other.docx', zipArchive([{ path: 'a.txt', content: 'a' }])) },
    { file: file('torn.docx', document('<w:p>')) },
    {
      file: file('old.docx', Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex')),
      reason: 'document_type_unsupported',
    },
    {
      file: file(
        'locked.docx',
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      ),
      reason: 'document_encrypted',
    },
  ],
});

test('headings are known by the level of their style, its own or that of the one it is based on', async () => {
  const style = (id: string, name: string, rest: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`;
  const styles = [
    style('Kapitel', "Kapitel 'neu'", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
    style('Abschnitt', 'Abschnitt', '<w:basedOn w:val="Kapitel"/>'),
    style('Ring', 'Ring', '<w:basedOn w:val="Ring"/>'),
  ].join('');
  const { blocks } = await read(
    paragraph('One', 'Kapitel') +
      paragraph('Two', 'Abschnitt') +
      paragraph('Three', 'Ring') +
      paragraph('Four', 'None'),
    { 'word/styles.xml': `<w:styles ${word}>${styles}</w:styles>`, 'word/_rels/document.xml.rels': styleRelation },
  );
  expect(blocks).toEqual([
    { type: 'heading', level: 2, text: 'One' },
    { type: 'heading', level: 2, text: 'Two' },
    { type: 'paragraph', text: 'Three' },
    { type: 'paragraph', text: 'Four' },
  ]);
});

const styleRelation =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" ' +
  'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>';

test('tracked deletions are omitted, tracked insertions included', async () => {
  const { blocks } = await read(
    `<w:p>${run('The lamp is ')}<w:del><w:r><w:delText>red</w:delText></w:r></w:del><w:ins>${run('blue')}</w:ins></w:p>`,
  );
  expect(blocks).toEqual([{ type: 'paragraph', text: 'The lamp is blue' }]);
});

test('merged cells of a table are repeated where a row needs them', async () => {
  const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
  const { blocks } = await read(
    `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Part')}${cell('Sizes', '<w:gridSpan w:val="2"/>')}</w:tr>` +
      `<w:tr>${cell('Foot', '<w:vMerge w:val="restart"/>')}${cell('12')}${cell('14')}</w:tr>` +
      `<w:tr>${cell('', '<w:vMerge/>')}${cell('16')}${cell('18')}</w:tr></w:tbl>`,
  );
  expect(blocks).toEqual([
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

test('an archive that unpacks to more than it may is refused before anything else is done with it', async () => {
  const bytes = document(paragraph('a'), { 'word/media/image1.bin': 'a'.repeat(900_000) });
  const context = fakeParserContext({ maximumExpandedBytes: 500_000 });
  await expect(parse(file('a.docx', bytes), context)).rejects.toMatchObject({ reason: 'document_too_complex' });
});
