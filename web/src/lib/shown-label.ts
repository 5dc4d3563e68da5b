/**
 * What the form on the page calls a field, or else the field that it is a part of.
 * @param path as in `data-field`
 * @returns null if the page does not show it
 */
export function shownLabel(path: string): string | null {
  const names = path.split('.');
  for (let count = names.length; count > 0; count -= 1) {
    const place = CSS.escape(names.slice(0, count).join('.'));
    const label = document.querySelector(`[data-field="${place}"] :is(label, legend)`)?.textContent?.trim();
    if (label) return label;
  }
  return null;
}
