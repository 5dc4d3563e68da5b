import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { withoutVastGaps } from '../../kit/blank-lines.ts';
import { decodeText } from '../../kit/decode-text.ts';
import { DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { readBlocks } from './blocks.ts';
import { frontMatterOf } from './front-matter.ts';
import { sectionsOf } from './sections.ts';

/** Quotations and lists in each other on one line: reading them takes long before it fails. */
const deepLine = /^[ \t]*(?:(?:>[ \t]?|(?:[-+*]|\d{1,9}[.)])[ \t]+)){100}(?!(?:[-*]|[^\S\n])*$)/m;
/** Longest line that stays one, characters; a longer one is broken at the next space. */
const longLine = 50_000;

const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  try {
    return read(file, context);
  } catch (error) {
    throw documentFault(error, 'The file could not be read as Markdown.');
  }
}

function read(file: ParserFile, context: ParserContext): ParsedDocument {
  const draft = new DocumentDraft(context);
  const { text, warning } = decodeText(file.bytes);
  if (warning !== null) draft.warn(warning);
  if (deepLine.test(text)) {
    throw new ParleyError('document_too_complex', 'Quotations or lists are nested too deeply.');
  }
  const { title, body } = frontMatterOf(text);
  const sections = sectionsOf(withoutVastness(body));
  for (const [index, section] of sections.entries()) {
    for (const block of readBlocks(fromMarkdown(section, extensions))) draft.add(block);
    context.progress(index + 1, sections.length);
  }
  return draft.finish(title ?? firstHeading(draft), null);
}

/** Without endless blank lines and with breaks in endless ones, which the tree would be very large for. */
function withoutVastness(text: string): string {
  return withBreaks(withoutVastGaps(text));
}

/** Line by line: a pattern over a long line would overflow the stack. */
function withBreaks(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let begin = 0; begin < text.length; ) {
    const found = text.indexOf('\n', begin);
    const end = found === -1 ? text.length : found;
    if (end - begin >= longLine) {
      parts.push(text.slice(copied, begin), broken(text.slice(begin, end)));
      copied = end;
    }
    begin = end + 1;
  }
  return [...parts, text.slice(copied)].join('');
}

function broken(line: string): string {
  const parts: string[] = [];
  let begin = 0;
  for (let space = line.indexOf(' ', longLine); space !== -1; space = line.indexOf(' ', begin + longLine)) {
    parts.push(line.slice(begin, space));
    begin = space + 1;
  }
  return [...parts, line.slice(begin)].join('\n\n');
}

/** The first of those of the highest level that there is. */
function firstHeading({ blocks }: DocumentDraft): string | null {
  let best: { level: number; text: string } | null = null;
  for (const block of blocks) {
    if (block.type === 'heading' && (best === null || block.level < best.level)) best = block;
  }
  return best?.text ?? null;
}
