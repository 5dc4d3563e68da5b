import { parse } from 'csv-parse/sync';

const delimiters = [',', ';', '\t', '|'];
const sampleCharacters = 20_000;

/**
 * The delimiter: the one that gives most rows the same number of cells.
 * @param otherwise the default when no delimiter fits, as in a table of one column
 */
export function findDelimiter(text: string, otherwise = ','): string {
  const cut = text.slice(0, sampleCharacters);
  const end = text.length > cut.length ? cut.lastIndexOf('\n') : -1;
  const sample = end > 0 ? cut.slice(0, end) : cut;
  let best = { delimiter: otherwise, score: 0 };
  for (const delimiter of [otherwise, ...delimiters.filter((other) => other !== otherwise)]) {
    const score = scoreOf(sample, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** The share of rows with the most frequent number of cells, where that is more than one; more cells are a bit better. */
function scoreOf(sample: string, delimiter: string): number {
  const lengths = lengthsOfRows(sample, delimiter);
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
  let best = 0;
  for (const [length, count] of counts) {
    if (length > 1) best = Math.max(best, (count / lengths.length) * (1 + Math.min(length, 20) / 100));
  }
  return best;
}

function lengthsOfRows(sample: string, delimiter: string): number[] {
  const options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    return (parse(sample, options) as string[][]).map((row) => row.length);
  } catch {
    // A quotation mark is open where the sample ends, or anywhere.
    return (parse(sample, { ...options, quote: false }) as string[][]).map((row) => row.length);
  }
}
