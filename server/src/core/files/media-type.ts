/** The media type detected from the first bytes of a file; distinguishes text from unknown binaries. */
export async function mediaTypeOf(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head);
  // An animated PNG is a PNG, of which those who do not know animations show the first picture.
  if (found?.mime === 'image/apng') return 'image/png';
  if (found !== undefined) return found.mime;
  return isText(head) ? 'text/plain' : 'application/octet-stream';
}

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // `stream` allows the last character to be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
