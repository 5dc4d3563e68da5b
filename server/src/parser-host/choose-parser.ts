import type { ParserFile } from '@parley/sdk';
import type { ParserDeclaration } from './thread-messages.ts';

/** The first parser for the extension; else for exactly the media type; else for all of its kind (`text/*`). */
export function chooseParser<Declaration extends Pick<ParserDeclaration, 'media_types' | 'extensions'>>(
  parsers: readonly Declaration[],
  file: Pick<ParserFile, 'extension' | 'media_type'>,
): Declaration | null {
  const extension = file.extension.toLowerCase();
  const type = (file.media_type.split(';', 1)[0] ?? '').trim().toLowerCase();
  const kind = `${type.split('/', 1)[0]}/*`;
  return (
    parsers.find(({ extensions }) => extension !== '' && extensions.includes(extension)) ??
    parsers.find(({ media_types }) => media_types.includes(type)) ??
    parsers.find(({ media_types }) => media_types.includes(kind)) ??
    null
  );
}

/** In lower case, without the dot; empty when the name has none. */
export function extensionOf(name: string): string {
  return /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
