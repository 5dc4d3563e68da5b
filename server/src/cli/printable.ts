/**
 * Makes untrusted text safe for a terminal: control characters that move the cursor, change colours or the reading
 * order are printed as escapes.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
