import { ParleyError } from '@parley/sdk';
import { mediaTypeOf } from '../core/files/media-type.ts';
import type { PackedFile } from '../core/knowledge/document-parsers.ts';
import { ZipEntries, type ZipEntry } from '../kit/zip-entries.ts';
import { storableText } from '../lib/storable-text.ts';
import { chooseParser, extensionOf } from './choose-parser.ts';
import type { DocumentLimits, ParserDeclaration } from './thread-messages.ts';

/** Longest stored name; file systems have lower limits. */
const longestName = 255;

/**
 * The files of a ZIP archive that a parser reads.
 * @throws ParleyError `document_broken`, `document_encrypted`, `document_too_complex`, `document_type_unsupported` or
 *   `document_empty`
 */
export async function unpackArchive(
  bytes: Uint8Array,
  parsers: readonly ParserDeclaration[],
  limits: DocumentLimits,
): Promise<PackedFile[]> {
  const zip = await ZipEntries.open(bytes, {
    maximumEntries: limits.maximumArchiveEntries,
    maximumEntryBytes: limits.maximumArchiveEntryBytes,
    maximumExpandedBytes: limits.maximumExpandedBytes,
  });
  const files: PackedFile[] = [];
  for (const entry of zip.entries.filter(({ path }) => !isHidden(path))) {
    const name = nameOf(entry);
    const isKnown = chooseParser(parsers, { extension: extensionOf(name), media_type: '' }) !== null;
    if (!isKnown && !mayTell(entry, limits)) continue;
    const content = await read(entry, name);
    if (content.length === 0) continue;
    // A name without an extension, like README, is recognised by its content.
    if (!isKnown && chooseParser(parsers, { extension: '', media_type: await mediaTypeOf(content) }) === null) continue;
    // A copy, because it moves to another thread.
    files.push({ name, bytes: new Uint8Array(content) });
  }
  if (files.length > 0) return files;
  throw new ParleyError('document_empty', 'The archive holds no file that can be read.');
}

/** Files of the system (`__MACOSX/`), of editors and of version control. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => (part.startsWith('.') && part !== '.' && part !== '..') || part === '__MACOSX');
}

/** Only the last part of its path, for display. */
function nameOf({ path }: ZipEntry): string {
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/\p{Cc}/gu, '');
  return storableText(last.length > longestName ? last.slice(-longestName) : last);
}

/** Nested archives are not opened, and files without a parser are not inspected for that. */
function mayTell({ path, isEncrypted, declaredBytes }: ZipEntry, limits: DocumentLimits): boolean {
  return extensionOf(path) === '' && !isEncrypted && declaredBytes <= limits.maximumArchiveEntryBytes;
}

async function read(entry: ZipEntry, name: string): Promise<Uint8Array> {
  try {
    return await entry.read();
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    throw new ParleyError(error.reason, `${name}: ${error.message}`, { cause: error });
  }
}
