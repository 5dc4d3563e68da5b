import { ParleyError, type ParserFile } from '@parley/sdk';
import { fileTypeFromBuffer } from 'file-type';
import { isProbablyText } from '../kit/decode-text.ts';
import { chooseParser } from './choose-parser.ts';
import type { ParserDeclaration } from './thread-messages.ts';

/**
 * Formats that consist of readable characters, so that they would pass for text, but which nobody can read as text.
 * Other formats are told by two or three letters at the beginning, with which a text may begin as well: `BMW`, `MZ`.
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

/** A parser, and what to say when it is not the one that the name of the file asks for. */
interface Choice {
  parser: ParserDeclaration;
  warning: string | null;
}

/**
 * The parser that can read what a file holds, whatever its name says.
 * @param named the one that its name asks for
 * @throws ParleyError `document_type_unsupported`
 */
export async function parserForContent(
  named: ParserDeclaration,
  parsers: readonly ParserDeclaration[],
  file: ParserFile,
): Promise<Choice> {
  // It looks at Buffers another way than at other arrays, and moves within them.
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
