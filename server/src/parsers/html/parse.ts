import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import { isProbablyText } from '../../kit/decode-text.ts';
import { DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { findElement, htmlBlocks, htmlText, htmlTree, xhtmlTree } from '../../kit/html-blocks.ts';
import { findArticle, withoutMenus } from './article.ts';
import { decodeHtml } from './decode.ts';

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  try {
    return read(file, context);
  } catch (error) {
    throw documentFault(error, 'The page could not be read.');
  }
}

function read(file: ParserFile, context: ParserContext): ParsedDocument {
  const draft = new DocumentDraft(context);
  if (!isProbablyText(file.bytes)) throw new ParleyError('document_broken', 'The file is not an HTML page.');
  const { text, guessed } = decodeHtml(file.bytes);
  if (guessed !== null) draft.warn(`The page does not name its encoding; it was read as ${guessed}.`);
  const page = /^\s*<\?xml\b/.test(text) ? xhtmlTree(text) : htmlTree(text);
  const titleElement = findElement(page, 'title');
  const title = titleElement?.children
    .map((child) => (child.type === 'text' ? child.value : ''))
    .join('')
    .trim();
  const article = findArticle(page, text);
  if (article !== null) draft.warn('Menus and other parts around the text of the page were omitted.');
  htmlBlocks(article ?? withoutMenus(page), (block) => draft.add(block));
  const heading = findElement(page, 'h1');
  return draft.finish(title || (heading === null ? null : htmlText(heading)), null);
}
