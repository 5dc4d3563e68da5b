/** A tree takes very much more memory than its text, so long texts are read in parts of at least this length. */
const sectionCharacters = 100_000;

/** Sections that can be parsed separately: each starts with a line that continues nothing before it. */
export function sectionsOf(text: string): string[] {
  if (text.length <= sectionCharacters) return [text];
  const sections: string[] = [];
  let begin = 0;
  let fence: string | null = null;
  let isAfterEmpty = false;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, Math.min(end, from + 200));
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && startsSection(line, isAfterEmpty, from - begin)) {
      sections.push(text.slice(begin, from));
      begin = from;
    }
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    isAfterEmpty = line.trim() === '';
    from = end + 1;
  }
  sections.push(text.slice(begin));
  return sections;
}

function startsSection(line: string, isAfterEmpty: boolean, length: number): boolean {
  if (length < sectionCharacters) return false;
  if (/^#{1,6}\s/.test(line)) return true;
  // Neither the rest of a list or a quotation nor indented code.
  if (isAfterEmpty && /^[^\s>*+\-|<[]/.test(line) && !/^\d+[.)]/.test(line)) return true;
  // A list or a table that does not end, or nothing but empty lines.
  return length > 3 * sectionCharacters && !/^[ \t]+\S/.test(line);
}
