/*
 * Both search for invalid characters. A pattern of valid ones (`^[A-Za-z0-9+/]+={0,2}$`) needs a stack as long as the
 * text if V8 does not optimize patterns, as in a process that has compiled many: then twelve million characters are a
 * RangeError.
 */

/** Whether a text is base64: letters, digits, `+` and `/`, and at most two `=` at its end. */
export function isBase64(text: string): boolean {
  const digits = withoutPadding(text);
  return digits !== '' && !/[^A-Za-z0-9+/]/.test(digits);
}

/** Whether a text is base64 as programs write it: also with `-` and `_`, and white space anywhere but in the padding. */
export function isLooseBase64(text: string): boolean {
  const digits = withoutPadding(text.trimEnd());
  return digits !== '' && !/[^A-Za-z0-9+/_\s-]/.test(digits);
}

function withoutPadding(text: string): string {
  const padding = ['==', '='].find((end) => text.endsWith(end)) ?? '';
  return text.slice(0, text.length - padding.length);
}
