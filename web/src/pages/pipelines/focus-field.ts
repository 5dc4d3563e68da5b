const controls = 'input, select, textarea, button, [tabindex]';

/** Scrolls to a field, unfolded, and focuses its control. Does nothing if the field is hidden. */
export function focusField(path: string): void {
  const place = document.querySelector(`[data-field="${CSS.escape(path)}"]`);
  if (place === null) return;
  const folded = place.closest('details');
  if (folded !== null) folded.open = true;
  place.scrollIntoView({ block: 'center' });
  place.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
}
