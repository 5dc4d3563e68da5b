/**
 * Reads the key that encrypts stored secrets: 32 bytes as 64 hexadecimal digits or as base64, padded or not.
 * @returns the 32 bytes, or null when the text is anything else
 */
export function decodeSecretKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return null;
}
