import type { DocumentBlock } from './parser.ts';

/** A row of a table on one line: `cell | cell`. */
export function rowText(cells: readonly string[]): string {
  return cells.map((cell) => cell.replace(/\s*[\r\n]\s*/g, ' ').trim()).join(' | ');
}

/** The text of a block; a table has a line for each row. */
export function blockText(block: DocumentBlock): string {
  return block.type === 'table' ? block.rows.map(rowText).join('\n') : block.text;
}

/**
 * The text of a document, which the positions of chunks and passages count in (UTF-16 code units): the texts of its
 * blocks, with a blank line between them. A block without text is passed over.
 */
export function documentText(blocks: readonly DocumentBlock[]): string {
  return blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join(betweenBlocks);
}

/** Separator of blocks in the text of a document. */
export const betweenBlocks = '\n\n';
