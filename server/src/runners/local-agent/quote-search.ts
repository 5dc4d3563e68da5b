/** A text as it is compared, and for each of its units where in the original it comes from. */
interface FoldedText {
  text: string;
  starts: number[];
  ends: number[];
}

const invisible = /^\p{Cf}$/u;
const space = /^[\s\p{Z}]$/u;
const quotationMark = /^["“”„‟«»「」『』'‘’‚‛′″`´＂＇]$/;
const dash = /^[\p{Pd}−]$/u;
/** Punctuation that models add to or omit from a quote that ends in the middle of a sentence. */
const outerPunctuation = /^[\s'.,;:!?。，、；：！？]+|[\s'.,;:!?。，、；：！？]+$/gu;
/** Replacements for characters that resemble tags in passages. */
const replaced: Record<string, string> = { '‹': '<', '›': '>' };

/**
 * Finds a quote in a text, tolerating differences in spaces, quotation marks, dashes, capitals or forms of the same
 * characters.
 * @returns its position, in UTF-16 units; null when not found
 */
export function findQuote(text: string, quote: string): { start: number; end: number } | null {
  const wanted = folded(quote).text.trim();
  const within = folded(text);
  for (const candidate of new Set([wanted, wanted.replace(outerPunctuation, '')])) {
    const place = candidate === '' ? -1 : within.text.indexOf(candidate);
    if (place === -1) continue;
    const last = place + candidate.length - 1;
    return { start: within.starts[place] ?? 0, end: withMarks(text, within.ends[last] ?? text.length) };
  }
  return null;
}

function folded(text: string): FoldedText {
  const result: FoldedText = { text: '', starts: [], ends: [] };
  let start = 0;
  let previous = '';
  for (const character of text) {
    const end = start + character.length;
    const plain = foldedCharacter(character);
    // Runs of spaces and of dashes count as one.
    if ((plain === ' ' || plain === '-') && plain === previous) {
      result.ends[result.ends.length - 1] = end;
    } else {
      for (let unit = 0; unit < plain.length; unit += 1) {
        result.starts.push(start);
        result.ends.push(end);
      }
      result.text += plain;
      previous = plain === '' ? previous : plain;
    }
    start = end;
  }
  return result;
}

function foldedCharacter(character: string): string {
  if (invisible.test(character)) return '';
  if (space.test(character)) return ' ';
  if (quotationMark.test(character)) return "'";
  if (dash.test(character)) return '-';
  return replaced[character] ?? character.normalize('NFKD').toLowerCase();
}

/** A character is not parted from its accents. */
function withMarks(text: string, end: number): number {
  return end + (/^\p{M}+/u.exec(text.slice(end))?.[0].length ?? 0);
}
