/** An opening or closing fence of a code block in Markdown. */
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The line that closes the code block at the end of a Markdown text; null if none is open. */
export function openFence(text: string): string | null {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const [, marks, rest = ''] = fence.exec(line.trimEnd()) ?? [];
    if (marks === undefined) continue;
    if (open === null) {
      // Backticks in the info string make it inline code.
      if (marks.startsWith('~') || !rest.includes('`')) open = marks;
    } else if (marks.startsWith(open) && rest.trim() === '') {
      open = null;
    }
  }
  return open;
}
