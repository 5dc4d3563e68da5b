import { detect } from 'chardet';

/** Browsers look for the declaration in the first 1024 bytes; some programs put long comments in front of it. */
const declarationReach = 4096;

/** The text of a page. Encoding: byte order mark, else the page's declaration, else detected from the bytes. */
export function decodeHtml(bytes: Uint8Array): { text: string; guessed: string | null } {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: decode(bytes, marked) ?? '', guessed: null };
  const declared = declaredEncoding(new TextDecoder('latin1').decode(bytes.subarray(0, declarationReach)));
  const text = declared === null ? null : decode(bytes, declared);
  if (text !== null) return { text, guessed: null };
  const unicode = decode(bytes, 'utf-8', true);
  if (unicode !== null) return { text: unicode, guessed: null };
  const guessed = detect(bytes) ?? 'windows-1252';
  return { text: decode(bytes, guessed) ?? new TextDecoder('windows-1252').decode(bytes), guessed };
}

function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function declaredEncoding(start: string): string | null {
  const meta = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  const declared = meta ?? /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(start)?.[1] ?? null;
  // A declaration that is readable byte by byte rules out UTF-16.
  return declared !== null && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/** @returns null when the encoding is unknown, or, if `fatal`, when the bytes are invalid in it */
function decode(bytes: Uint8Array, encoding: string, fatal = false): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return null;
  }
}
