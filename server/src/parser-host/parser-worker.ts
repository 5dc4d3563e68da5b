import { parentPort, workerData } from 'node:worker_threads';
import {
  type DocumentBlock,
  type LocateText,
  ParleyError,
  type Parse,
  type ParsedDocument,
  type ParserFile,
  type RenderPage,
  reasons,
} from '@parley/sdk';
import { storableText } from '../lib/storable-text.ts';
import { lowerThreadPriority } from '../lib/thread-priority.ts';
import { parserForContent } from './parser-for-content.ts';
import type { ParserDeclaration, ThreadAnswer, ThreadQuestion, ThreadSetting } from './thread-messages.ts';
import { unpackArchive } from './unpack-archive.ts';

/*
 * A thread that reads documents, one after the other. It is ended from outside when it takes too long or too much.
 */

const { parsers, limits, isBackground } = workerData as ThreadSetting;
/** Least time between two reports of how far it is, milliseconds. */
const progressInterval = 100;
/** Transfer size of a part of a document. */
const partBlocks = 2000;
const partCharacters = 500_000;

if (isBackground) lowerThreadPriority(10);

function post(answer: ThreadAnswer, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, moved);
}

async function parse(named: ParserDeclaration, file: ParserFile): Promise<void> {
  const { parser, warning } = await parserForContent(named, parsers, file);
  const document = tidied(parser.module === null ? await readElsewhere(parser) : await readHere(parser.module, file));
  if (document.blocks.length > limits.maximumBlocks) {
    const message = `The document has more than ${limits.maximumBlocks} paragraphs, which is more than is read.`;
    throw new ParleyError('document_too_complex', message);
  }
  if (document.blocks.length === 0) throw new ParleyError('document_empty', emptyMessage(document));
  if (warning !== null) document.warnings.unshift(warning);
  const blocks = document.blocks.splice(0);
  for (const part of parts(blocks)) {
    post({ type: 'blocks', blocks: part });
    await arrived();
  }
  post({ type: 'parsed', document });
}

async function readHere(path: string, file: ParserFile): Promise<ParsedDocument> {
  const module = (await import(path)) as { parse: Parse };
  return await reading(module.parse, file);
}

async function readElsewhere({ plugin_id }: ParserDeclaration): Promise<ParsedDocument> {
  const { checkedDocument } = await import('./checked-document.ts');
  const document = Promise.withResolvers<unknown>();
  whenRead = document.resolve;
  post({ type: 'elsewhere', plugin_id });
  return checkedDocument(await document.promise, limits);
}

/** Reports the error, if the parser knows it. */
function emptyMessage({ pages }: ParsedDocument): string {
  const note = pages.find((page) => page.note !== undefined)?.note;
  return note === undefined ? 'No text was found in the file.' : `No text was found in the file: ${note}.`;
}

/** Sanitizes output for storage: parsers may be third-party code. */
function tidied(document: ParsedDocument): ParsedDocument {
  const { title, blocks, page_kind, pages, warnings } = document;
  const name = storableText(title ?? '').trim();
  return {
    title: name === '' ? null : name,
    blocks: blocks.map(storableBlock).filter((block) => block !== null),
    page_kind,
    pages: pages.map((page) => (page.name === undefined ? page : { ...page, name: storableText(page.name) })),
    warnings: warnings.map(storableText),
  };
}

function storableBlock(block: DocumentBlock): DocumentBlock | null {
  if (block.type === 'table') {
    const rows = block.rows.map((row) => row.map(storableText));
    return rows.some((row) => row.some((cell) => cell.trim() !== '')) ? { ...block, rows } : null;
  }
  const text = storableText(block.text);
  return text.trim() === '' ? null : { ...block, text };
}

function* parts(blocks: DocumentBlock[]): Generator<DocumentBlock[]> {
  let part: DocumentBlock[] = [];
  let characters = 0;
  for (const block of blocks) {
    part.push(block);
    characters += block.type === 'table' ? block.rows.flat().join().length : block.text.length;
    if (part.length < partBlocks && characters < partCharacters) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

async function reading(parseFile: Parse, file: ParserFile): Promise<ParsedDocument> {
  let last = Number.NEGATIVE_INFINITY;
  let isOver = false;
  const progress = (done: number, total: number) => {
    const now = performance.now();
    // Late messages would count for the next document.
    if (isOver || (done < total && now - last < progressInterval)) return;
    last = now;
    post({ type: 'progress', done, total });
  };
  try {
    return await parseFile(file, { ...limits, progress });
  } finally {
    isOver = true;
  }
}

async function unpack(bytes: Uint8Array): Promise<void> {
  const files = await unpackArchive(bytes, parsers, limits);
  post(
    { type: 'unpacked', files },
    files.map((file) => file.bytes.buffer as ArrayBuffer),
  );
}

interface PageModule {
  renderPage: RenderPage;
  locateText: LocateText;
}

async function render({ module, file, page, maximumPixels }: Extract<ThreadQuestion, { type: 'render' }>) {
  const { renderPage } = (await import(module)) as PageModule;
  const rendered = await renderPage(file, page, maximumPixels);
  // A view of a larger buffer would move all of it.
  const image = rendered === null ? null : new Uint8Array(rendered.image);
  post(
    { type: 'rendered', page: rendered === null || image === null ? null : { ...rendered, image } },
    image === null ? [] : [image.buffer],
  );
}

async function locate({ module, file, query }: Extract<ThreadQuestion, { type: 'locate' }>) {
  const { locateText } = (await import(module)) as PageModule;
  post({ type: 'located', pages: await locateText(file, query) });
}

/** A parser from outside may have its own copy of the class. */
function isMeant(error: unknown): error is ParleyError {
  if (error instanceof ParleyError) return true;
  return error instanceof Error && error.name === 'ParleyError' && 'reason' in error && String(error.reason) in reasons;
}

function tellFailure(error: unknown): void {
  if (isMeant(error)) {
    const { reason, message, details } = error;
    post({ type: 'refused', reason, message, details });
    return;
  }
  const isTooDeep = error instanceof RangeError && error.message.includes('call stack');
  if (isTooDeep) {
    const message = 'Too many parts of the document lie in each other.';
    post({ type: 'refused', reason: 'document_too_complex', message, details: undefined });
    return;
  }
  const isOutOfMemory =
    error instanceof RangeError && /allocation failed|invalid (array|string) length/i.test(error.message);
  post({ type: 'failed', error: textOf(error), isOutOfMemory });
}

function textOf(error: unknown): string {
  return String(error instanceof Error ? error.stack : error);
}

// It may stem from an earlier document, so it does not fail this one.
process.on('unhandledRejection', (error) => post({ type: 'stray', error: textOf(error) }));

let whenRead: (document: unknown) => void = () => undefined;
let nextPart: PromiseWithResolvers<void> | null = null;

function arrived(): Promise<void> {
  nextPart = Promise.withResolvers();
  return nextPart.promise;
}

parentPort?.on('message', (question: ThreadQuestion) => {
  switch (question.type) {
    case 'next':
      nextPart?.resolve();
      return;
    case 'read':
      whenRead(question.document);
      return;
    case 'parse':
      parse(question.parser, question.file).catch(tellFailure);
      return;
    case 'unpack':
      unpack(question.bytes).catch(tellFailure);
      return;
    case 'render':
      render(question).catch(tellFailure);
      return;
    case 'locate':
      locate(question).catch(tellFailure);
  }
});
