import { isUnspaced } from './characters.ts';
import { joinSegments, type Row, type Segment } from './rows.ts';

/** A line of text in a column. */
export type Line = Segment;

/** A part of a page, in reading order. */
export type Region =
  | { type: 'lines' /** One of several side by side. */; isColumn: boolean; lines: Line[] }
  | { type: 'table'; head: boolean; rows: string[][] };

interface Span {
  from: number;
  to: number;
}

/** Rows that have the same empty strips between their columns. */
interface Band {
  rows: Row[];
  /** Horizontal ranges covered by text, from left to right, not touching. */
  covered: Span[];
}

/** Parts of the size of a letter: narrower strips are only seen where many rows have them. */
const narrowGutter = 0.55;
const wideGutter = 1;
const manyRows = 4;

/** Takes a page apart into columns and tables. */
export function regionsOf(rows: readonly Row[]): Region[] {
  const edges = edgesOf(rows);
  const regions: Region[] = [];
  for (const band of bandsOf(rows, edges)) regions.push(...readBand(band));
  return merged(regions);
}

function edgesOf(rows: readonly Row[]): Span {
  const segments = rows.flatMap((row) => row.segments);
  return {
    from: Math.min(...segments.map(({ x0 }) => x0)),
    to: Math.max(...segments.map(({ x1 }) => x1)),
  };
}

/** From top to bottom: a band ends where a row leaves no strip empty that all rows before it had. */
function bandsOf(rows: readonly Row[], edges: Span): Band[] {
  const bands: Band[] = [];
  let band: Band | undefined;
  for (const row of rows) {
    const covered: Span[] = cover(band?.covered ?? [], row);
    const isCode = row.segments.every(({ monospace }) => monospace);
    if (band !== undefined && !isCode && staysOpen(band, row, covered, edges)) {
      band.rows.push(row);
      band.covered = covered;
      continue;
    }
    const started: Row[] = isCode || band === undefined ? [row] : [...rowsBeside(band, row), row];
    if (band !== undefined) {
      const rest = band.rows.slice(0, band.rows.length - started.length + 1);
      if (rest.length > 0) bands.push(...withoutTail(bandOf(rest)));
    }
    band = bandOf(started);
    if (isCode) {
      bands.push(band);
      band = undefined;
    }
  }
  if (band !== undefined) bands.push(band);
  return bands;
}

function cover(covered: readonly Span[], row: Row): Span[] {
  const spans = [...covered, ...row.segments.map(({ x0, x1 }) => ({ from: x0, to: x1 }))].sort(
    (a, b) => a.from - b.from,
  );
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.from - last.to < narrowGutter * row.size) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** Whether gaps between columns stay empty or, if there is only one column so far, there is room next to it. */
function staysOpen(band: Band, row: Row, covered: readonly Span[], edges: Span): boolean {
  const [only] = covered;
  if (covered.length > 1 || only === undefined) return true;
  if (band.covered.length > 1 || row.segments.length > 1) return false;
  const least = wideGutter * row.size;
  return only.from - edges.from > least || edges.to - only.to > least;
}

/**
 * The last rows of a band that belong to the columns that a row starts: a title centered above two columns also
 * leaves gaps, which the columns do not have.
 */
function rowsBeside(band: Band, row: Row): Row[] {
  if (readBand(band).some((region) => region.type === 'table' || region.isColumn)) return [];
  let covered = cover([], row);
  let count = 0;
  for (const before of band.rows.toReversed()) {
    covered = cover(covered, before);
    if (covered.length < 2 && before.segments.length > 0) break;
    count += 1;
  }
  return count === 0 ? [] : band.rows.slice(-count);
}

function bandOf(rows: Row[]): Band {
  return { rows, covered: rows.reduce<Span[]>(cover, []) };
}

/** A short heading below columns is in the first of them, but belongs to the following text. */
function withoutTail(band: Band): Band[] {
  const rows = [...band.rows];
  const tail: Row[] = [];
  for (let last = rows.at(-1), before = rows.at(-2); last && before; last = rows.at(-1), before = rows.at(-2)) {
    if (last.segments.length > 1 || last.y - before.y < 2 * Math.max(last.size, before.size)) break;
    tail.unshift(last);
    rows.pop();
  }
  if (tail.length === 0) return [band];
  return [bandOf(rows), bandOf(tail)];
}

function readBand({ rows, covered }: Band): Region[] {
  if (covered.length < 2) return [linesRegion(rows)];
  const columns = columnsOf(
    rows.flatMap(({ segments }) => segments),
    covered,
  );
  if (areColumns(columns, covered)) {
    return columns.map((column) => ({ type: 'lines', isColumn: true, lines: linesOf(column) }));
  }
  return tableRuns(rows).map((run) => (run.length > 1 ? (readTable(run) ?? linesRegion(run)) : linesRegion(run)));
}

function linesRegion(rows: readonly Row[]): Region {
  return { type: 'lines', isColumn: false, lines: rows.map(lineOf) };
}

function columnsOf(segments: readonly Segment[], covered: readonly Span[]): Segment[][] {
  const columns = covered.map((): Segment[] => []);
  for (const segment of segments) columns[covered.findIndex(({ to }) => segment.x0 <= to)]?.push(segment);
  return columns;
}

/** Rows with several cells, each with its continuation below; other rows are separate. */
function tableRuns(rows: readonly Row[]): Row[][] {
  const distances = rows.slice(1).map((row, index) => row.y - (rows[index]?.y ?? 0));
  const least = Math.min(...distances);
  const hasTightLines = distances.some((distance) => distance > least * 1.3);
  const runs: Row[][] = [];
  let run: Row[] = [];
  const endRun = () => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (const [index, row] of rows.entries()) {
    const distance = distances[index - 1] ?? 0;
    const first = run[0]?.segments[0];
    const isBeside = first !== undefined && (row.segments[0]?.x0 ?? 0) > first.x1;
    const isContinuation = distance < row.size * 1.5 && (isBeside || (hasTightLines && distance <= least * 1.1));
    if (row.segments.length > 1 && distance > row.size * 5) endRun();
    if (row.segments.length > 1 || (run.length > 0 && isContinuation)) run.push(row);
    else {
      endRun();
      runs.push([row]);
    }
  }
  endRun();
  return runs;
}

/** The segments of a column; a justified line may have come in several. */
function linesOf(column: readonly Segment[]): Line[] {
  const rows: Segment[][] = [];
  for (const segment of column) {
    const last = rows.at(-1);
    if (last !== undefined && Math.abs((last[0]?.y ?? 0) - segment.y) < segment.size / 3) last.push(segment);
    else rows.push([segment]);
  }
  return rows.map((segments) => lineOf({ y: segments[0]?.y ?? 0, size: segments[0]?.size ?? 0, segments }));
}

function lineOf({ segments, size, y }: Row): Line {
  return {
    text: joinSegments(segments),
    x0: segments[0]?.x0 ?? 0,
    x1: segments.at(-1)?.x1 ?? 0,
    y,
    size,
    font: segments.every(({ font }) => font === segments[0]?.font) ? (segments[0]?.font ?? '') : '',
    monospace: segments.every(({ monospace }) => monospace),
  };
}

/** Columns of prose: their lines are long and fill them. The last one may be incomplete. */
function areColumns(columns: readonly Segment[][], covered: readonly Span[]): boolean {
  const prose = columns.map(linesOf).filter((lines, index) => {
    const width = (covered[index]?.to ?? 0) - (covered[index]?.from ?? 0);
    const filled = lines.filter(({ x0, x1 }) => (x1 - x0) / width > 0.75).length;
    const characters = lines.reduce((sum, { text }) => sum + (isUnspaced(text) ? 2 : 1) * text.length, 0);
    return width > 0 && characters / lines.length >= 22 && filled / lines.length >= 0.45;
  });
  return prose.length >= 2 && prose.length * 2 > columns.length && prose.some(({ length }) => length >= manyRows);
}

function isTable(grid: readonly Segment[][][], columns: readonly Segment[][], covered: readonly Span[]): boolean {
  const filled = grid.filter((cells) => cells.filter(({ length }) => length > 0).length > 1);
  if (covered.length < 2 || filled.length < 2 || filled.length < grid.length * 0.4) return false;
  const size = filled[0]?.flat()[0]?.size ?? 0;
  const least = grid.length >= manyRows ? narrowGutter : wideGutter;
  const areApart = covered.every(
    (span, index) => index === 0 || span.from - (covered[index - 1]?.to ?? 0) >= least * size,
  );
  return areApart && columns.every(isAligned);
}

/** On the left, on the right or in the middle, as the cells of a column are. */
function isAligned(segments: readonly Segment[]): boolean {
  const first = new Map<number, Segment>();
  for (const segment of segments) if (!first.has(segment.y)) first.set(segment.y, segment);
  const aligned = (edge: (segment: Segment) => number) => {
    const places = segments.map(edge).sort((a, b) => a - b);
    const middle = places[Math.floor(places.length / 2)] ?? 0;
    return places.filter((place) => Math.abs(place - middle) < 3).length >= first.size * 0.6;
  };
  return aligned(({ x0 }) => x0) || aligned(({ x1 }) => x1) || aligned(({ x0, x1 }) => (x0 + x1) / 2);
}

/** @returns null when it is not certain that the rows are a table */
function readTable(rows: readonly Row[]): Region | null {
  const covered = rows.reduce<Span[]>(cover, []);
  const columns = columnsOf(
    rows.flatMap(({ segments }) => segments),
    covered,
  );
  const grid = rows.map(({ segments }) => columnsOf(segments, covered));
  if (!isTable(grid, columns, covered)) return null;
  const distances = rows.slice(1).map((row, index) => row.y - (rows[index]?.y ?? 0));
  const least = Math.min(...distances);
  // Lines within a cell stand nearer to each other than rows do, where a table has more than one kind of distance.
  const hasTightLines = Math.max(...distances) > least * 1.3;
  const read: { cells: string[]; fonts: Set<string> }[] = [];
  for (const [index, cells] of grid.entries()) {
    const texts = cells.map((segments) => joinSegments(segments));
    const last = read.at(-1);
    const distance = distances[index - 1] ?? 0;
    const isTight = hasTightLines && distance <= least * 1.1;
    const isContinuation = isTight || (texts[0] === '' && distance < (rows[index]?.size ?? 0) * 1.5);
    if (last !== undefined && isContinuation && texts.includes('')) {
      last.cells = last.cells.map((cell, column) => `${cell}\n${texts[column] ?? ''}`.trim());
    } else read.push({ cells: texts, fonts: new Set(cells.flat().map(({ font }) => font)) });
  }
  return { type: 'table', head: hasHead(read), rows: read.map(({ cells }) => cells) };
}

/** Its first row uses other fonts than the rest, or has text above columns of figures. */
function hasHead(rows: readonly { cells: string[]; fonts: Set<string> }[]): boolean {
  const [first, ...rest] = rows;
  if (first === undefined || rest.length === 0 || first.cells.some((cell) => cell === '')) return false;
  if ([...first.fonts].every((font) => rest.every(({ fonts }) => !fonts.has(font)))) return true;
  if (first.cells.some((cell) => /\d/.test(cell))) return false;
  return first.cells.some((_, column) => rest.every(({ cells }) => /\d/.test(cells[column] ?? '')));
}

/** Consecutive lines are one region: a paragraph may continue from one band into the next. */
function merged(regions: readonly Region[]): Region[] {
  const result: Region[] = [];
  for (const region of regions) {
    const last = result.at(-1);
    if (last?.type === 'lines' && region.type === 'lines' && !last.isColumn && !region.isColumn) {
      last.lines.push(...region.lines);
    } else result.push(region);
  }
  return result;
}
