/**
 * The longest prefix of a text that fits into a number of bytes of UTF-8. Characters are not split.
 * @returns the text itself when it is short enough
 */
export function cutToBytes(text: string, bytes: number): string {
  // No UTF-16 unit takes more than three bytes.
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
