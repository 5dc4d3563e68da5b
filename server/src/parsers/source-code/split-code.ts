/** Shorter parts are joined with the following ones, such as imports and constants. */
const shortPart = 400;
/** Parts that are longer are taken apart further, such as classes by their methods. */
const longPart = 4000;
/** A line that closes or continues a block belongs to the part above it. */
const closing = /^\s*(?:[)\]}>]|end\b|else\b|elif\b|elsif\b|catch\b|finally\b|except\b|then\b|<\/)/i;

/** Splits code into one or a few declarations each, by empty lines and indentation. Lossless. */
export function splitCode(text: string): string[] {
  return joinShort(split(text.split('\n').map((line) => line.trimEnd())));
}

function split(lines: string[]): string[] {
  const text = lines.join('\n');
  if (text.length <= longPart) {
    const parts = cut(lines, leastIndentation(lines));
    return parts.map((part) => part.join('\n'));
  }
  const parts = finest(lines);
  if (parts.length === 1) return cutAnywhere(lines);
  return parts.flatMap((part) => {
    const isShort = part.reduce((sum, line) => sum + line.length + 1, 0) <= longPart;
    return isShort ? [part.join('\n')] : split(part);
  });
}

/** At the least indentation at which there is something to cut. */
function finest(lines: string[]): string[][] {
  const indentations = [...new Set(lines.filter((line) => line !== '').map(indentationOf))].sort((a, b) => a - b);
  for (const indentation of indentations.slice(0, 8)) {
    const parts = cut(lines, indentation);
    if (parts.length > 1) return parts;
  }
  return [lines];
}

/** Before every line after an empty one that is indented no further than that. */
function cut(lines: string[], indentation: number): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let isAfterEmpty = false;
  for (const line of lines) {
    const begins = isAfterEmpty && line !== '' && indentationOf(line) <= indentation && !closing.test(line);
    if (begins && part.some((earlier) => earlier !== '')) {
      parts.push(part);
      part = [];
    }
    part.push(line);
    isAfterEmpty = line === '';
  }
  parts.push(part);
  return parts;
}

/** Where there are no empty lines, such as in data: whenever it is long enough. */
function cutAnywhere(lines: string[]): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let characters = 0;
  for (const line of lines) {
    if (characters > longPart - shortPart) {
      parts.push(part.join('\n'));
      part = [];
      characters = 0;
    }
    part.push(line);
    characters += line.length + 1;
  }
  return [...parts, part.join('\n')];
}

function joinShort(parts: string[]): string[] {
  const joined: string[] = [];
  let current = '';
  for (const part of parts) {
    const isFull = current.length >= shortPart || current.length + part.length > longPart;
    if (current !== '' && isFull) {
      joined.push(current);
      current = part;
    } else current = current === '' ? part : `${current}\n${part}`;
  }
  return [...joined, current].filter((part) => part.trim() !== '');
}

function leastIndentation(lines: string[]): number {
  return lines.reduce((least, line) => (line === '' ? least : Math.min(least, indentationOf(line))), 1000);
}

/** A tab counts like four spaces. */
function indentationOf(line: string): number {
  let indentation = 0;
  for (const character of line) {
    if (character === ' ') indentation += 1;
    else if (character === '\t') indentation += 4;
    else break;
  }
  return indentation;
}
