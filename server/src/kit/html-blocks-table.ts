import type { Element, ElementContent } from 'hast';

interface HtmlTable {
  head: boolean;
  rows: string[][];
}

/** Cells that only come about because cells reach over several columns or rows: a hostile page may ask for any number. */
const mostRepeatedCells = 100_000;
const widestCell = 1000;
/** A longer text is not repeated in every row or column that its cell reaches over. */
const longestRepeatedText = 200;

interface Cell {
  element: Element;
  columns: number;
  rows: number;
}

/**
 * Reads a table of data. A cell that reaches over several rows is repeated in each, so that each row can be understood
 * alone; one that reaches over several columns is repeated in the head only.
 * @returns null when the table is there to lay out a page
 */
export function readHtmlTable(table: Element, textOf: (cell: Element) => string): HtmlTable | null {
  const { rows, headRows } = rowsOf(table);
  const cells = rows.map(cellsOf);
  if (isLayout(table, cells)) return null;
  const firstIsHead = cells[0]?.every(({ element }) => element.tagName === 'th') ?? false;
  const heads = headRows > 0 ? headRows : firstIsHead ? 1 : 0;
  const grid = expand(cells, heads, textOf);
  if (heads < 2) return { head: heads === 1, rows: grid };
  // Several header rows become one: the lower ones are more specific.
  return { head: true, rows: [joinRows(grid.slice(0, heads)), ...grid.slice(heads)] };
}

function rowsOf(table: Element): { rows: Element[]; headRows: number } {
  const rows: Element[] = [];
  let headRows = 0;
  for (const part of elements(table.children)) {
    if (part.tagName === 'tr') rows.push(part);
    if (!['thead', 'tbody', 'tfoot'].includes(part.tagName)) continue;
    const own = elements(part.children).filter(({ tagName }) => tagName === 'tr');
    if (part.tagName === 'thead' && rows.length === 0) headRows = own.length;
    rows.push(...own);
  }
  return { rows, headRows: headRows === rows.length ? Math.min(headRows, 1) : headRows };
}

function cellsOf(row: Element): Cell[] {
  return elements(row.children)
    .filter(({ tagName }) => tagName === 'td' || tagName === 'th')
    .map((element) => ({
      element,
      columns: span(element.properties.colSpan, widestCell),
      rows: span(element.properties.rowSpan, mostRepeatedCells),
    }));
}

function expand(rows: readonly Cell[][], heads: number, textOf: (cell: Element) => string): string[][] {
  /** By column: text of cells that span rows, and the remaining rows. */
  const above = new Map<number, { text: string; rows: number }>();
  let repeated = 0;
  return rows.map((cells, index) => {
    const grid: string[] = [];
    const takeAbove = () => {
      for (let cell = above.get(grid.length); cell !== undefined; cell = above.get(grid.length)) {
        if (cell.rows > 1) above.set(grid.length, { ...cell, rows: cell.rows - 1 });
        else above.delete(grid.length);
        grid.push(cell.text);
      }
    };
    for (const cell of cells) {
      takeAbove();
      const text = textOf(cell.element);
      const repeatedText = text.length > longestRepeatedText ? '' : text;
      for (let column = 0; column < cell.columns; column += 1) {
        if (column > 0 && (++repeated > mostRepeatedCells || above.has(grid.length))) break;
        const rest = Math.min(cell.rows - 1, rows.length - index - 1);
        if (rest > 0) repeated += rest;
        if (rest > 0 && repeated <= mostRepeatedCells)
          above.set(grid.length, { text: column === 0 || index < heads ? repeatedText : '', rows: rest });
        grid.push(column === 0 ? text : index < heads ? repeatedText : '');
      }
    }
    takeAbove();
    return grid;
  });
}

function joinRows(rows: readonly string[][]): string[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((row) => row[column] ?? ''))].filter((text) => text !== '').join(' '),
  );
}

/** Declared so, has nested tables, is a single row or column, or contains headings and lists. */
function isLayout(table: Element, rows: readonly Cell[][]): boolean {
  if (table.properties.role === 'presentation' || table.properties.role === 'none') return true;
  const cells = rows.flat();
  if (cells.some(({ element }) => holds(element, pageParts))) return true;
  if (rows.length < 2) return !cells.some(({ element }) => element.tagName === 'th') || rows.length === 0;
  return rows.every((row) => row.length < 2);
}

const pageParts = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'article', 'section', 'main']);

function holds(element: Element, names: ReadonlySet<string>): boolean {
  return elements(element.children).some((child) => names.has(child.tagName) || holds(child, names));
}

function elements(nodes: readonly ElementContent[]): Element[] {
  return nodes.filter((node) => node.type === 'element');
}

function span(value: unknown, most: number): number {
  const number = Number(value ?? 1);
  return Number.isInteger(number) && number >= 1 ? Math.min(number, most) : 1;
}
