/** Blank lines in a row that are read; each takes a library more time than a word. */
const mostBlankLines = 1000;

/**
 * Cuts runs of more than a thousand blank lines to that number, in linear time.
 * @param isBlank whether a line, without its end, is blank; by default, when it is white space only
 */
export function withoutVastGaps(text: string, isBlank = (line: string) => line.trim() === ''): string {
  const parts: string[] = [];
  let partFrom = 0;
  let gapFrom = 0;
  let blank = 0;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline + 1;
    if (isBlank(text.slice(from, end))) {
      blank += 1;
      if (blank === mostBlankLines) gapFrom = end;
    } else {
      if (blank > mostBlankLines) {
        parts.push(text.slice(partFrom, gapFrom));
        partFrom = from;
      }
      blank = 0;
    }
    from = end;
  }
  parts.push(blank > mostBlankLines ? text.slice(partFrom, gapFrom) : text.slice(partFrom));
  return parts.join('');
}
