import type { DraftBlock } from '../../kit/document-draft.ts';
import type { Cell, Merge, Sheet, SheetRow } from './sheet.ts';

/** The text of a larger merged cell is not repeated. */
const farthestRepeat = 1000;
/** Over a whole sheet. */
const mostRepeats = 100_000;
/** A table of which less is filled is written without its empty cells, unless it is small. */
const leastFilled = 0.05;
const smallTable = 10_000;

/** The tables of a sheet, which are separated by empty rows; empty columns are omitted. */
export function tablesOf({ rows, merges }: Sheet): { blocks: DraftBlock[]; isSparse: boolean } {
  fillMerges(rows, merges);
  const blocks: DraftBlock[] = [];
  let isSparse = false;
  for (const group of groupsOf(rows)) {
    const columns = [...new Set(group.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b);
    if (columns.length === 1) {
      // A single column is no table, but notes or the title of one.
      for (const { cells } of group) blocks.push({ type: 'paragraph', text: cells[0]?.text ?? '' });
      continue;
    }
    const titles = leadingTitles(group);
    for (const { cells } of group.slice(0, titles)) blocks.push({ type: 'paragraph', text: cells[0]?.text ?? '' });
    const table = group.slice(titles);
    const filled = table.reduce((sum, { cells }) => sum + cells.length, 0);
    const size = table.length * columns.length;
    if (size > smallTable && filled < size * leastFilled) isSparse = true;
    const places = isSparse ? null : new Map(columns.map((column, index) => [column, index]));
    blocks.push({
      type: 'table',
      head: hasHead(table, columns),
      rows: table.map(({ cells }) => gridRow(cells, places)),
    });
  }
  return { blocks, isSparse };
}

function groupsOf(rows: readonly SheetRow[]): SheetRow[][] {
  const groups: SheetRow[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (row.number === before + 1) groups.at(-1)?.push(row);
    else groups.push([row]);
    before = row.number;
  }
  return groups;
}

/** Rows with a single cell, above the first one with several. */
function leadingTitles(group: readonly SheetRow[]): number {
  const first = group.findIndex(({ cells }) => cells.length > 1);
  return first === -1 ? 0 : first;
}

function gridRow(cells: readonly Cell[], places: ReadonlyMap<number, number> | null): string[] {
  if (places === null) return cells.map(({ text }) => text);
  const row: string[] = [];
  for (const { column, text } of cells) {
    const place = places.get(column) ?? row.length;
    while (row.length < place) row.push('');
    row[place] = text;
  }
  return row;
}

/** Texts over every column that look unlike the row below them, or stand over figures. */
function hasHead(rows: readonly SheetRow[], columns: readonly number[]): boolean {
  const [first, second] = rows;
  if (first === undefined || second === undefined) return false;
  if (first.cells.length < columns.length || !first.cells.every(({ isText }) => isText)) return false;
  if (rows.slice(1).some(({ cells }) => cells.some(({ isText }) => !isText))) return true;
  const styles = new Set(second.cells.map(({ style }) => style));
  return first.cells.every(({ style }) => !styles.has(style));
}

/** Repeats the text of merged cells in each row that they cover and, next to other cells, in each column. */
function fillMerges(rows: readonly SheetRow[], merges: readonly Merge[]): void {
  if (merges.length === 0) return;
  let repeats = 0;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  for (const { top, left, bottom, right } of merges) {
    if (bottom - top > farthestRepeat || right - left > farthestRepeat) continue;
    const source = byNumber.get(top)?.cells.find(({ column }) => column === left);
    if (source === undefined) continue;
    for (let number = top; number <= bottom; number += 1) {
      const row = byNumber.get(number);
      if (row === undefined) continue;
      const isBeside = row.cells.some(({ column }) => column < left || column > right);
      const last = isBeside && row.cells.length > 0 ? right : left;
      if (!isBeside && number > top) continue;
      for (let column = left; column <= last; column += 1) {
        if (++repeats > mostRepeats) return;
        if (!row.cells.some((cell) => cell.column === column)) row.cells.push({ ...source, column });
      }
      row.cells.sort((one, other) => one.column - other.column);
    }
  }
}
