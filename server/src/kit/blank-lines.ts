/** Blank lines in a row that are read; each takes a library more time than a word. */
const mostBlankLines = 1000;

/**
 * A text without what is beyond a thousand blank lines in a row, in time that is in proportion to the text.
 * @param isBlank whether a line, without its end, is blank; by default, when it is white space only
 */
export function withoutVastGaps(text: string, isBlank = (line: string) => line.trim() === ''): string {
  const kept: string[] = [];
  let keptFrom = 0;
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
        kept.push(text.slice(keptFrom, gapFrom));
        keptFrom = from;
      }
      blank = 0;
    }
    from = end;
  }
  kept.push(blank > mostBlankLines ? text.slice(keptFrom, gapFrom) : text.slice(keptFrom));
  return kept.join('');
}
