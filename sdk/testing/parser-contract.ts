import { describe, expect, it } from 'vitest';
import { ParleyError, type Reason } from '../src/errors.ts';
import type { DocumentBlock, ModuleParser, Parse, ParsedDocument, ParserContext, ParserFile } from '../src/parser.ts';
import { textsTests } from './identity-tests.ts';
import { parseInThread } from './parse-in-thread.ts';

export interface ParserSample {
  /** Title of the test; default: the name of the file. */
  title?: string;
  file: ParserFile;
  /** Further assertions on the parsed document. */
  expects: (document: ParsedDocument) => void;
}

export interface BrokenSample {
  /** Title of the test; default: the name of the file. */
  title?: string;
  file: ParserFile;
  /** Default `document_broken`. */
  reason?: DocumentReason;
}

export interface ParserContractOptions {
  parser: ModuleParser;
  /** Small files with some text, one at least for each thing that the format can hold. */
  samples: readonly ParserSample[];
  /** Files that cannot be read. Empty where everything is a file of the format, like plain text. */
  broken: readonly BrokenSample[];
}

const documentReasons = [
  'document_broken',
  'document_encrypted',
  'document_empty',
  'document_too_complex',
  'document_type_unsupported',
] as const satisfies readonly Reason[];

/** The reasons that a parser may give. */
export type DocumentReason = (typeof documentReasons)[number];

/** Longest that a small file may take, milliseconds; generous, since machines that run tests are busy. */
const patience = 60_000;

/** A file as the host hands it to a parser. */
export function parserFile(name: string, content: string | Uint8Array, mediaType = 'text/plain'): ParserFile {
  const dot = name.lastIndexOf('.');
  return {
    name,
    extension: dot === -1 ? '' : name.slice(dot + 1).toLowerCase(),
    media_type: mediaType,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  };
}

/** A context like the host's, which records calls. */
export function fakeParserContext(
  limits: Partial<Omit<ParserContext, 'progress'>> = {},
): ParserContext & { readonly steps: { done: number; total: number }[] } {
  const steps: { done: number; total: number }[] = [];
  return {
    maximumExpandedBytes: 100_000_000,
    maximumPages: 5000,
    maximumCharacters: 10_000_000,
    ...limits,
    steps,
    progress: (done, total) => steps.push({ done, total }),
  };
}

/** Registers the tests that every {@link Parser} must pass. */
export function parserContract({ parser, samples, broken }: ParserContractOptions): void {
  describe(`parser ${parser.plugin_id}`, () => {
    textsTests(parser.name, parser.description);

    it('has an id of an author and a name', () => {
      expect(parser.plugin_id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/);
    });

    it('declares its formats, each once', () => {
      expect(parser.media_types.length + parser.extensions.length).toBeGreaterThan(0);
      for (const type of parser.media_types) expect(type).toMatch(/^[a-z]+\/([a-z0-9][a-z0-9.+-]*|\*)$/);
      for (const extension of parser.extensions) expect(extension).toMatch(/^[a-z0-9][a-z0-9_+-]*$/);
      expect(new Set(parser.media_types).size).toBe(parser.media_types.length);
      expect(new Set(parser.extensions).size).toBe(parser.extensions.length);
    });

    it('has a module that exports parse', async () => {
      expect(new URL(parser.module).protocol).toBe('file:');
      expect(await parseOf(parser)).toBeTypeOf('function');
    });

    it('is tried with a file at least', () => {
      expect(samples.length).toBeGreaterThan(0);
    });

    describe.each(samples.map((sample) => ({ ...sample, title: sample.title ?? sample.file.name })))(
      'reads $title',
      (sample) => sampleTests(parser, sample),
    );

    it.each(broken.map((sample) => ({ ...sample, title: sample.title ?? sample.file.name })))(
      'refuses $title',
      async ({ file, reason = 'document_broken' }) => {
        const outcome = await outcomeOf(parser, file);
        expect(outcome).toBeInstanceOf(ParleyError);
        expect(outcome).toMatchObject({ reason });
        expect((outcome as ParleyError).message.trim()).not.toBe('');
      },
    );

    it('finds no text in a file without bytes', async () => {
      const [sample] = samples;
      if (sample === undefined) return expect.unreachable('there is no sample');
      const outcome = await outcomeOf(parser, { ...sample.file, bytes: new Uint8Array() });
      if (outcome instanceof ParleyError) expect(documentReasons).toContain(outcome.reason);
      else expect((outcome as ParsedDocument).blocks).toEqual([]);
    });

    it('comes to an end with every file, broken ones too', { timeout: 2 * patience }, async () => {
      const files = [
        ...samples.flatMap(({ file }) => [file, ...damaged(file)]),
        ...broken.map(({ file }) => file),
        ...samples.slice(0, 1).map(({ file }) => ({ ...file, bytes: new Uint8Array() })),
      ];
      const outcomes = await parseInThread(parser.module, files, patience);
      expect(outcomes).toHaveLength(files.length);
      for (const outcome of outcomes) {
        if (outcome.document === undefined) expect(documentReasons, outcome.message).toContain(outcome.reason);
        else expectWellFormed(outcome.document);
      }
    });
  });
}

function sampleTests(parser: ModuleParser, { file, expects }: ParserSample): void {
  const read = async (context = fakeParserContext()) => (await parseOf(parser))(file, context);

  it('as it should be', async () => {
    const document = await read();
    expectWellFormed(document);
    expect(document.blocks).not.toEqual([]);
    expects(document);
  });

  it('the same way each time, and leaves its bytes as they are', async () => {
    const before = file.bytes.slice();
    const first = await read();
    expect(await read()).toEqual(first);
    expect(file.bytes).toEqual(before);
  });

  it('and only ever gets further', async () => {
    const context = fakeParserContext();
    await read(context);
    for (const [index, { done, total }] of context.steps.entries()) {
      expect(Number.isInteger(done) && Number.isInteger(total)).toBe(true);
      expect(done).toBeLessThanOrEqual(total);
      expect(done).toBeGreaterThanOrEqual(context.steps[index - 1]?.done ?? 0);
    }
  });

  it('within its limits, or not at all', async () => {
    const { pages } = await read();
    await expect(read(fakeParserContext({ maximumCharacters: 1 }))).rejects.toMatchObject({
      reason: 'document_too_complex',
    });
    if (pages.length < 2) return;
    await expect(read(fakeParserContext({ maximumPages: 1 }))).rejects.toMatchObject({
      reason: 'document_too_complex',
    });
  });
}

async function parseOf(parser: ModuleParser): Promise<Parse> {
  const { parse } = (await import(/* @vite-ignore */ parser.module)) as { parse: Parse };
  return parse;
}

async function outcomeOf(parser: ModuleParser, file: ParserFile): Promise<unknown> {
  const parse = await parseOf(parser);
  return parse(file, fakeParserContext()).catch((error: unknown) => error);
}

/** The file as transfers and disks damage it. */
function damaged(file: ParserFile): ParserFile[] {
  const half = Math.floor(file.bytes.length / 2);
  const flipped = file.bytes.slice();
  for (let index = 20; index < flipped.length; index += 97) flipped[index] = 255 - (flipped[index] ?? 0);
  return [file.bytes.slice(0, half), file.bytes.slice(half), flipped].map((bytes) => ({ ...file, bytes }));
}

function expectWellFormed(document: ParsedDocument): void {
  const { title, blocks, page_kind, pages, warnings } = document;
  if (title !== null) expect(title.trim()).not.toBe('');
  for (const warning of warnings) expect(warning.trim()).not.toBe('');
  if (page_kind === null) expect(pages).toEqual([]);
  else expect(['page', 'slide', 'sheet', 'chapter']).toContain(page_kind);
  expect(pages.map(({ number }) => number)).toEqual(pages.map((_page, index) => index + 1));
  for (const { characters, note, name } of pages) {
    expect(Number.isInteger(characters) && characters >= 0).toBe(true);
    for (const text of [note, name]) if (text !== undefined) expect(text.trim()).not.toBe('');
  }
  for (const block of blocks) {
    const fault = blockFault(block, pages.length);
    if (fault !== null) expect.unreachable(`${fault}: ${JSON.stringify(block).slice(0, 500)}`);
  }
}

/** Without assertions, which are slow: there may be very many blocks. */
function blockFault(block: DocumentBlock, pages: number): string | null {
  const { page } = block;
  if (page !== undefined && !(Number.isInteger(page) && page >= 1 && page <= pages)) return 'there is no such page';
  if (block.type === 'table') {
    if (typeof block.head !== 'boolean') return 'the flag for the header is missing';
    const cells = block.rows.flat();
    if (!cells.every((cell) => typeof cell === 'string')) return 'a cell is no text';
    return cells.some((cell) => cell.trim() !== '') ? null : 'an empty table';
  }
  if (!['heading', 'paragraph', 'list-item', 'code'].includes(block.type)) return 'there is no such type of block';
  if (typeof block.text !== 'string' || block.text.trim() === '') return 'a block without text';
  if (block.type !== 'heading') return null;
  return Number.isInteger(block.level) && block.level >= 1 && block.level <= 6 ? null : 'there is no such level';
}
