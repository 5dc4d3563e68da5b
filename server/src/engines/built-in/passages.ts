import type { RetrievedPassage } from '@parley/sdk';
import type { StoredChunk } from '@parley/sdk/internal';
import type { RankedChunk } from './ranking.ts';

export interface PassageOptions {
  /** The documents' chunks, as the index has them. */
  read: (ids: readonly string[]) => Promise<StoredChunk[]>;
  list: (documentId: string, page: { from: number; limit: number }) => Promise<StoredChunk[]>;
  top_k: number;
  /** Chunks before and after one that was found. */
  neighbours: number;
  /** Notes that are added to each passage. */
  notes: Record<string, unknown>;
}

/** Chunks of one document in a row, and the best one among them. */
interface Run {
  best: RankedChunk;
  chunks: StoredChunk[];
}

/**
 * Builds passages from the chunks found, best first: with neighbours, and without any contained in a better one.
 * Overlapping chunks are joined.
 */
export async function passagesOf(
  ranked: readonly RankedChunk[],
  options: PassageOptions,
): Promise<{ passages: RetrievedPassage[] /** Whether a chunk was gone by now. */; isStale: boolean }> {
  const { read, top_k, notes } = options;
  const runs: Run[] = [];
  const result = () => ({ passages: runs.map((run) => passageOf(run, notes)), isStale });
  let isStale = false;
  const atOnce = 2 * top_k;
  for (let from = 0; from < ranked.length; from += atOnce) {
    const slice = ranked.slice(from, from + atOnce);
    const found = new Map((await read(slice.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]));
    for (const best of slice) {
      const chunk = found.get(best.id);
      isStale ||= chunk === undefined;
      if (chunk === undefined || (await placed(chunk, best, runs, options))) continue;
      return result();
    }
  }
  return result();
}

/** @returns false when there is no room for another passage */
async function placed(chunk: StoredChunk, best: RankedChunk, runs: Run[], options: PassageOptions): Promise<boolean> {
  const { top_k, neighbours, list } = options;
  const ofDocument = runs.filter((run) => documentOf(run) === chunk.document.document_id);
  if (ofDocument.some((run) => run.chunks.some(({ id }) => id === chunk.id))) return true;
  const around = await withNeighbours(chunk, neighbours, list);
  const chunks = unclaimed(chunk, around, ofDocument);
  const joined = ofDocument.find((run) => touches(run, chunks, 2 * neighbours + 2));
  if (joined !== undefined) joined.chunks = inOrder([...joined.chunks, ...chunks]);
  else if (runs.length < top_k) runs.push({ best, chunks });
  else return false;
  return true;
}

async function withNeighbours(
  chunk: StoredChunk,
  neighbours: number,
  list: PassageOptions['list'],
): Promise<StoredChunk[]> {
  if (neighbours === 0) return [chunk];
  const from = Math.max(0, chunk.position - neighbours);
  const around = await list(chunk.document.document_id, { from, limit: chunk.position + neighbours + 1 - from });
  // The document may have been replaced since it was searched; its new chunks are no neighbours of the old one.
  return around.some(({ id }) => id === chunk.id) ? around : [chunk];
}

/** The chunk and its neighbours, without those in better passages. */
function unclaimed(chunk: StoredChunk, around: readonly StoredChunk[], runs: readonly Run[]): StoredChunk[] {
  const claimed = new Set(runs.flatMap((run) => run.chunks.map(({ position }) => position)));
  const place = around.findIndex(({ id }) => id === chunk.id);
  const isFree = ({ position }: StoredChunk) => !claimed.has(position);
  const before = around.slice(0, place).findLastIndex((neighbour) => !isFree(neighbour));
  const after = around.slice(place + 1).findIndex((neighbour) => !isFree(neighbour));
  return around.slice(before + 1, after === -1 ? around.length : place + 1 + after);
}

/** Whether chunks are adjacent to a passage and overlap it, and both together are not too long. */
function touches(run: Run, chunks: readonly StoredChunk[], most: number): boolean {
  if (run.chunks.length + chunks.length > most) return false;
  const [first, last] = [chunks[0] as StoredChunk, chunks.at(-1) as StoredChunk];
  const [runFirst, runLast] = [run.chunks[0] as StoredChunk, run.chunks.at(-1) as StoredChunk];
  const isBehind = first.position === runLast.position + 1 && first.start < runLast.end;
  const isBefore = last.position === runFirst.position - 1 && runFirst.start < last.end;
  return isBehind || isBefore;
}

function documentOf({ chunks }: Run): string | undefined {
  return chunks[0]?.document.document_id;
}

function inOrder(chunks: StoredChunk[]): StoredChunk[] {
  return chunks.sort((left, right) => left.position - right.position);
}

function passageOf({ best, chunks }: Run, notes: Record<string, unknown>): RetrievedPassage {
  const [first, last] = [chunks[0] as StoredChunk, chunks.at(-1) as StoredChunk];
  const pages = chunks.flatMap(({ page, page_end }) => [page, page_end].filter((number) => number !== null));
  const { document_id, file_id, file_name, metadata, title } = first.document;
  const similarity = best.legs.vector?.score;
  return {
    id: best.id,
    text: joinedText(chunks),
    distance: similarity === undefined ? 1 - best.score : Math.max(0, 1 - similarity),
    score: best.score,
    source: {
      document_id,
      file_id,
      file_name,
      page: pages.length === 0 ? null : Math.min(...pages),
      page_end: pages.length === 0 ? null : Math.max(...pages),
      heading_path: commonPath(chunks),
      start: first.start,
      end: last.end,
    },
    legs: best.legs,
    metadata: { ...metadata, ...(title === null ? {} : { title }), ...notes },
  };
}

/** The text of consecutive chunks, without overlaps; separated by white space. */
function joinedText(chunks: readonly StoredChunk[]): string {
  let text = '';
  let end: number | null = null;
  for (const chunk of chunks) {
    if (end === null) text = chunk.text;
    else {
      // The head of a table, where it is repeated, stands before the span.
      const own = chunk.text.slice(chunk.text.length - (chunk.end - chunk.start));
      const gap = chunk.start - end;
      text += gap < 0 ? own.slice(-gap) : `${'\n'.repeat(Math.min(gap, 2))}${own}`;
    }
    end = chunk.end;
  }
  return text;
}

function commonPath(chunks: readonly StoredChunk[]): string[] {
  const [first = [], ...others] = chunks.map(({ heading_path }) => heading_path);
  const parted = first.findIndex((heading, depth) => others.some((path) => path[depth] !== heading));
  return parted === -1 ? first : first.slice(0, parted);
}
