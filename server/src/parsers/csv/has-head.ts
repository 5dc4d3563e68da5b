/** Whether the first row is a header: all its cells differ, and none is a number or a date. */
export function hasHead(rows: readonly string[][]): boolean {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return false;
  const names = first.map((cell) => cell.trim()).filter((cell) => cell !== '');
  // Columns of numbers and of marks often have no name.
  if (names.length === 0 || names.length < first.length / 2) return false;
  if (new Set(names).size < names.length) return false;
  return names.every((name) => name.length <= 100 && !/^[-+]?[\d.,\s:/-]*\d[\d.,\s:/%-]*$/.test(name));
}
