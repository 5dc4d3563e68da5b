import { betweenBlocks, blockText, type DocumentBlock, documentText } from '@parley/sdk';
import type { Chunk } from '@parley/sdk/internal';
import { type TextUnit, unitsOf } from './text-units.ts';

export interface ChunkingOptions {
  /** Most characters (UTF-16 code units) of a chunk. */
  size: number;
  /** Most characters that a chunk repeats of the one before it; at most half of `size`. */
  overlap: number;
}

/** Characters of a heading in a path. */
const longestHeading = 200;
/** When this share of a chunk is full, a unit that would have to be split starts another one, if that helps. */
const fullEnough = 1 / 3;

/** A part of a document below one heading. */
interface Section {
  path: string[];
  /** Whether each of its headings stands below the one before it. */
  isNested: boolean;
  blocks: { block: DocumentBlock; place: number; start: number }[];
}

/**
 * Splits a document into chunks: by headings first, then by size, between sentences, table rows and lines of code. A
 * chunk starts with the last sentences of the previous one in the same section, up to `overlap` characters; tables have
 * no overlap.
 *
 * The text of a chunk is the text of the document from its `start` to its `end`, with one exception: a chunk that
 * starts within a table, after its header, is preceded by a line with the header (unless that fills half of a chunk).
 * Only white space is in no chunk. Characters shorter than a chunk are not split.
 */
export function* chunkDocument(
  blocks: readonly DocumentBlock[],
  { size, overlap }: ChunkingOptions,
): Generator<Chunk, void, undefined> {
  const text = documentText(blocks);
  let position = 0;
  for (const section of sectionsOf(blocks)) {
    for (const units of packed(section, size, Math.min(overlap, size / 2))) {
      const [first, last] = [units[0] as TextUnit, units.at(-1) as TextUnit];
      const pages = units.flatMap(({ page }) => page ?? []);
      yield {
        position,
        text: first.head + text.slice(first.start, last.end),
        heading_path: section.path,
        page: pages[0] ?? null,
        page_end: pages.at(-1) ?? null,
        start: first.start,
        end: last.end,
      };
      position += 1;
    }
  }
}

/** Consecutive headings start one section: a section without text is not a separate chunk. */
function* sectionsOf(blocks: readonly DocumentBlock[]): Generator<Section> {
  const open: { level: number; text: string }[] = [];
  let section: Section = { path: [], isNested: true, blocks: [] };
  let hasBody = false;
  let start = 0;
  for (const [place, block] of blocks.entries()) {
    const { length } = blockText(block);
    if (length === 0) continue;
    if (block.type === 'heading') {
      if (hasBody) {
        yield section;
        section = { path: [], isNested: true, blocks: [] };
        hasBody = false;
      }
      while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
      open.push({ level: block.level, text: headingOf(block.text) });
      descend(
        section,
        open.map((heading) => heading.text),
      );
    } else hasBody = true;
    section.blocks.push({ block, place, start });
    start += length + betweenBlocks.length;
  }
  if (section.blocks.length > 0) yield section;
}

/** The deeper path while each of consecutive headings is below the previous one, else their common part. */
function descend(section: Section, path: string[]): void {
  const before = section.path;
  const isBelow = section.isNested && before.every((heading, depth) => path[depth] === heading);
  if (isBelow && path.length > before.length) {
    section.path = path;
    return;
  }
  const parted = before.findIndex((heading, depth) => path[depth] !== heading);
  section.isNested = false;
  section.path = parted === -1 ? before : before.slice(0, parted);
}

function headingOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longestHeading ? line : `${[...line.slice(0, longestHeading)].slice(0, -1).join('')}…`;
}

/** The units of each chunk of a section. */
function* packed({ blocks }: Section, size: number, overlap: number): Generator<TextUnit[]> {
  let chunk: TextUnit[] = [];
  for (const { block, place, start } of blocks) {
    for (const unit of unitsOf(block, place, start, size)) {
      const last = chunk.at(-1);
      if (last !== undefined && !belongs(chunk, last, unit, size)) {
        yield chunk;
        chunk = repeated(chunk, unit, size, overlap);
      }
      chunk.push(unit);
    }
  }
  if (chunk.length > 0) yield chunk;
}

function belongs(chunk: readonly TextUnit[], last: TextUnit, unit: TextUnit, size: number): boolean {
  const [first] = chunk as [TextUnit];
  const room = size - first.head.length;
  if (unit.end - first.start > room) return false;
  if (unit.block === last.block || unit.blockEnd - first.start <= room) return true;
  // A long table is divided in any case, but not right behind its head.
  const helps = !unit.overlaps || unit.blockEnd - unit.start <= size;
  return !helps || last.end - first.start < size * fullEnough;
}

/** The overlap: units of the last chunk that the next one starts with. */
function repeated(chunk: readonly TextUnit[], next: TextUnit, size: number, overlap: number): TextUnit[] {
  const end = chunk.at(-1)?.end ?? 0;
  let from = chunk.length;
  if (!next.overlaps) return [];
  while (from > 1) {
    const unit = chunk[from - 1] as TextUnit;
    if (!unit.overlaps || end - unit.start > overlap || next.end - unit.start > size) break;
    from -= 1;
  }
  return chunk.slice(from);
}
