/** An expected passage, as in the API. */
export interface GivenExpected {
  document_uuid?: string;
  file_id?: string;
  file_name?: string;
  quote?: string;
  grade?: number;
}

export interface GivenQuestion {
  question: string;
  expected: GivenExpected[];
}

type FaultKind = 'notJson' | 'noQuestion' | 'noExpected' | 'noColumns' | 'noGrade';

/** An error in a line of the pasted text; lines count from 1. */
export interface LineFault {
  line: number;
  kind: FaultKind;
}

interface Parsed {
  questions: GivenQuestion[];
  faults: LineFault[];
}

const names = ['document_uuid', 'file_id', 'file_name'] as const;

/**
 * Parses golden questions: JSON lines, a JSON array, or CSV with a header line. CSV rows with the same question become
 * one question with several expected passages.
 */
export function parseQuestions(text: string): Parsed {
  const trimmed = text.trim();
  if (trimmed === '') return { questions: [], faults: [] };
  if (trimmed.startsWith('[')) return collected(readArray(trimmed));
  if (trimmed.startsWith('{')) return collected(readLines(text));
  return readCsv(text);
}

interface Entry {
  line: number;
  /** Undefined if the line is not JSON. */
  value: unknown;
}

function readArray(text: string): Entry[] {
  const value = jsonOf(text);
  return Array.isArray(value)
    ? value.map((one, index) => ({ line: index + 1, value: one }))
    : [{ line: 1, value: undefined }];
}

function readLines(text: string): Entry[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
    .map(({ line, text: json }) => ({ line, value: jsonOf(json) }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collected(entries: readonly Entry[]): Parsed {
  const parsed: Parsed = { questions: [], faults: [] };
  for (const { line, value } of entries) {
    const question = questionOf(value);
    if (typeof question === 'string') parsed.faults.push({ line, kind: question });
    else parsed.questions.push(question);
  }
  return parsed;
}

function questionOf(value: unknown): GivenQuestion | FaultKind {
  if (typeof value !== 'object' || value === null) return 'notJson';
  const record = value as Record<string, unknown>;
  if (typeof record.question !== 'string' || record.question.trim() === '') return 'noQuestion';
  const given = record.expected === undefined ? [record] : [record.expected].flat();
  const expected = given.map((one) => (typeof one === 'string' ? { file_name: one } : expectedOf(one)));
  if (expected.length === 0 || expected.includes('noExpected')) return 'noExpected';
  if (expected.includes('noGrade')) return 'noGrade';
  return { question: record.question.trim(), expected: expected as GivenExpected[] };
}

function expectedOf(value: unknown): GivenExpected | FaultKind {
  if (typeof value !== 'object' || value === null) return 'noExpected';
  const record = value as Record<string, unknown>;
  const textOf = (name: string) => {
    const text = record[name];
    return typeof text === 'string' && text.trim() !== '' ? { [name]: text.trim() } : {};
  };
  if (!names.some((name) => Object.keys(textOf(name)).length > 0)) return 'noExpected';
  const { grade } = record;
  const isMissing = grade === undefined || grade === null || grade === '';
  if (!isMissing && !(Number.isInteger(Number(grade)) && Number(grade) >= 1 && Number(grade) <= 10)) return 'noGrade';
  return {
    ...Object.assign({}, ...names.map(textOf)),
    ...textOf('quote'),
    ...(isMissing ? {} : { grade: Number(grade) }),
  };
}

function readCsv(text: string): Parsed {
  const [head, ...rows] = csvRows(text);
  const columns = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  if (!columns.includes('question') || !names.some((name) => columns.includes(name))) {
    return { questions: [], faults: [{ line: head?.line ?? 1, kind: 'noColumns' }] };
  }
  const { questions, faults } = collected(
    rows.map(({ line, cells }) => ({
      line,
      value: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
    })),
  );
  const joined = Map.groupBy(questions, ({ question }) => question);
  return {
    questions: [...joined].map(([question, same]) => ({
      question,
      expected: same.flatMap(({ expected }) => expected),
    })),
    faults,
  };
}

interface CsvRow {
  line: number;
  cells: string[];
}

/** Parses CSV (RFC 4180) with commas, semicolons or tabs, whichever is most frequent in the first line. */
function csvRows(text: string): CsvRow[] {
  const first = text.trimStart().split('\n', 1)[0] ?? '';
  const separator = [',', ';', '\t'].reduce((best, one) => (count(first, one) > count(first, best) ? one : best));
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [''] };
  let line = 1;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const cell = row.cells.length - 1;
    if (character === '\n') line += 1;
    if (isQuoted && character === '"' && text[index + 1] === '"') {
      row.cells[cell] += '"';
      index += 1;
    } else if (character === '"' && (isQuoted || row.cells[cell] === '')) {
      isQuoted = !isQuoted;
    } else if (isQuoted) {
      row.cells[cell] += character;
    } else if (character === separator) {
      row.cells.push('');
    } else if (character === '\n') {
      rows.push(row);
      row = { line, cells: [''] };
    } else if (character !== '\r') {
      row.cells[cell] += character;
    }
  }
  rows.push(row);
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
