/** One reference of a citation. */
export interface WantedCitation {
  number: number;
  /** Null where only the number stands there. */
  quote: string | null;
}

export interface ParsedCitation {
  /** Of the text that it takes, UTF-16 units. */
  length: number;
  /**
   * Possible meanings, the likeliest first: a quote can contain what looks like the end of one and the start of
   * another.
   */
  readings: WantedCitation[][];
  /** Whether it can hardly be anything else than a citation. */
  isCertain: boolean;
}

/** Longest citation, UTF-16 units; longer text is not a citation. */
export const longestCitation = 1500;

const close = '[\\]】］]';
const separator = '[,，、;；]';
const number = '[1-9]\\d{0,2}';
const colon = '[:：]';
const bare = new RegExp(`^[\\[【［][ \\t]*(${number}(?:[ \\t]*${separator}[ \\t]*${number})*)[ \\t]*${close}`);
const beginning = new RegExp(`^[\\[【［][ \\t]*(${number})[ \\t]*${colon}[ \\t]*`);
/** A prefix of what `bare` or `beginning` may match. */
const mayBecome = new RegExp(
  `^[\\[【［][ \\t]*(?:${number}[ \\t]*${separator}[ \\t]*)*(?:${number}[ \\t]*(?:${colon}[ \\t]*)?)?$`,
);
/** The start of another citation before the current one was closed. */
const nested = new RegExp(`[\\[【［][ \\t]*${number}[ \\t]*${colon}[ \\t]*["“「『]`);
const anotherQuote = new RegExp(`["“”＂][ \\t]*${separator}[ \\t]*(?:(${number})[ \\t]*${colon}[ \\t]*)?["“”＂]`);
/** White space without a blank line. */
const lineSpace = '[ \\t]*\\n?[ \\t]*';
const blankLine = /\n[ \t]*\n/;
/** Closing quotation marks by opening one. */
const closers: Record<string, string> = {
  '"': '"”“＂',
  '“': '"”“＂',
  '”': '"”“＂',
  '„': '"”“＂',
  '＂': '"”“＂',
  "'": "'’",
  '‘': "'’",
  '’': "'’",
  '「': '」',
  '『': '』',
  '«': '»',
};

/**
 * Reads a citation: `[1: "words"]`, `[1]`, `[1, 2]`, also with the brackets and quotation marks of other languages.
 * @param text starts with an opening bracket; at most {@link longestCitation} of it is read
 * @param isWhole whether no more input follows
 * @param isFirst whether it is at the start of its line
 * @returns `open` when it depends on further input; null when it is not a citation
 */
export function parseCitation(text: string, isWhole: boolean, isFirst: boolean): ParsedCitation | 'open' | null {
  const head = text.slice(0, longestCitation);
  const isOpen = !isWhole && text.length < longestCitation;
  const numbers = bare.exec(head);
  if (numbers !== null) {
    const next = text[numbers[0].length];
    if (next === undefined && !isWhole) return 'open';
    // A link, the definition of one, or the place in a list that something is assigned to.
    if (next === '(' || next === '=' || (next === ':' && isFirst)) return null;
    const all = numbers[1]?.match(/\d+/g) ?? [];
    const wanted = all.map((digits) => ({ number: Number(digits), quote: null }));
    return { length: numbers[0].length, readings: [wanted], isCertain: wanted.length === 1 };
  }
  const opening = beginning.exec(head);
  if (opening !== null && head.length > opening[0].length) {
    return quoted(head, opening[0].length, Number(opening[1]), isOpen);
  }
  return isOpen && mayBecome.test(head) ? 'open' : null;
}

function quoted(head: string, start: number, first: number, isOpen: boolean): ParsedCitation | 'open' | null {
  const closer = closers[head.charAt(start)];
  if (closer === undefined) return unquoted(head, start, first, isOpen);
  const body = head.slice(start + 1);
  const found = new RegExp(`[${closer}]${lineSpace}${close}`).exec(body);
  // A possible end of the quote is not part of it yet.
  const inner = found === null ? body.replace(new RegExp(`[${closer}]${lineSpace}$`), '') : body.slice(0, found.index);
  if (blankLine.test(inner) || nested.test(inner)) return null;
  if (found === null) return isOpen ? 'open' : null;
  const whole = { number: first, quote: unescaped(inner) };
  const parts = partsOf(inner, first);
  return {
    length: start + 1 + found.index + found[0].length,
    readings: parts.length > 1 ? [[whole], parts] : [[whole]],
    isCertain: true,
  };
}

/** Some models leave the quotation marks out. */
function unquoted(head: string, start: number, first: number, isOpen: boolean): ParsedCitation | 'open' | null {
  const body = head.slice(start);
  const end = body.search(/[\]】］\n]/);
  if (end === -1) return isOpen ? 'open' : null;
  if (body[end] === '\n' || body[end + 1] === '(') return null;
  if (end + 1 === body.length && isOpen) return 'open';
  const quote = body.slice(0, end);
  return { length: start + end + 1, readings: [[{ number: first, quote: unescaped(quote) }]], isCertain: false };
}

/** Splits `one", "another` and `one"; 2: "another`, without text outside quotes. */
function partsOf(inner: string, first: number): WantedCitation[] {
  const pieces = inner.split(anotherQuote);
  let current = first;
  return pieces.flatMap((piece, index) => {
    if (index % 2 === 0) return [{ number: current, quote: unescaped(piece) }];
    current = piece === undefined ? current : Number(piece);
    return [];
  });
}

/** Null for an empty quote. */
function unescaped(quote: string): string | null {
  const words = quote.replaceAll(/\\(["'“”])/g, '$1');
  return words.trim() === '' ? null : words;
}
