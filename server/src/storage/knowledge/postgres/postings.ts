import type { FieldCounts } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';

/** Ranking data of a chunk that contains a term. */
interface Posting {
  chunk: number;
  /** Occurrences of the term in each field. */
  frequencies: FieldCounts;
  /** How many terms there are in each field. */
  lengths: FieldCounts;
}

/** Bytes of a posting: the number of the chunk in four, then six counts in two each. */
const size = 16;
/** Counts above it are taken for it. */
const highestCount = 0xffff;
/** Maximum postings per row, so that several rows fit into a page. */
const postingsOfRow = 110;

export interface PostingRow {
  term: string;
  chunk_count: number;
  postings: Buffer;
}

/** The terms of a chunk, counted. */
export interface CountedChunk {
  lengths: FieldCounts;
  frequencies: Map<string, FieldCounts>;
}

type Language = Parameters<typeof termsOf>[1];

/** Counts the terms of a document's title, once for all of its chunks. */
export function termsOfTitle(title: string | null, language: Language): string[] {
  return title === null ? [] : termsOf(title, language);
}

/** @param title of {@link termsOfTitle} */
export function countTerms(
  title: readonly string[],
  { heading_path, text }: { heading_path: readonly string[]; text: string },
  language: Language,
): CountedChunk {
  const fields = { title, headings: termsOf(heading_path.join('\n'), language), body: termsOf(text, language) };
  const frequencies = new Map<string, FieldCounts>();
  for (const field of ['title', 'headings', 'body'] as const) {
    for (const term of fields[field]) {
      let counts = frequencies.get(term);
      if (counts === undefined) {
        counts = { title: 0, headings: 0, body: 0 };
        frequencies.set(term, counts);
      }
      counts[field] += 1;
    }
  }
  return {
    frequencies,
    lengths: { title: fields.title.length, headings: fields.headings.length, body: fields.body.length },
  };
}

/** The rows that tell which of the chunks hold which terms. */
export function postingRows(chunks: ReadonlyMap<number, CountedChunk>): PostingRow[] {
  const byTerm = new Map<string, Posting[]>();
  for (const [chunk, { lengths, frequencies: counted }] of chunks) {
    for (const [term, frequencies] of counted) {
      const posting = { chunk, frequencies, lengths };
      const postings = byTerm.get(term);
      if (postings === undefined) byTerm.set(term, [posting]);
      else postings.push(posting);
    }
  }
  const rows: PostingRow[] = [];
  for (const [term, postings] of byTerm) {
    for (let from = 0; from < postings.length; from += postingsOfRow) {
      const part = postings.slice(from, from + postingsOfRow);
      rows.push({ term, chunk_count: part.length, postings: writePostings(part) });
    }
  }
  return rows;
}

function writePostings(postings: readonly Posting[]): Buffer {
  const buffer = Buffer.alloc(postings.length * size);
  let offset = 0;
  for (const { chunk, frequencies, lengths } of postings) {
    offset = buffer.writeUInt32LE(chunk, offset);
    for (const { title, headings, body } of [frequencies, lengths]) {
      offset = buffer.writeUInt16LE(Math.min(title, highestCount), offset);
      offset = buffer.writeUInt16LE(Math.min(headings, highestCount), offset);
      offset = buffer.writeUInt16LE(Math.min(body, highestCount), offset);
    }
  }
  return buffer;
}

/**
 * Calls `tell` for each posting of one or several concatenated rows of {@link postingRows}.
 * @param tell receives the same, reused objects each time
 */
export function readPostings(
  buffer: Buffer,
  tell: (chunk: number, frequencies: Readonly<FieldCounts>, lengths: Readonly<FieldCounts>) => void,
): void {
  const frequencies: FieldCounts = { title: 0, headings: 0, body: 0 };
  const lengths: FieldCounts = { title: 0, headings: 0, body: 0 };
  for (let offset = 0; offset + size <= buffer.length; offset += size) {
    readCounts(buffer, offset + 4, frequencies);
    readCounts(buffer, offset + 10, lengths);
    tell(buffer.readUInt32LE(offset), frequencies, lengths);
  }
}

function readCounts(buffer: Buffer, offset: number, into: FieldCounts): void {
  into.title = buffer.readUInt16LE(offset);
  into.headings = buffer.readUInt16LE(offset + 2);
  into.body = buffer.readUInt16LE(offset + 4);
}
