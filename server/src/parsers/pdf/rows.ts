import { isRightToLeft, isUnspaced, joinsWithoutSpace } from './characters.ts';

/** A fragment of text on a page: points from its left and upper edge; `y` is the baseline. */
export interface Fragment {
  text: string;
  x0: number;
  x1: number;
  y: number;
  size: number;
  font: string;
  monospace: boolean;
}

/** Fragments side by side without a gap that could lie between two columns. */
export interface Segment {
  text: string;
  x0: number;
  x1: number;
  y: number;
  /** Of most of its characters. */
  size: number;
  /** Of all of its letters; empty where there are several. */
  font: string;
  monospace: boolean;
}

/** Segments on the same line of a page, from left to right. */
export interface Row {
  y: number;
  size: number;
  segments: Segment[];
}

/** Parts of the size of a letter. */
const columnGap = 0.6;
const wordGap = 0.14;
const listMark = /^(?:[•◦▪▫‣⁃●○■□–—*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/i;

export function isListMark(text: string): boolean {
  return listMark.test(text.trim());
}

/** @param fragments of one page, in any order */
export function rowsOf(fragments: readonly Fragment[]): Row[] {
  const sorted = [...fragments].sort((one, other) => one.y - other.y);
  const rows: Fragment[][] = [];
  let top = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const fragment of sorted) {
    const [from, to] = extent(fragment);
    const overlap = Math.min(bottom, to) - Math.max(top, from);
    const row = rows.at(-1);
    if (row !== undefined && overlap >= Math.min(bottom - top, to - from) / 2) {
      row.push(fragment);
      if (to - from > bottom - top) [top, bottom] = [from, to];
    } else {
      rows.push([fragment]);
      [top, bottom] = [from, to];
    }
  }
  return rows.map(rowOf).filter(({ segments }) => segments.length > 0);
}

/** The text of segments of a row, in the reading order of its script. */
export function joinSegments(segments: readonly Segment[]): string {
  const ordered = isMostlyRightToLeft(segments) ? [...segments].reverse() : segments;
  return ordered.map(({ text }) => text).join(' ');
}

function extent({ y, size }: Fragment): [from: number, to: number] {
  return [y - size * 0.75, y + size * 0.2];
}

function rowOf(fragments: readonly Fragment[]): Row {
  const sorted = fragments.toSorted((one, other) => one.x0 - other.x0);
  const segments: Fragment[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const fragment of withoutRepeats(sorted)) {
    if (fragment.text.trim() === '') {
      // A wide space is a gap; a narrow one is a word boundary, which may be missing in the adjacent fragments.
      if (fragment.x1 - fragment.x0 <= columnGap * fragment.size) segments.at(-1)?.push(fragment);
      continue;
    }
    const segment = segments.at(-1);
    const gap = fragment.x0 - end;
    const isApart = gap > columnGap * Math.max(fragment.size, segment?.at(-1)?.size ?? 0);
    if (
      segment === undefined ||
      (isApart && !(segment.length <= 2 && isListMark(textOf(segment)) && gap < 4 * fragment.size))
    )
      segments.push([fragment]);
    else segment.push(fragment);
    end = Math.max(end, fragment.x1);
  }
  const made = segments.map(segmentOf).filter(({ text }) => text !== '');
  const main = made.reduce<Segment | undefined>(
    (most, one) => (most && most.text.length >= one.text.length ? most : one),
    undefined,
  );
  return { y: main?.y ?? 0, size: main?.size ?? 0, segments: made };
}

/** Some programs make letters bold by drawing them twice. */
function withoutRepeats(sorted: readonly Fragment[]): Fragment[] {
  return sorted.filter((fragment, index) => {
    for (let before = index - 1; before >= Math.max(0, index - 4); before -= 1) {
      const other = sorted[before];
      if (other?.text !== fragment.text || fragment.text.trim() === '') continue;
      if (fragment.x0 - other.x0 < Math.min(0.2 * fragment.size, (fragment.x1 - fragment.x0) / 2)) return false;
    }
    return true;
  });
}

function segmentOf(fragments: readonly Fragment[]): Segment {
  const visible = fragments.filter(({ text }) => text.trim() !== '');
  const main = visible.reduce((most, one) => (one.text.length * one.size > most.text.length * most.size ? one : most), {
    text: '',
    x0: 0,
    x1: 0,
    y: 0,
    size: 0,
    font: '',
    monospace: false,
  } satisfies Fragment);
  return {
    text: textOf(fragments),
    x0: Math.min(...visible.map(({ x0 }) => x0)),
    x1: Math.max(...visible.map(({ x1 }) => x1)),
    y: main.y,
    size: main.size,
    font: visible.every(({ font, text }) => font === main.font || !/\p{L}/u.test(text)) ? main.font : '',
    monospace: visible.every(({ monospace, text }) => monospace && !isUnspaced(text)),
  };
}

function textOf(fragments: readonly Fragment[]): string {
  const isReversed = isMostlyRightToLeft(fragments);
  const ordered = isReversed ? readingOrder(fragments) : fragments;
  let text = '';
  let before: Fragment | undefined;
  for (const fragment of ordered) {
    if (before !== undefined && needsSpace(before, fragment, text)) text += ' ';
    text += fragment.text;
    before = fragment;
  }
  return text.replace(/\s+/g, ' ').trim();
}

function needsSpace(before: Fragment, after: Fragment, text: string): boolean {
  const gap = Math.max(after.x0 - before.x1, before.x0 - after.x1);
  const least = joinsWithoutSpace(text, after.text) ? 2 * columnGap : wordGap;
  return gap > least * Math.max(before.size, after.size);
}

/** Right to left, but numbers and words of other scripts left to right. */
function readingOrder(fragments: readonly Fragment[]): Fragment[] {
  const ordered: Fragment[] = [];
  let run: Fragment[] = [];
  const endRun = () => {
    ordered.push(...run.reverse());
    run = [];
  };
  for (const fragment of fragments.toReversed()) {
    if (/[\p{L}\p{N}]/u.test(fragment.text) && !isRightToLeft(fragment.text)) run.push(fragment);
    else {
      endRun();
      ordered.push(fragment);
    }
  }
  endRun();
  return ordered;
}

function isMostlyRightToLeft(parts: readonly { text: string }[]): boolean {
  let right = 0;
  let left = 0;
  for (const { text } of parts) {
    if (isRightToLeft(text)) right += text.length;
    else left += text.match(/\p{L}/gu)?.length ?? 0;
  }
  return right > left;
}
