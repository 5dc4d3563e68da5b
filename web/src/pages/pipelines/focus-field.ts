const controls = 'input, select, textarea, button, [tabindex]';

/** Scrolls to a field and focuses its control. Does nothing if the field is hidden. */
export function focusField(path: string): void {
  const place = document.querySelector(`[data-field="${CSS.escape(path)}"]`);
  if (place === null) return;
  place.scrollIntoView({ block: 'center' });
  place.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
}
