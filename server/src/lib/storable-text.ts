/**
 * The same text in a form that every database keeps: PostgreSQL takes neither the character NUL nor half of a pair of
 * surrogates. Both become the replacement character U+FFFD, so that two texts which differ elsewhere stay different.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
