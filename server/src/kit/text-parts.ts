import type { TextUnit } from '@parley/sdk';

/** How much one part of a text may have. */
export interface PartSize {
  most: number;
  unit: TextUnit;
}

/**
 * Splits a text without markup into parts that fit: behind a line, else behind a word, else between two characters as users see
 * them. The parts together are the text. A character with more marks than a part may have is split, too.
 */
export function textParts(text: string, { most, unit }: PartSize): string[] {
  if (sizeOf(text, unit) <= most) return [text];
  const parts: string[] = [];
  let part = '';
  let size = 0;
  for (const segment of charactersOf(text, { most, unit })) {
    const own = sizeOf(segment, unit);
    if (size + own > most && part !== '') {
      const [head, rest] = cutPart(part);
      parts.push(head);
      part = rest;
      size = sizeOf(rest, unit);
    }
    part += segment;
    size += own;
  }
  return part === '' ? parts : [...parts, part];
}

function* charactersOf(text: string, { most, unit }: PartSize): Generator<string> {
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (sizeOf(segment, unit) <= most) yield segment;
    else yield* segment;
  }
}

function sizeOf(text: string, unit: TextUnit): number {
  if (unit === 'utf16') return text.length;
  return unit === 'bytes' ? Buffer.byteLength(text) : [...text].length;
}

/** A full part and what goes into the next one. A break in the first half would waste too much of it. */
function cutPart(part: string): [head: string, rest: string] {
  for (const breaks of ['\n', ' ']) {
    const at = part.lastIndexOf(breaks) + 1;
    if (at > part.length / 2) return [part.slice(0, at), part.slice(at)];
  }
  return [part, ''];
}
