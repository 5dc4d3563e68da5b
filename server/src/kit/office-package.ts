import { ParleyError, type ParserContext } from '@parley/sdk';
import { ZipEntries } from './zip-entries.ts';

export interface OfficeFormat {
  /** Display name of the format, like `Word document`. */
  name: string;
  /** The extension that the format has today. */
  extension: string;
}

/** Far more parts than a document has pages; an archive with more is malicious. */
const mostParts = 20_000;

/** Signature of the formats before 2007, and of documents with a password. */
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/**
 * The parts of a document that is an archive, as office programs write it.
 * @throws ParleyError `document_broken`, `document_encrypted`, `document_too_complex` or `document_type_unsupported`
 */
export async function openOfficePackage(
  bytes: Uint8Array,
  { name, extension }: OfficeFormat,
  { maximumExpandedBytes }: Pick<ParserContext, 'maximumExpandedBytes'>,
): Promise<ZipEntries> {
  if (compoundFile.every((byte, index) => bytes[index] === byte)) {
    if (
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from('EncryptedPackage', 'utf16le'))
    )
      throw new ParleyError('document_encrypted', `The ${name} can only be read with a password.`);
    throw new ParleyError(
      'document_type_unsupported',
      `The file has a format that office programs used before 2007; open it in one and save it as .${extension}.`,
    );
  }
  return ZipEntries.open(bytes, {
    maximumEntries: mostParts,
    maximumEntryBytes: maximumExpandedBytes,
    maximumExpandedBytes,
  });
}
