/**
 * A text of somebody else, fit for a terminal: characters that would move the cursor, change colours or the order of
 * reading are shown as what they are.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
