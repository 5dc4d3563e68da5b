import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import type { Root } from 'hast';
import { checkPages, DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { findElement, htmlBlocks, htmlText, xhtmlTree } from '../../kit/html-blocks.ts';
import { decodeXml } from '../../kit/xml-reader.ts';
import { ZipEntries, type ZipEntry } from '../../kit/zip-entries.ts';
import { readBook } from './book.ts';

/** Pictures and fonts count, too. */
const mostParts = 50_000;

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const { maximumExpandedBytes } = context;
  const parts = await ZipEntries.open(file.bytes, {
    maximumEntries: mostParts,
    maximumEntryBytes: maximumExpandedBytes,
    maximumExpandedBytes,
  });
  try {
    return await read(parts, context);
  } catch (error) {
    throw documentFault(error, 'The book is damaged.');
  }
}

async function read(parts: ZipEntries, context: ParserContext): Promise<ParsedDocument> {
  const { title, chapters } = await readBook(parts);
  checkPages(chapters.length, context);
  const entries = chapters.map((path) => parts.find(path));
  if (entries.every((entry) => entry === undefined))
    throw new ParleyError('document_broken', 'The book is damaged: it contains none of its chapters.');
  const draft = new DocumentDraft(context);
  for (const [index, entry] of entries.entries()) {
    await readInto(draft, entry);
    context.progress(index + 1, entries.length);
  }
  return draft.finish(title, 'chapter');
}

async function readInto(draft: DocumentDraft, entry: ZipEntry | undefined): Promise<void> {
  if (entry === undefined) {
    draft.beginPage();
    draft.note('the chapter is missing in the file');
    return;
  }
  const tree = xhtmlTree(decodeXml(await entry.read()));
  draft.beginPage(nameOf(tree));
  const before = draft.characters;
  htmlBlocks(tree, (block) => draft.add(block));
  if (draft.characters === before) draft.note('no text, possibly a picture');
}

/** Its first heading; many programs put the title of the book into the title of each chapter. */
function nameOf(tree: Root): string | undefined {
  for (const level of ['h1', 'h2', 'h3']) {
    const heading = findElement(tree, level);
    if (heading !== null && htmlText(heading).trim() !== '') return htmlText(heading);
  }
  return undefined;
}
