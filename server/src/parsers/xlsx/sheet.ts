import { attributeOf, readXml, type XmlElement } from '../../kit/xml-reader.ts';
import { formatNumber } from './number-format.ts';
import type { Workbook } from './workbook.ts';

export interface Cell {
  column: number;
  text: string;
  /** Neither a number nor a date nor a truth value. */
  isText: boolean;
  style: string;
}

export interface SheetRow {
  number: number;
  /** Those with something in them, from left to right. */
  cells: Cell[];
}

export interface Merge {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface Sheet {
  /** Those with something in them. */
  rows: SheetRow[];
  merges: Merge[];
  /** Formulas whose result is not in the file. */
  missingResults: number;
}

/** Maximum number of merged cells. */
const mostMerges = 20_000;

/**
 * Reads the cells of a sheet; empty ones are skipped.
 * @param spend receives the length of each text; may throw to limit the total
 */
export function readSheet(bytes: Uint8Array, workbook: Workbook, spend: (characters: number) => void): Sheet {
  const sheet: Sheet = { rows: [], merges: [], missingResults: 0 };
  let row: SheetRow = { number: 0, cells: [] };
  let cell: XmlElement | null = null;
  let column = 0;
  let value = '';
  let hasFormula = false;
  let collects = false;
  let phonetic = 0;

  const endCell = () => {
    if (cell === null) return;
    const type = attributeOf(cell, 't') ?? 'n';
    if (hasFormula && value === '' && type !== 'str') sheet.missingResults += 1;
    const style = attributeOf(cell, 's') ?? '0';
    const text = textOf(value, type, workbook.formats[Number(style)] ?? '', workbook);
    spend(text.length);
    if (text.trim() !== '') row.cells.push({ column, text, isText: ['s', 'str', 'inlineStr'].includes(type), style });
    cell = null;
  };

  readXml(bytes, {
    open: (element) => {
      const { name } = element;
      if (name === 'row') {
        row = { number: wholeNumber(attributeOf(element, 'r')) ?? row.number + 1, cells: [] };
        column = 0;
      } else if (name === 'c') {
        column = columnOf(attributeOf(element, 'r')) ?? column + 1;
        [cell, value, hasFormula] = [element, '', false];
      } else if (name === 'f') hasFormula = cell !== null;
      else if (name === 'rPh') phonetic += 1;
      else if (name === 'v' || name === 't') collects = cell !== null && phonetic === 0;
      else if (name === 'mergeCell' && sheet.merges.length < mostMerges) {
        const merge = mergeOf(attributeOf(element, 'ref') ?? '');
        if (merge !== null) sheet.merges.push(merge);
      }
    },
    text: (part) => {
      if (collects) value += part;
    },
    close: (name) => {
      if (name === 'v' || name === 't') collects = false;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'c') endCell();
      else if (name === 'row' && row.cells.length > 0) sheet.rows.push(row);
    },
  });
  return sheet;
}

function textOf(value: string, type: string, format: string, workbook: Workbook): string {
  if (type === 's') return workbook.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : value === '' ? '' : 'FALSE';
  if (type === 'd') return value.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?Z?$/, '');
  if (type !== 'n' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isFinite(number) ? formatNumber(number, format, workbook) : value;
}

/** `BC12` is in column 55. */
function columnOf(reference: string | undefined): number | null {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function mergeOf(reference: string): Merge | null {
  const [from = '', to = ''] = reference.split(':');
  const [left, right] = [columnOf(from), columnOf(to)];
  const [top, bottom] = [from, to].map((corner) => wholeNumber(corner.replace(/^[A-Z]+/, '')));
  if (left === null || right === null || !top || !bottom || right < left || bottom < top) return null;
  return { top, left, bottom, right };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : null;
}
