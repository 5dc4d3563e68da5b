import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import { getDocumentProxy } from 'unpdf';
import { checkPages, DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { unreadableCharacters } from './characters.ts';
import { type BodyLetters, type Heading, headingLevels } from './headings.ts';
import { type PageText, type PdfDocument, readPageText } from './page-text.ts';
import { type Paragraph, paragraphsOf, Vocabulary } from './paragraphs.ts';
import { type Region, regionsOf } from './regions.ts';
import { joinSegments, rowsOf } from './rows.ts';
import { withoutRunningTexts } from './running-texts.ts';

/** Data of a page while the others are read. */
interface ReadPage {
  rows: ReturnType<typeof rowsOf>;
  height: number;
  turned: string[];
  note?: string;
}

type PagePart = Paragraph | Extract<Region, { type: 'table' }>;

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const document = await open(file.bytes);
  try {
    checkPages(document.numPages, context);
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    const outline = await document.getOutline().catch(() => null);
    const pages = await readPages(document, context);
    return write(pages, { title: titleOf(info), outline: outline ?? [] }, context);
  } catch (error) {
    throw documentFault(error, 'The PDF file is damaged.');
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // A copy, because the library transfers the buffer.
    return await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      enableXfa: false,
      verbosity: 0,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new ParleyError('document_encrypted', 'The PDF file can only be read with a password.', { cause: error });
    throw documentFault(error, 'The file is damaged, or no PDF file.');
  }
}

async function readPages(document: PdfDocument, context: ParserContext): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  let characters = 0;
  let faults = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const text = await readPage(document, number, context.maximumCharacters - characters);
    characters += text?.characters ?? 0;
    if (characters > context.maximumCharacters) throw tooLong(context);
    if (text === null) faults += 1;
    pages.push(readPageOf(text));
    context.progress(number, document.numPages);
  }
  if (faults > 0 && faults === document.numPages)
    throw new ParleyError('document_broken', 'The PDF file is damaged: none of its pages could be read.');
  return pages;
}

/** @returns null when the page is damaged */
async function readPage(document: PdfDocument, number: number, most: number): Promise<PageText | null> {
  try {
    const page = await document.getPage(number);
    try {
      return await readPageText(page, most);
    } finally {
      page.cleanup();
    }
  } catch {
    return null;
  }
}

function readPageOf(text: PageText | null): ReadPage {
  if (text === null) return { rows: [], height: 0, turned: [], note: 'the page is damaged' };
  const rows = rowsOf(text.fragments);
  if (rows.length === 0 && text.turned.length === 0) return { ...empty(text), note: 'no text, perhaps a scan' };
  const all = rows.map(({ segments }) => joinSegments(segments)).join('') + text.turned.join('');
  const isUnreadable = unreadableCharacters(all) > all.length * 0.2;
  const note = isUnreadable ? { note: 'much of its text uses a font without character mapping' } : {};
  return { ...empty(text), rows, turned: text.turned, ...note };
}

function empty({ height }: PageText): ReadPage {
  return { rows: [], height, turned: [] };
}

interface About {
  title: string | null;
  outline: readonly Heading[];
}

function write(read: readonly ReadPage[], { title, outline }: About, context: ParserContext): ParsedDocument {
  const draft = new DocumentDraft(context);
  const { pages, removed } = withoutRunningTexts(read);
  if (removed) draft.warn('Texts that repeat at the edges of the pages, like page numbers, were removed.');
  const vocabulary = new Vocabulary();
  for (const { segments } of pages.flatMap(({ rows }) => rows)) vocabulary.add(joinSegments(segments));
  const body = bodyLettersOf(pages);
  const parts = pages.map(({ rows }) => partsOf(regionsOf(rows), body.size, vocabulary));
  const levelOf = headingLevels(
    parts.flat().filter((part) => part.type !== 'table'),
    body,
    outline,
  );
  for (const [index, page] of pages.entries()) {
    draft.beginPage();
    for (const part of parts[index] ?? []) {
      const level = part.type === 'table' ? null : levelOf(part);
      if (part.type === 'table') draft.add({ type: 'table', head: part.head, rows: part.rows });
      else if (level !== null) draft.add({ type: 'heading', level, text: part.text });
      else draft.add({ type: part.type, text: part.text });
    }
    const { note, turned } = read[index] ?? {};
    for (const text of turned ?? []) draft.add({ type: 'paragraph', text });
    if (note !== undefined) draft.note(note);
    else if (page.rows.length === 0 && turned?.length === 0) draft.note('no text except what repeats on every page');
  }
  return draft.finish(title ?? firstHeading(draft), 'page');
}

function partsOf(regions: readonly Region[], bodySize: number, vocabulary: Vocabulary): PagePart[] {
  const parts: PagePart[] = [];
  let before: Region | undefined;
  for (const region of regions) {
    const read = region.type === 'table' ? [region] : paragraphsOf(region.lines, bodySize, vocabulary);
    const isNextColumn = before?.type === 'lines' && region.type === 'lines' && region.isColumn;
    const [first, last] = [read[0], parts.at(-1)];
    if (isNextColumn && first?.type === 'paragraph' && last?.type === 'paragraph' && isContinued(last, first)) {
      parts[parts.length - 1] = {
        ...last,
        text: vocabulary.join(last.text, first.text),
        lines: last.lines + first.lines,
      };
      read.shift();
    }
    parts.push(...read);
    before = region;
  }
  return parts;
}

/** From the end of a column at the head of the next one. */
function isContinued(last: Paragraph, next: Paragraph): boolean {
  return (
    Math.abs(last.size - next.size) < 0.5 && /[\p{L}\p{N},;-]$/u.test(last.text) && /^[\p{Ll}\p{N}]/u.test(next.text)
  );
}

function bodyLettersOf(pages: readonly Pick<ReadPage, 'rows'>[]): BodyLetters {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const count = <Key>(counts: Map<Key, number>, key: Key, text: string) =>
    counts.set(key, (counts.get(key) ?? 0) + text.length);
  for (const { size, font, text } of pages.flatMap(({ rows }) => rows.flatMap(({ segments }) => segments))) {
    count(sizes, Math.round(size * 2) / 2, text);
    count(fonts, font, text);
  }
  const most = <Key>(counts: Map<Key, number>, none: Key) =>
    [...counts].reduce((found, one) => (one[1] > found[1] ? one : found), [none, 0] as [Key, number]);
  const [font, characters] = most(fonts, '');
  const all = [...fonts.values()].reduce((sum, one) => sum + one, 0);
  return { size: most(sizes, 0)[0], font: characters > all / 2 ? font : '' };
}

/** Programs that print put the name of a file there. */
function titleOf(info: object): string | null {
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  return title === '' ||
    /^untitled$|\.(docx?|odt|rtf|tex|dvi|indd|html?|xlsx?|pptx?|pdf)$|^about:blank|^https?:/i.test(title)
    ? null
    : title;
}

function firstHeading(draft: DocumentDraft): string | null {
  const heading = draft.blocks.find((block) => block.type === 'heading' && block.page === 1);
  return heading?.type === 'heading' ? heading.text : null;
}

function tooLong({ maximumCharacters }: ParserContext): ParleyError {
  return new ParleyError(
    'document_too_complex',
    `The document has more than ${maximumCharacters} characters of text, which is more than is read.`,
  );
}
