import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DocumentBlock, ParsedDocument, ParserFile } from '@parley/sdk';
import { parserFile, silentLogger } from '@parley/sdk/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { mediaTypeOf } from '../../src/core/files/media-type.ts';
import { Registry } from '../../src/lib/registry.ts';
import { ParserHost } from '../../src/parser-host/parser-host.ts';
import { parsers } from '../../src/parsers/index.ts';

/*
 * Files as real programs write them, read by the real parsers in their threads. What is expected of each stands in
 * `corpus/expected`, one line for each block; `corpus/README.md` says where the files come from.
 */

const corpus = new URL('./corpus/', import.meta.url);
const patience = 120_000;
const signal = new AbortController().signal;
const host = new ParserHost(new Registry(parsers), { logger: silentLogger });
afterAll(() => host.close());

const names = readdirSync(fileURLToPath(corpus), { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'README.md' && !entry.name.startsWith('.'))
  .map(({ name }) => name);
/** Unreadable files, with their error messages. */
const refused: Record<string, { reason: string; message: RegExp }> = {
  'libreoffice-old.doc': { reason: 'document_type_unsupported', message: /save it as \.docx/ },
  'msoffcrypto-encrypted.docx': { reason: 'document_encrypted', message: /password/ },
  'msoffcrypto-encrypted.xlsx': { reason: 'document_encrypted', message: /password/ },
  'pillow-scan.pdf': { reason: 'document_empty', message: /scan/ },
  'qpdf-encrypted.pdf': { reason: 'document_encrypted', message: /password/ },
};
const archives = names.filter((name) => name.endsWith('.zip'));
const readable = names.filter((name) => !(name in refused) && !archives.includes(name));

/** Read before the first test: one that is missing would be written, and nothing would be tested. */
const expected = readdirSync(fileURLToPath(new URL('./expected/', corpus)));

const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, corpus)));

/** As a service does it. */
async function read(name: string, bytes: Uint8Array): Promise<ParsedDocument> {
  const file: ParserFile = { ...parserFile(name, bytes), media_type: await mediaTypeOf(bytes.subarray(0, 4100)) };
  const parser = host.parserFor(file);
  if (parser === null) return expect.unreachable(`no parser reads ${name}, a ${file.media_type}`);
  return host.parse(parser, file, { signal });
}

function described({ title, page_kind, pages, blocks, warnings }: ParsedDocument): string {
  const lines = [`title: ${title}`];
  for (const { number, name, characters, note } of pages)
    lines.push(`${page_kind} ${number}: ${[name, `${characters} characters`, note].filter(Boolean).join(', ')}`);
  lines.push(...warnings.map((warning) => `warning: ${warning}`), '', ...blocks.map(line));
  return `${lines.join('\n')}\n`;
}

function line(block: DocumentBlock): string {
  const page = block.page === undefined ? '' : `${block.page} `;
  if (block.type === 'table') {
    const rows = block.rows.map((row) => `\n    ${row.map((cell) => JSON.stringify(cell)).join(' | ')}`);
    return `${page}table${block.head ? ' with a head' : ''}:${rows.join('')}`;
  }
  const more = block.type === 'heading' ? ` ${block.level}` : block.type === 'code' ? ` ${block.language ?? ''}` : '';
  return `${page}${block.type}${more.trimEnd()}: ${block.text.replaceAll('\n', '\\n')}`;
}

test('the corpus holds files of every format', () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
  const extensions = new Set(names.map((name) => name.slice(name.lastIndexOf('.') + 1)));
  const formats = 'txt md html pdf docx pptx xlsx csv json epub eml py go zip doc'.split(' ');
  expect([...extensions].sort()).toEqual(formats.sort());
});

test('it is stated what is expected of each file, and of no other', () => {
  expect(expected.sort()).toEqual([...readable, ...archives].map((name) => `${name}.txt`).sort());
});

describe('a file of the corpus', () => {
  test.each(readable)('%s is read as it should be', { timeout: patience }, async (name) => {
    await expect(described(await read(name, bytesOf(name)))).toMatchFileSnapshot(`./corpus/expected/${name}.txt`);
  });

  test.each(Object.keys(refused))('%s is refused', { timeout: patience }, async (name) => {
    const { reason, message } = refused[name] ?? expect.unreachable(name);
    await expect(read(name, bytesOf(name))).rejects.toMatchObject({ reason, message: expect.stringMatching(message) });
  });

  test.each(archives)('%s is unpacked', { timeout: patience }, async (name) => {
    const files = await host.unpack(bytesOf(name), { signal });
    const documents = await Promise.all(files.map((file) => read(file.name, file.bytes)));
    const text = documents.map((document, index) => `${files[index]?.name}\n${described(document)}`).join('\n');
    await expect(text).toMatchFileSnapshot(`./corpus/expected/${name}.txt`);
  });
});

/** In the handbook, which many programs made a file of. */
const sentences = [
  'Handbook of the lamp Lumo 3',
  'The Lumo 3 is a desk lamp with a rechargeable battery. It stands on any flat surface and weighs 640 grams.',
  'a charging cable',
  'with a flat plug',
  'Charge the lamp for three hours.',
  'Two blinks mean that the battery is nearly empty.',
  'Evening 180 lm 24',
  'port = serial.Serial("/dev/ttyUSB0")',
  'Never use solvents, and do not open the housing: the battery inside is glued to the frame and must only be exchanged by a workshop.',
];

/** What the programs themselves leave out of their files. */
const lost: Record<string, string[]> = {
  'libreoffice-handbook.txt': ['Two blinks mean that the battery is nearly empty.'],
};

describe('the handbook', () => {
  const handbooks = readable.filter((name) => name.includes('handbook') || name === 'libreoffice-slides.pptx');

  test('is there in many formats', () => {
    expect(handbooks.length).toBeGreaterThanOrEqual(11);
  });

  test.each(handbooks)('says all that it says in %s', { timeout: patience }, async (name) => {
    const { title, blocks } = await read(name, bytesOf(name));
    const texts = [
      title,
      ...blocks.map((block) => (block.type === 'table' ? block.rows.flat().join(' ') : block.text)),
    ];
    // Text files have their own line breaks, and their tables are made of spaces and marks.
    const text = texts
      .join(' ')
      .replace(/[\s|>]+/g, ' ')
      .replaceAll('\\', '');
    for (const sentence of sentences) if (!lost[name]?.includes(sentence)) expect(text).toContain(sentence);
  });
});
