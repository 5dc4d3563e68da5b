import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { expect, test } from 'vitest';
import { zipArchive } from '../../../test/factories/zip-archive.ts';
import { epub } from './index.ts';
import { parse } from './parse.ts';

const file = (name: string, bytes: string | Uint8Array) => parserFile(name, bytes, 'application/epub+zip');
const container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';

/** @param chapters body content by path */
function book(chapters: Record<string, string>, more: Record<string, string> = {}): Uint8Array {
  const paths = Object.keys(chapters);
  const items = paths.map(
    (path, at) => `<item id="c${at}" href="${encodeURI(path)}" media-type="application/xhtml+xml"/>`,
  );
  const parts: Record<string, string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    'OPS/book.opf': `<package xmlns:dc="dc"><metadata><dc:title>A book</dc:title><dc:title>of lamps</dc:title></metadata>
      <manifest>${items.join('')}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest>
      <spine><itemref idref="nav"/>${paths.map((_, at) => `<itemref idref="c${at}"/>`).join('')}</spine></package>`,
    'OPS/nav.xhtml': '<html><body><nav>Contents</nav></body></html>',
    ...more,
  };
  for (const [path, body] of Object.entries(chapters))
    parts[`OPS/${path}`] =
      `<?xml version="1.0"?><html><head><title/><script src="a.js"/></head><body>${body}</body></html>`;
  return zipArchive(Object.entries(parts).map(([path, content]) => ({ path, content })));
}

parserContract({
  parser: epub,
  samples: [
    {
      file: file(
        'lamps.epub',
        book({
          'z.xhtml': '<h1><a id="x"/>Lamps</h1><p>They give light.</p>',
          'second chapter.xhtml': '<p>They need power.</p>',
          'c.xhtml': '<img src="a.png"/>',
        }),
      ),
      expects: ({ title, blocks, pages, page_kind }) => {
        expect({ title, page_kind }).toEqual({ title: 'A book', page_kind: 'chapter' });
        expect(pages).toEqual([
          { number: 1, name: 'Lamps', characters: 21 },
          { number: 2, characters: 16 },
          { number: 3, characters: 0, note: 'no text, possibly a picture' },
        ]);
        expect(blocks).toEqual([
          { page: 1, type: 'heading', level: 1, text: 'Lamps' },
          { page: 1, type: 'paragraph', text: 'They give light.' },
          { page: 2, type: 'paragraph', text: 'They need power.' },
        ]);
      },
    },
  ],
  broken: [
    { file: file('text.epub', 'This is no archive.') },
    { file: file('other.epub', zipArchive([{ path: 'a.txt', content: 'a' }])) },
    {
      file: file(
        'empty.epub',
        zipArchive([
          { path: 'META-INF/container.xml', content: container },
          { path: 'OPS/book.opf', content: '<package/>' },
        ]),
      ),
    },
    {
      file: file(
        'locked.epub',
        book(
          { 'a.xhtml': 'x' },
          { 'META-INF/encryption.xml': encryption('OPS/a.xhtml', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc') },
        ),
      ),
      reason: 'document_encrypted',
    },
  ],
});

function encryption(path: string, algorithm: string): string {
  return `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`;
}

test('hidden fonts do not make a book unreadable', async () => {
  const more = { 'META-INF/encryption.xml': encryption('OPS/a.otf', 'http://www.idpf.org/2008/embedding') };
  const bytes = book({ 'a.xhtml': '<p>One</p>' }, more);
  expect((await parse(file('a.epub', bytes), fakeParserContext())).blocks).toHaveLength(1);
});
