import type { TextLimit, TextUnit } from '@parley/sdk';

/** The size that a text may have. */
export type TextSize = Pick<TextLimit, 'most' | 'unit'>;

/** How many units of the second kind one unit of the first may be, at most. */
const expansion: Record<TextUnit, Record<TextUnit, number>> = {
  utf16: { utf16: 1, code_points: 1, bytes: 3 },
  code_points: { utf16: 2, code_points: 1, bytes: 4 },
  bytes: { utf16: 1, code_points: 1, bytes: 1 },
};

/** The size of the longest character that may be written as two code units. */
const longestPair: Record<TextUnit, number> = { utf16: 2, code_points: 1, bytes: 4 };

export function sizeOf(text: string, unit: TextUnit): number {
  return sizesOf(text, unit)(text.length);
}

/**
 * The size of the start of a text, by its length in UTF-16 code units; infinite beyond the text. A character is counted
 * where it starts.
 */
export function sizesOf(text: string, unit: TextUnit): (length: number) => number {
  if (unit === 'utf16') return (length) => length;
  const sizes = new Uint32Array(text.length + 1);
  let size = 0;
  for (let index = 0; index < text.length; index += 1) {
    size += sizeAt(text, index, unit);
    sizes[index + 1] = size;
  }
  return (length) => sizes[length] ?? Number.POSITIVE_INFINITY;
}

/** Whether the rest of a text is no longer than a size. Takes a time in proportion to the size, not to the text. */
export function restFits(text: string, start: number, { most, unit }: TextSize): boolean {
  return text.length - start <= codeUnits({ most, unit }) && sizeOf(text.slice(start), unit) <= most;
}

/** The most code units that a text of a size may have. */
export function codeUnits({ most, unit }: TextSize): number {
  return Math.max(0, most) * expansion[unit].utf16;
}

/** What is left of a size, at least so much that a character fits. */
export function less({ most, unit }: TextSize, used: number): TextSize {
  return { most: Math.max(longestPair[unit], most - used), unit };
}

/** A size that both of two allow. */
export function bothOf(one: TextSize, other: TextSize): TextSize {
  const [within, around] = [bounded(one, other), bounded(other, one)];
  if (within.most === one.most) return one;
  return around.most === other.most ? other : within;
}

/** A size in the unit of the first, so that the second allows it, whatever the text. */
function bounded({ most, unit }: TextSize, other: TextSize): TextSize {
  return { most: Math.min(most, Math.floor(other.most / expansion[unit][other.unit])), unit };
}

function sizeAt(text: string, index: number, unit: 'code_points' | 'bytes'): number {
  const code = text.charCodeAt(index);
  if (isLow(code) && index > 0 && isHigh(text.charCodeAt(index - 1))) return 0;
  if (unit === 'code_points' || code < 0x80) return 1;
  if (code < 0x800) return 2;
  return isHigh(code) && isLow(text.charCodeAt(index + 1)) ? 4 : 3;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
