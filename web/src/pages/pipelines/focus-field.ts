const controls = 'input, select, textarea, button, [tabindex]';

/** Brings a field into view and puts the focus on its control. Does nothing where the field is not shown. */
export function focusField(path: string): void {
  const place = document.querySelector(`[data-field="${CSS.escape(path)}"]`);
  if (place === null) return;
  place.scrollIntoView({ block: 'center' });
  place.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
}
