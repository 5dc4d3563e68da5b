import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import { checkPages, DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { openOfficePackage } from '../../kit/office-package.ts';
import { officeTitle } from '../../kit/office-title.ts';
import type { ZipEntries } from '../../kit/zip-entries.ts';
import { readSheet, type Sheet } from './sheet.ts';
import { tablesOf } from './tables.ts';
import { readWorkbook, type SheetReference, type Workbook } from './workbook.ts';

const format = { name: 'Excel workbook', extension: 'xlsx' };

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const parts = await openOfficePackage(file.bytes, format, context);
  try {
    return await read(parts, context);
  } catch (error) {
    throw documentFault(error, 'The Excel workbook is damaged.');
  }
}

async function read(parts: ZipEntries, context: ParserContext): Promise<ParsedDocument> {
  const workbook = await readWorkbook(parts);
  if (workbook === null || workbook.sheets.length === 0)
    throw new ParleyError('document_broken', 'The file is not an Excel workbook, or its sheets are missing.');
  checkPages(workbook.sheets.length, context);
  const draft = new DocumentDraft(context);
  for (const [index, reference] of workbook.sheets.entries()) {
    draft.beginPage(reference.name);
    await readInto(draft, reference, { parts, workbook, context });
    context.progress(index + 1, workbook.sheets.length);
  }
  return draft.finish(await officeTitle(parts), 'sheet');
}

interface Reading {
  parts: ZipEntries;
  workbook: Workbook;
  context: ParserContext;
}

async function readInto(
  draft: DocumentDraft,
  { name, isHidden, path }: SheetReference,
  reading: Reading,
): Promise<void> {
  const { parts, workbook, context } = reading;
  const entry = path === null ? undefined : parts.find(path);
  if (isHidden) {
    draft.warn(`The sheet “${name}” is hidden and was not read.`);
    draft.note('hidden, not read');
    return;
  }
  if (entry === undefined) return draft.note('no cells');
  let left = context.maximumCharacters - draft.characters;
  const sheet: Sheet = readSheet(await entry.read(), workbook, (characters) => {
    left -= characters;
    if (left < 0) throw tooLong(context);
  });
  const { blocks, isSparse } = tablesOf(sheet);
  for (const block of blocks) draft.add(block);
  if (blocks.length === 0) draft.note('no cells with content');
  if (isSparse) draft.warn(`The sheet “${name}” is nearly empty; its empty cells were omitted.`);
  if (sheet.missingResults > 0)
    draft.warn(
      `The sheet “${name}” has formulas without results; open it in a program that calculates, and save it again.`,
    );
}

function tooLong({ maximumCharacters }: ParserContext): ParleyError {
  return new ParleyError(
    'document_too_complex',
    `The workbook has more than ${maximumCharacters} characters of text, which is more than is read.`,
  );
}
