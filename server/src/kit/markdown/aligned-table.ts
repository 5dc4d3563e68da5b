/** Longest table row, in characters, that is worth aligning; a longer one would only wrap. */
const widestTable = 200;
/** Characters that take two columns and stand without spaces: Chinese, Japanese, Korean ones, and emoji. */
export const wideCharacter =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;

/**
 * A table for a font of fixed width, its first row the head.
 * @param longest characters that fit into a message
 */
export function alignedTable(rows: readonly (readonly string[])[], longest: number): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, () => 0);
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  const width = widths.reduce((sum, column) => sum + column + 3, 0);
  // An aligned table must fit into one message, so that padding does not multiply messages.
  const isAligned = width <= widestTable && width * rows.length <= longest;
  const line = (row: readonly string[]) =>
    row
      .slice(0, row.findLastIndex((cell) => cell !== '') + 1)
      .map((cell, index) => (isAligned ? cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)) : cell))
      .join(' | ')
      .trimEnd();
  const rule = isAligned ? widths.map((column) => '-'.repeat(column)).join('-+-') : '---';
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}

/** Columns a text takes in a font of fixed width. */
function widthOf(text: string): number {
  return [...text].length + (text.match(wideCharacter)?.length ?? 0);
}
