import { ParleyError } from '@parley/sdk';
import { analyse } from 'chardet';

/** Decoded text. */
export interface DecodedText {
  /** With `\n` at the ends of lines and without a byte order mark. */
  text: string;
  /** Set if something was guessed or omitted; for users. */
  warning: string | null;
}

/** How much of a file is used to detect its encoding. */
const sampleBytes = 65_536;

const marks: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes text of any common encoding: by byte order mark, UTF-8, UTF-16, else the legacy encoding that fits best.
 * @throws ParleyError `document_broken` when the bytes are not text
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const decoded = decodeAny(bytes);
  if (decoded === null || isBinary(decoded.text)) {
    throw new ParleyError('document_broken', 'The file is not text, or is damaged.');
  }
  return { ...decoded, text: decoded.text.replace(/\r\n?/g, '\n') };
}

/** Whether the start of a file is readable text, in any encoding. */
export function isProbablyText(bytes: Uint8Array): boolean {
  const decoded = decodeAny(bytes.subarray(0, 4096), true);
  return decoded !== null && !isBinary(decoded.text);
}

function decodeAny(bytes: Uint8Array, isCut = false): DecodedText | null {
  for (const [encoding, mark] of marks) {
    if (mark.every((byte, index) => bytes[index] === byte)) {
      return { text: new TextDecoder(encoding).decode(bytes), warning: null };
    }
  }
  const wide = wideEncoding(bytes);
  if (wide !== null) return { text: new TextDecoder(wide).decode(bytes), warning: null };
  const unicode = decode(bytes, 'utf-8', isCut);
  if (unicode !== null && !unicode.includes(japaneseEscape)) return { text: unicode, warning: null };
  if (unicode === null && isNearlyUtf8(bytes)) {
    const warning = 'Some characters are damaged; they were replaced by �.';
    return { text: new TextDecoder().decode(bytes), warning };
  }
  return decodeLegacy(bytes, isCut);
}

/** The escape sequence of ISO-2022-JP, which uses only ASCII bytes. */
const japaneseEscape = '\u001b$';

/** UTF-16 without a mark is known by the zero bytes of its spaces, line ends and digits, all on the same side. */
function wideEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd < sample.length / 50) return null;
  if (even * 20 < odd) return 'utf-16le';
  return odd * 20 < even ? 'utf-16be' : null;
}

/** A log that was cut in the middle of characters, or in which one line has another encoding, is still UTF-8. */
function isNearlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, sampleBytes));
  let damaged = 0;
  let good = 0;
  for (const character of text) {
    if (character === '�') damaged += 1;
    else if (character > '\u007f') good += 1;
  }
  return good > damaged * 10;
}

function decodeLegacy(bytes: Uint8Array, isCut: boolean): DecodedText {
  const sample = telling(bytes);
  const found = analyse(sample)
    .filter(({ name }) => !/^(UTF|ASCII)/.test(name))
    .map(({ name, confidence }) => ({ name: widened[name] ?? name, confidence }));
  const best = found[0]?.confidence ?? 0;
  const candidates = best < 50 && isAllPairs(sample) ? found.filter(({ name }) => pairEncodings.includes(name)) : found;
  // Undecidable samples, such as a few characters, are most often Chinese, or Western.
  if ((candidates[0]?.confidence ?? 0) <= 10) candidates.unshift({ name: 'GB18030', confidence: 10 });
  for (const { name } of [...candidates, { name: 'windows-1252' }]) {
    const text = decode(bytes, name, isCut);
    if (text === null || isBinary(text)) continue;
    return { text, warning: guessed(name) };
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), warning: guessed('windows-1252') };
}

function guessed(encoding: string): string {
  return `The file does not name its encoding; it was read as ${encoding}.`;
}

/** In which a character of the most frequent ones is a pair of high bytes. */
const pairEncodings = ['GB18030', 'EUC-KR', 'EUC-JP', 'Big5'];

/** Whether high bytes only come in pairs. In other alphabets, runs are as often of odd length. */
function isAllPairs(bytes: Uint8Array): boolean {
  let run = 0;
  for (const byte of bytes) {
    if (byte >= 0xa1 && byte <= 0xfe) run += 1;
    else if (byte > 127 || run % 2 === 1) return false;
    else run = 0;
  }
  return run % 2 === 0;
}

/** Supersets by Windows of other encodings. */
const widened: Record<string, string> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
};

/** Lines with non-ASCII bytes, which indicate the encoding; up to the size of a sample. */
function telling(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) return bytes;
  const sample = new Uint8Array(sampleBytes);
  let length = 0;
  let from = 0;
  while (from < bytes.length && length < sampleBytes) {
    const newline = bytes.indexOf(10, from);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(from, Math.min(end, from + sampleBytes - length));
    if (line.some((byte) => byte > 127 || byte === 27)) {
      sample.set(line, length);
      length += line.length;
    }
    from = end;
  }
  return sample.subarray(0, length);
}

/** @returns null when the bytes are invalid in the encoding, or it is unknown */
function decode(bytes: Uint8Array, encoding: string, isCut = false): string | null {
  try {
    // `stream` allows the last character to be cut off.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

/** Whether there are more control characters than texts have; some have a few, after a crash or for colours. */
function isBinary(text: string): boolean {
  const sample = text.length > sampleBytes ? text.slice(0, sampleBytes) + text.slice(-sampleBytes) : text;
  let controls = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index);
    const isControl = (code < 32 && !(code >= 8 && code <= 13) && code !== 27) || (code >= 127 && code < 160);
    if (isControl || code === 0xfffe || code === 0xffff) controls += 1;
  }
  return controls > Math.max(1, sample.length / 50);
}
