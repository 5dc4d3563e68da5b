import { parserFile, silentLogger } from '@parley/sdk/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { Registry } from '../../src/lib/registry.ts';
import { ParserHost } from '../../src/parser-host/parser-host.ts';
import { parsers } from '../../src/parsers/index.ts';
import { zipArchive } from '../factories/zip-archive.ts';

/*
 * Documents of nothing but one kind of white space. What takes a time in proportion to the text is done within seconds;
 * what takes the square of it would need hours and ends with `parse_time_limit`.
 */

const patience = 180_000;
/** Everything that Unicode calls white space, and what only looks like nothing. */
const spaces =
  '\t\n\v\f\r\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029' +
  '\u202f\u205f\u3000\u180e\u200b\u2060\ufeff';
const named = [...spaces].map((space) => [`U+${space.charCodeAt(0).toString(16).padStart(4, '0')}`, space] as const);
const size = 10_000_000;
const never = new AbortController().signal;
const host = new ParserHost(new Registry(parsers), { logger: silentLogger });
afterAll(() => host.close());

/** @returns the text, or the error */
async function read(name: string, content: string | Uint8Array): Promise<string> {
  const file = parserFile(name, content);
  const parser = host.parserFor(file);
  if (parser === null) throw new Error(`no parser reads ${name}`);
  const outcome = await host.parse(parser, file, { signal: never }).catch((error: { reason: string }) => error);
  if ('reason' in outcome) return outcome.reason;
  const texts = outcome.blocks.map((block) => (block.type === 'table' ? block.rows.flat().join(' ') : block.text));
  return texts.join(' ').replace(/[\s\u180e\u200b\u2060\ufeff]+/g, ' ');
}

const fill = (space: string, bytes = size) => space.repeat(bytes / Buffer.byteLength(space));

/** A document of a format with a large amount of filler between two words. */
const formats: Record<string, (white: string) => string | Uint8Array> = {
  html: (white) => `<p>one${white}two</p>`,
  'in an article.html': (white) =>
    `<nav>menu</nav><article><p>${'one '.repeat(200)}${white}two</p></article><footer>end</footer>`,
  'in a heading.html': (white) => `<h1>one${white}two</h1>`,
  'in a table.html': (white) => `<table><tr><td>a<td>one<tr><td>b<td>${white}two</table>`,
  txt: (white) => `one${white}two`,
  md: (white) => `one${white}two`,
  'in a list.md': (white) => `- one\n- ${white}two`,
  csv: (white) => `a,b\none,${white}two`,
  py: (white) => `one${white}two`,
  json: (white) => JSON.stringify({ a: 'one', b: `${white}two` }),
  'between values.json': (white) => `{"a": "one",${white}"b": "two"}`,
  'behind an object.json': (white) => `{"one": 1}${white}two`,
  jsonl: (white) => `{"a": "one"}\n${white}{"b": "two"}`,
  yaml: (white) => `a: one${white}\nb: two`,
  eml: (white) => `From: a@example.com\nContent-Type: text/plain; charset=utf-8\n\none${white}two`,
  'of HTML.eml': (white) => `From: a@example.com\nContent-Type: text/html; charset=utf-8\n\n<p>one${white}two</p>`,
  docx: (white) =>
    zipArchive([
      {
        path: '[Content_Types].xml',
        content:
          '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
          '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.' +
          'wordprocessingml.document.main+xml"/></Types>',
      },
      {
        path: '_rels/.rels',
        content:
          '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
          '<Relationship Id="rId1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/officeDocument/' +
          '2006/relationships/officeDocument"/></Relationships>',
      },
      {
        path: 'word/document.xml',
        content:
          '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
          `<w:body><w:p><w:r><w:t xml:space="preserve">one${white}two</w:t></w:r></w:p></w:body></w:document>`,
      },
    ]),
};
const fileOf = (format: string) => (format.includes('.') ? format : `document.${format}`);

describe('ten million bytes of one white space', { timeout: patience }, () => {
  it.each(named)('%s in a web page', async (_, space) => {
    // Too many control characters are no text, and of each carriage return the library keeps a note.
    const refused = ['\v', '\u0085', '\r'].includes(space) ? '|document_broken|parse_memory_limit' : '';
    expect(await read('page.html', `<p>one${fill(space)}two</p>`)).toMatch(new RegExp(`^(one ?two${refused})$`));
  });

  it.each(Object.keys(formats))('a few of them in other documents: %s', async (format) => {
    const make = formats[format] as (white: string) => string | Uint8Array;
    for (const space of [' ', '\u00a0', '\n']) {
      expect(await read(fileOf(format), make(fill(space)))).not.toMatch(/parse_(time|memory)_limit/);
    }
  });
});
