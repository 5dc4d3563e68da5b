import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import type { Element, Nodes } from 'hast';
import mammoth from 'mammoth';
import { DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { findElement, htmlBlocks, htmlText, htmlTree } from '../../kit/html-blocks.ts';
import { type OfficeFormat, openOfficePackage } from '../../kit/office-package.ts';
import { officeTitle } from '../../kit/office-title.ts';
import type { ZipEntries } from '../../kit/zip-entries.ts';
import { headingStyles } from './heading-styles.ts';
import { docx } from './index.ts';

const format = { name: 'Word document', extension: 'docx' };

/** Built-in styles in addition to headings. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
];

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const parts = await openOfficePackage(file.bytes, formatOf(file), context);
  if (
    parts.find('word/document.xml') === undefined &&
    !parts.entries.some(({ path }) => /^word\/document\d*\.xml$/.test(path))
  )
    throw new ParleyError('document_broken', 'The file is not a Word document, or its text is missing.');
  // The library does not limit its input.
  await parts.check();
  try {
    return await read(file, parts, context);
  } catch (error) {
    throw documentFault(error, 'The Word document is damaged.');
  }
}

/** Files in older formats come here, too, whatever they hold. */
function formatOf({ extension }: ParserFile): OfficeFormat {
  if (docx.extensions.includes(extension)) return format;
  const today = new Map([
    ['doc', 'docx'],
    ['dot', 'docx'],
    ['xls', 'xlsx'],
    ['xlt', 'xlsx'],
    ['ppt', 'pptx'],
    ['pps', 'pptx'],
  ]);
  return { name: 'file', extension: today.get(extension) ?? 'docx, .xlsx or .pptx' };
}

async function read(file: ParserFile, parts: ZipEntries, context: ParserContext): Promise<ParsedDocument> {
  const draft = new DocumentDraft(context);
  const styles = await parts.find('word/styles.xml')?.read();
  const { value, messages } = await mammoth.convertToHtml(
    { buffer: Buffer.from(file.bytes) },
    {
      styleMap: [...styleMap, ...(styles === undefined ? [] : headingStyles(styles))],
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  );
  if (messages.some(({ type }) => type === 'error'))
    draft.warn('Part of the document, possibly a picture, could not be read.');
  const tree = htmlTree(value);
  const notes = takeNotes(tree);
  htmlBlocks(tree, (block) => draft.add(block));
  for (const [index, note] of notes.entries())
    draft.add({ type: 'paragraph', text: `[${index + 1}] ${htmlText(note).trim()}` });
  const heading = findElement(tree, 'h1');
  return draft.finish((await officeTitle(parts)) ?? (heading === null ? null : htmlText(heading)), null);
}

/** Removes the footnotes from the list that Mammoth appends, each without its back link. */
function takeNotes(tree: Nodes): Element[] {
  const body = findElement(tree, 'body');
  const list = body?.children.at(-1);
  if (body === null || list?.type !== 'element' || list.tagName !== 'ol') return [];
  const notes = list.children.filter((child) => child.type === 'element');
  if (!notes.every(({ properties }) => /^(?:foot|end)note-/.test(String(properties.id)))) return [];
  body.children.pop();
  return notes.map(withoutArrow);
}

function withoutArrow(element: Element): Element {
  const isArrow = (child: Nodes) =>
    child.type === 'element' && child.tagName === 'a' && /^#(?:foot|end)note-ref-/.test(String(child.properties.href));
  const children = element.children
    .filter((child) => !isArrow(child))
    .map((child) => (child.type === 'element' ? withoutArrow(child) : child));
  return { ...element, children };
}
