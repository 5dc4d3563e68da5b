import { betweenBlocks, blockText, type Chunk, type DocumentBlock, documentText } from '@parley/sdk';
import { type TextUnit, unitsOf } from './text-units.ts';

export interface ChunkingOptions {
  /** Most characters (UTF-16 code units) of a chunk. */
  size: number;
  /** Most characters that a chunk repeats of the one before it; at most half of `size`. */
  overlap: number;
}

/** Characters of a heading in a path. */
const longestHeading = 200;
/** Once this share of a chunk is full, what would have to be divided begins another one, if that helps. */
const fullEnough = 1 / 3;

/** A part of a document below one heading. */
interface Section {
  path: string[];
  /** Whether each of its headings stands below the one before it. */
  isNested: boolean;
  blocks: { block: DocumentBlock; place: number; start: number }[];
}

/**
 * Cuts a document into chunks: by its headings first, then by size, between sentences, rows of tables and lines of code.
 * A chunk begins with the sentences that the one before it in the same section ended with, as far as they fit into
 * `overlap`; tables have no overlap.
 *
 * The text of a chunk is the text of the document from its `start` to its `end`, with one exception: a chunk that begins
 * within a table, behind its head, has the head on a line before that (unless the head fills half of a chunk). What no
 * chunk has is white space. No character is cut in two, as long as it is shorter than a chunk.
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

/** Headings in a row begin one section: a part without text of its own is no chunk of its own. */
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

/** Takes the deeper path while each heading in a row stands below the one before it, else what they have in common. */
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

/** What the next chunk begins with of the one that ended. */
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
