import type { ParsedDocument, ParserContext, ParserFile } from '@parley/sdk';
import { CsvError, type Options } from 'csv-parse';
import { parse as parseRows } from 'csv-parse/sync';
import { withoutVastGaps } from '../../kit/blank-lines.ts';
import { decodeText } from '../../kit/decode-text.ts';
import { DocumentDraft } from '../../kit/document-draft.ts';
import { findDelimiter } from './find-delimiter.ts';
import { hasHead } from './has-head.ts';

/** A longer table is split into parts that repeat the header, so that each row has its column names nearby. */
const partRows = 500;
/** Excel writes it in front of the rows. */
const delimiterLine = /^sep=([^\n])\n/i;

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const draft = new DocumentDraft(context);
  const decoded = decodeText(file.bytes);
  if (decoded.warning !== null) draft.warn(decoded.warning);
  const named = delimiterLine.exec(decoded.text);
  const text = withoutVastGaps(named === null ? decoded.text : decoded.text.slice(named[0].length));
  const delimiter = named?.[1] ?? findDelimiter(text, isTabbed(file) ? '\t' : ',');
  const rows = rowsOf(text, delimiter, draft).filter((row) => row.some((cell) => cell.trim() !== ''));
  const head = hasHead(rows) ? rows[0] : undefined;
  const first = head === undefined ? 0 : 1;
  for (let index = first; index < rows.length; index += partRows) {
    const part = rows.slice(index, index + partRows);
    draft.add({ type: 'table', head: head !== undefined, rows: head === undefined ? part : [head, ...part] });
    context.progress(Math.min(index + partRows, rows.length), rows.length);
  }
  return draft.finish(null, null);
}

function isTabbed({ extension, media_type }: ParserFile): boolean {
  return ['tsv', 'tab'].includes(extension) || media_type.startsWith('text/tab-separated-values');
}

function rowsOf(text: string, delimiter: string, draft: DocumentDraft): string[][] {
  const options: Options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    return parseRows(text, options) as string[][];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    draft.warn('A quotation mark is not closed, so all of them were read as part of the text.');
    return parseRows(text, { ...options, quote: false }) as string[][];
  }
}
