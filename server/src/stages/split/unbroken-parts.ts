/** A part of a text, UTF-16 code units. */
export interface Part {
  start: number;
  end: number;
}

const address = /https?:\/\/[^\s<>]+/g;
/** Ends with its marks, or at the end of the line when they are missing, or half of them. */
const strong = /(?<!\*)\*\*(?=[^\s*])[^*\n]*(?:\*\*|\*?$)/g;

/**
 * The parts of one line of Markdown that should not be cut: links, addresses, inline code and strong text. An unclosed
 * part extends to the end of an incomplete line. Takes linear time.
 */
export function unbrokenParts(line: string, isComplete: boolean): Part[] {
  const parts = [...codeAndLinks(line, isComplete)];
  for (const { index, 0: found } of line.matchAll(address)) parts.push({ start: index, end: index + found.length });
  for (const { index, 0: found } of line.matchAll(strong)) {
    if (found.endsWith('**') || !isComplete) parts.push({ start: index, end: index + found.length });
  }
  return parts;
}

function* codeAndLinks(line: string, isComplete: boolean): Generator<Part> {
  const lastRuns = new Map<number, number>();
  for (const { index, 0: run } of line.matchAll(/`+/g)) lastRuns.set(run.length, index);
  const lastParenthesis = line.lastIndexOf(')');
  const brackets: number[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === '\\') index += 1;
    else if (character === '`') {
      const length = runLength(line, index);
      let end = index + length;
      if ((lastRuns.get(length) ?? -1) > index) end = nextRun(line, end, length) + length;
      else if (!isComplete) end = line.length;
      if (end > index + length) yield { start: index, end };
      index = end - 1;
    } else if (character === '[') brackets.push(line[index - 1] === '!' ? index - 1 : index);
    else if (character === ']') {
      const start = brackets.pop();
      if (start === undefined) continue;
      const mayGoOn = index + 1 === line.length && !isComplete;
      if (line[index + 1] === '(' && lastParenthesis > index) {
        const end = line.indexOf(')', index) + 1;
        yield { start, end };
        index = end - 1;
      } else if (mayGoOn || (line[index + 1] === '(' && !isComplete))
        return yield { start: brackets[0] ?? start, end: line.length };
    }
  }
  const [open] = brackets;
  if (open !== undefined && !isComplete) yield { start: open, end: line.length };
}

/** Where the next run of exactly so many backticks starts; there is one. */
function nextRun(line: string, from: number, length: number): number {
  let index = line.indexOf('`', from);
  for (let found = runLength(line, index); found !== length; found = runLength(line, index)) {
    index = line.indexOf('`', index + found);
  }
  return index;
}

function runLength(line: string, start: number): number {
  let end = start;
  while (line[end] === '`') end += 1;
  return end - start;
}
