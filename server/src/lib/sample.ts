const mostEntries = 5;
const longestEntry = 80;

/** A list that may be long, of texts that may be, in a size that can be shown. */
export function sampleOf(texts: readonly string[]): string[] {
  const shown = texts
    .slice(0, mostEntries)
    .map((text) => (text.length > longestEntry ? `${text.slice(0, longestEntry)}…` : text));
  return texts.length > mostEntries ? [...shown, `… ${texts.length - mostEntries} more`] : shown;
}
