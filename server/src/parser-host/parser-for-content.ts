import { ParleyError, type ParserFile } from '@parley/sdk';
import { fileTypeFromBuffer } from 'file-type';
import { isProbablyText } from '../kit/decode-text.ts';
import { chooseParser } from './choose-parser.ts';
import type { ParserDeclaration } from './thread-messages.ts';

/**
 * Formats of printable characters, which would pass for text but are not readable as text. Other formats have
 * signatures of two or three letters, with which a text may start as well: `BMW`, `MZ`.
 */
const unreadableTexts = [
  'application/pdf',
  'application/rtf',
  'text/rtf',
  'application/postscript',
  'application/eps',
  'application/pgp-encrypted',
];

/** Documents of these formats are such containers, and those with a password, too. */
const containers = ['application/zip', 'application/x-cfb'];

/** A parser, and the message if it is not the one for the name of the file. */
interface Choice {
  parser: ParserDeclaration;
  warning: string | null;
}

/**
 * Selects the parser by the content of a file, whatever its name.
 * @param named the one for its name
 * @throws ParleyError `document_type_unsupported`
 */
export async function parserForContent(
  named: ParserDeclaration,
  parsers: readonly ParserDeclaration[],
  file: ParserFile,
): Promise<Choice> {
  // It treats Buffers differently from other arrays, and moves within them.
  const found = await fileTypeFromBuffer(file.bytes).catch(() => undefined);
  if (found === undefined || isReadBy(named, found)) return { parser: named, warning: null };
  const looksLikeText = !unreadableTexts.includes(found.mime) && isProbablyText(file.bytes);
  if (looksLikeText) return { parser: named, warning: null };
  const other = chooseParser(parsers, { extension: found.ext, media_type: found.mime });
  const kind = found.ext.toUpperCase();
  if (other !== null) return { parser: other, warning: `The content is ${kind}, whatever the name says.` };
  if (containers.includes(found.mime) && readsContainers(named)) return { parser: named, warning: null };
  throw new ParleyError('document_type_unsupported', `The content is ${kind}, which no parser reads.`);
}

function isReadBy(parser: ParserDeclaration, found: { ext: string; mime: string }): boolean {
  return parser.media_types.includes(found.mime) || parser.extensions.includes(found.ext);
}

function readsContainers({ media_types }: ParserDeclaration): boolean {
  return media_types.some((type) => /^application\/(vnd\.|epub\+zip$|.*\+zip$)/.test(type));
}
