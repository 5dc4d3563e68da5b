import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import { checkPages, DocumentDraft, documentFault, tidyLine } from '../../kit/document-draft.ts';
import { openOfficePackage } from '../../kit/office-package.ts';
import { mainPartOf, relationIdOf, relationsOf } from '../../kit/office-relations.ts';
import { officeTitle } from '../../kit/office-title.ts';
import { readXml } from '../../kit/xml-reader.ts';
import type { ZipEntries } from '../../kit/zip-entries.ts';
import { readSlide } from './slide.ts';

const format = { name: 'PowerPoint presentation', extension: 'pptx' };

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const parts = await openOfficePackage(file.bytes, format, context);
  try {
    return await read(parts, context);
  } catch (error) {
    throw documentFault(error, 'The PowerPoint presentation is damaged.');
  }
}

async function read(parts: ZipEntries, context: ParserContext): Promise<ParsedDocument> {
  const paths = await slidePaths(parts);
  if (paths === null) throw new ParleyError('document_broken', 'The file is not a PowerPoint presentation.');
  checkPages(paths.length, context);
  const draft = new DocumentDraft(context);
  let first: string | null = null;
  for (const [index, path] of paths.entries()) {
    const title = await readInto(draft, parts, path);
    first ??= title;
    context.progress(index + 1, paths.length);
  }
  return draft.finish((await officeTitle(parts)) ?? first, 'slide');
}

/** In the order in which they are shown; null when there are no slides to ask for. */
async function slidePaths(parts: ZipEntries): Promise<string[] | null> {
  const path = await mainPartOf(parts);
  const entry = path === null ? undefined : parts.find(path);
  if (path === null || entry === undefined) return null;
  const relations = await relationsOf(parts, path);
  const paths: string[] = [];
  let isPresentation = false;
  readXml(await entry.read(), {
    open: (element) => {
      if (element.name === 'presentation') isPresentation = true;
      if (element.name === 'sldId') paths.push(relations.get(relationIdOf(element))?.path ?? '');
    },
  });
  return isPresentation ? paths : null;
}

/** @returns the title of the slide */
async function readInto(draft: DocumentDraft, parts: ZipEntries, path: string): Promise<string | null> {
  const entry = parts.find(path);
  if (entry === undefined) {
    draft.beginPage();
    draft.note('the slide is missing in the file');
    return null;
  }
  const { isHidden, title, blocks } = readSlide(await entry.read());
  draft.beginPage(title ?? undefined);
  if (isHidden) {
    draft.note('hidden, not read');
    draft.warn(`A slide is hidden and was not read${title === null ? '' : `: “${tidyLine(title)}”`}.`);
    return null;
  }
  const before = draft.characters;
  if (title !== null) draft.add({ type: 'heading', level: 1, text: title });
  for (const block of blocks) draft.add(block);
  for (const relation of (await relationsOf(parts, path)).values()) {
    const part = /\/(?:diagramData|notesSlide)$/.test(relation.type) ? parts.find(relation.path) : undefined;
    if (part === undefined) continue;
    const isNotes = relation.type.endsWith('/notesSlide');
    for (const block of readSlide(await part.read()).blocks) {
      if (block.type === 'table') draft.add(block);
      else draft.add({ type: isNotes ? 'paragraph' : 'list-item', text: 'text' in block ? block.text : '' });
    }
  }
  if (draft.characters === before) draft.note('no text, possibly a picture');
  return title;
}
