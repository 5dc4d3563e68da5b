import type { ParsedDocument, ParserContext, ParserFile } from '@parley/sdk';
import { decodeText } from '../../kit/decode-text.ts';
import { DocumentDraft } from '../../kit/document-draft.ts';

/** Logs have no empty lines: their paragraphs end at the first line that starts after this many characters. */
const longParagraph = 4000;

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const draft = new DocumentDraft(context);
  const { text, warning } = decodeText(file.bytes);
  if (warning !== null) draft.warn(warning);
  // One at the very end only had the printer eject the page.
  const pages = text.trimEnd().split('\f');
  const hasPages = pages.length > 1;
  for (const [index, page] of pages.entries()) {
    if (hasPages) draft.beginPage();
    for (const paragraph of paragraphs(page)) draft.add({ type: 'paragraph', text: paragraph });
    context.progress(index + 1, pages.length);
  }
  return draft.finish(null, hasPages ? 'page' : null);
}

function* paragraphs(text: string): Generator<string> {
  let begin = 0;
  let from = 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const isEmpty = text.slice(from, end).trim() === '';
    if (isEmpty || from - begin > longParagraph) {
      if (begin < from) yield text.slice(begin, from);
      begin = isEmpty ? end + 1 : from;
    }
    from = end + 1;
  }
  if (begin < text.length) yield text.slice(begin);
}
