import type { TextUnit } from '../../src/platform-capabilities.ts';

/** The length of a text. */
export function lengthOf(text: string, unit: TextUnit): number {
  if (unit === 'utf16') return text.length;
  return unit === 'bytes' ? Buffer.byteLength(text) : [...text].length;
}

/** A text of one line with an exact length, mostly of one character. */
export function textOfLength(length: number, unit: TextUnit, character = '语🦜'): string {
  const count = Math.floor(length / lengthOf(character, unit));
  const text = character.repeat(count);
  return text + 'a'.repeat(length - lengthOf(text, unit));
}

/** A text without the white space that a split may take away. */
export function compact(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Whether no character was cut in two. */
export function isWhole(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u{FFFD}');
}
