/** Moves the focus to a field of a form, which is unfolded if necessary. @param place as in `data-field` */
export function showField(place: string): void {
  const field = document.querySelector(`[data-field="${CSS.escape(place)}"]`);
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  const control = field?.querySelector<HTMLElement>('input, select, textarea, button');
  control?.focus();
  control?.scrollIntoView?.({ block: 'center' });
}
