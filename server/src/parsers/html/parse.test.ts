import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { describe, expect, test } from 'vitest';
import { html } from './index.ts';
import { parse } from './parse.ts';

const page = (name: string, content: string | Uint8Array) => parserFile(name, content, 'text/html');
const read = (content: string | Uint8Array) => parse(page('page.html', content), fakeParserContext());
const sentence = 'The lamp is charged with the cable that is in the box, which takes about three hours. ';

parserContract({
  parser: html,
  samples: [
    {
      file: page('guide.html', '<title>A  guide</title><h1>Lamps</h1><p>One.<ul><li>Two'),
      expects: ({ title, blocks }) => {
        expect(title).toBe('A guide');
        expect(blocks).toEqual([
          { type: 'heading', level: 1, text: 'Lamps' },
          { type: 'paragraph', text: 'One.' },
          { type: 'list-item', text: 'Two' },
        ]);
      },
    },
    {
      file: page('untitled.html', '<h1>Lamps <i>and</i> more</h1>'),
      expects: ({ title }) => expect(title).toBe('Lamps and more'),
    },
  ],
  broken: [{ file: page('deep.html', `${'<div>'.repeat(200_000)}a`), reason: 'document_too_complex' }],
});

describe('encodings', () => {
  const encoded = (start: string, hex: string) => Buffer.concat([Buffer.from(start), Buffer.from(hex, 'hex')]);
  test.each([
    ['of a byte order mark', Buffer.from('\ufeff<meta charset=latin1><p>größer', 'utf16le'), 'größer'],
    ['that the page names', encoded('<meta charset="gb18030"><p>', 'b5c6'), '灯'],
    [
      'named as the head of an answer',
      encoded('<meta http-equiv=x content="text/html; charset=shift_jis"><p>', '8ec6'),
      '屡',
    ],
    ['of XML', encoded('<?xml version="1.0" encoding="windows-1251"?><p>', 'ebe0ecefe0'), 'лампа'],
    ['without a name', Buffer.from('<p>灯 größer'), '灯 größer'],
    ['that are unknown', Buffer.from('<meta charset=nonsense><p>größer'), 'größer'],
    ['of pages that declare UTF-16 in single bytes', Buffer.from('<meta charset=utf-16><p>größer'), 'größer'],
  ])('%s', async (_name, bytes, text) => {
    const { blocks, warnings } = await read(bytes);
    expect(blocks).toEqual([{ type: 'paragraph', text }]);
    expect(warnings).toEqual([]);
  });

  test('that are guessed cause a warning', async () => {
    const { blocks, warnings } = await read(Buffer.from(`<p>Der Schalter ist größer. ${sentence}`, 'latin1'));
    expect(blocks[0]).toMatchObject({ text: expect.stringContaining('größer') });
    expect(warnings).toEqual([expect.stringContaining('ISO-8859-1')]);
  });
});

describe('an article', () => {
  const menu = '<nav><ul><li><a href=/>Start</a><li><a href=/shop>Shop</a></ul></nav>';
  const footer = '<footer><p>Imprint and cookies</p></footer>';

  test('is read without its surroundings', async () => {
    const table = '<table><tr><th>Mode<th>Hours<tr><td>Low<td>40</table>';
    const article = `<article><h2>Charging</h2><p>${sentence.repeat(4)}</p>${table}<p>${sentence.repeat(4)}</p></article>`;
    const { blocks, warnings } = await read(`<title>Lamp</title><body>${menu}${article}${footer}`);
    expect(blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'table', 'paragraph']);
    expect(warnings).toEqual([expect.stringContaining('omitted')]);
  });

  test('that is only a part of the text is not taken for all of it', async () => {
    const parts = ['Alpha', 'Beta', 'Gamma', 'Delta'].map(
      (name) => `<div><h2>${name}</h2><ul>${`<li><a href=#>${name} ${sentence}</a>`.repeat(6)}</ul></div>`,
    );
    const { blocks, warnings } = await read(`${menu}${parts.join('')}${footer}`);
    const texts = blocks.map((block) => ('text' in block ? block.text : ''));
    expect(texts).toEqual(expect.arrayContaining(['Alpha', 'Beta', 'Gamma', 'Delta', 'Imprint and cookies']));
    expect(texts).not.toContain('Shop');
    expect(warnings).toEqual([]);
  });
});
