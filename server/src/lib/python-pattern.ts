/** What Python calls white space, and the rest, as ranges of a class. */
const space = '\\t-\\r\\x1c- \\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}';
const notSpace =
  '\\x00-\\x08\\x0e-\\x1b!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}';
/** Letters and numbers of every language, and everything else: the underscore is the only connector that is a letter. */
const word = '\\p{L}\\p{N}_';
const notWord =
  '\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}' +
  '\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}';

/** Classes that know ASCII only in RE2 and all of Unicode in Python, as they are written inside of brackets. */
const classes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: space,
  S: notSpace,
  w: word,
  W: notWord,
};

/** An escape, the start of a class with the bracket that may be its first member, its end, a comment, `{,3}`. */
const token =
  /\\(?:u(?<short>[0-9a-fA-F]{4})|U(?<long>[0-9a-fA-F]{8})|(?<escaped>[\s\S]))|(?<open>\[\^?\]?)|(?<close>\])|(?<comment>\(\?#[^)]*\))|\{,(?<most>\d+)\}/gu;

/**
 * Writes a regular expression of Python as RE2 reads it, so far as the two differ in spelling: what RE2 cannot do stays
 * as it is, and RE2 refuses it. A word boundary is one of ASCII letters here.
 */
export function fromPythonPattern(pattern: string): string {
  let inClass = false;
  return pattern.replace(token, (match, ...rest) => {
    const { short, long, escaped, open, close, comment, most } = rest.at(-1) as Record<string, string | undefined>;
    const code = short ?? long;
    if (code !== undefined) return `\\x{${code}}`;
    if (escaped !== undefined) return fromEscape(escaped, inClass);
    if (open !== undefined) {
      // Within a class it is a character like any other, and a closing one behind it ends the class.
      const written = inClass ? `\\${open}` : open;
      inClass = !inClass || !open.endsWith(']');
      return written;
    }
    if (close !== undefined) {
      inClass = false;
      return close;
    }
    if (inClass) return match;
    if (comment !== undefined) return '';
    return `{0,${most}}`;
  });
}

function fromEscape(character: string, inClass: boolean): string {
  const members = classes[character];
  if (members !== undefined) return inClass ? members : `[${members}]`;
  if (character === 'Z') return '\\z';
  // Python lets any character be escaped that is no ASCII letter.
  return character > '\u007f' ? character : `\\${character}`;
}
