import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import { decodeText } from '../../kit/decode-text.ts';
import { DocumentDraft, documentFault } from '../../kit/document-draft.ts';
import { isDeeperThan } from '../../lib/nesting.ts';
import { readRecords } from './records.ts';
import { type ReadValues, readJson, readJsonLines, readYaml } from './values.ts';

/** Documents for readers are not nested deeper than this. */
const deepest = 100;

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const draft = new DocumentDraft(context);
  const { text, warning } = decodeText(file.bytes);
  if (warning !== null) draft.warn(warning);
  if (text.trim() === '') return draft.finish(null, null);
  try {
    const { values, skipped } = valuesOf(file, text);
    if (skipped > 0) draft.warn(`${skipped} lines could not be read and were skipped.`);
    if (values.some((value) => isDeeperThan(value, deepest))) {
      throw new ParleyError('document_too_complex', `Objects and lists are nested more than ${deepest} levels deep.`);
    }
    // Several documents in one file are records like those of a list.
    for (const block of readRecords(values.length === 1 ? values[0] : values)) draft.add(block);
    context.progress(1, 1);
    return draft.finish(null, null);
  } catch (error) {
    throw documentFault(
      error,
      `The file could not be read: ${error instanceof Error ? error.message : 'it is damaged'}`,
    );
  }
}

function valuesOf({ extension, media_type }: ParserFile, text: string): ReadValues {
  if (['yaml', 'yml'].includes(extension) || (extension === '' && media_type.includes('yaml'))) return readYaml(text);
  if (['jsonl', 'ndjson'].includes(extension)) return readJsonLines(text);
  return readJson(text);
}
