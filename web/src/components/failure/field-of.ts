import { isAt } from '../../lib/field-path.ts';

/** The field of the page that a path of the server is about: its `data-field` and its label. Null if there is none. */
export function fieldOf(path: string): { place: string; label: string } | null {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-field]')]
    .map((element) => ({ element, place: element.dataset.field ?? '' }))
    .filter(({ place }) => isAt(path, place))
    .sort((one, other) => other.place.length - one.place.length);
  for (const { element, place } of fields) {
    const label = element.querySelector('label')?.firstChild?.textContent?.trim();
    if (label) return { place, label };
  }
  return null;
}
