import { crc32, inflateRawSync } from 'node:zlib';
import { ParleyError } from '@parley/sdk';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';

export interface ZipLimits {
  /** Most entries, folders too. */
  maximumEntries: number;
  /** Most bytes that come out of one entry. */
  maximumEntryBytes: number;
  /** Most bytes that come out of all entries that are read, together; one that is read twice counts twice. */
  maximumExpandedBytes: number;
}

/** A file in an archive. */
export interface ZipEntry {
  /** As the archive has it, with `/` between folders. It is data: never a path to write to. */
  readonly path: string;
  readonly isEncrypted: boolean;
  /** Declared uncompressed size. Reading fails when the actual one differs. */
  readonly declaredBytes: number;
  /**
   * Unpacks it.
   * @throws ParleyError `document_broken`, `document_encrypted`, `document_too_complex` or `document_type_unsupported`
   */
  read(): Promise<Buffer>;
}

/** Larger files with a higher compression ratio are rejected as malicious. Text hardly reaches a tenth of it. */
const maximumRatio = 300;
const smallBytes = 1_000_000;

/**
 * The files of a ZIP archive in memory, limited by their actual rather than declared size. Also for documents that are
 * archives.
 */
export class ZipEntries {
  /** Without folders, in the order of the archive's directory. */
  readonly entries: readonly ZipEntry[];

  readonly #limits: ZipLimits;
  #expandedBytes = 0;

  private constructor(bytes: Buffer, zip: ZipFile, entries: Entry[], limits: ZipLimits) {
    this.#limits = limits;
    this.entries = entries
      .map((entry) => ({
        path: pathOf(entry),
        isEncrypted: entry.isEncrypted(),
        declaredBytes: entry.uncompressedSize,
        read: () => this.#read(bytes, zip, entry),
      }))
      .filter(({ path }) => !path.endsWith('/'));
  }

  /**
   * Reads the directory of an archive.
   * @throws ParleyError `document_broken`, `document_encrypted` or `document_too_complex`
   */
  static async open(bytes: Uint8Array, limits: ZipLimits): Promise<ZipEntries> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const zip = await orBroken(fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false }));
    if (zip.entryCount > limits.maximumEntries) throw tooManyEntries(zip.entryCount, limits);
    const entries = await orBroken(entriesOf(zip));
    return new ZipEntries(buffer, zip, entries, limits);
  }

  /** The file at a path; where there are several, the last one, as most programs have it. */
  find(path: string): ZipEntry | undefined {
    return this.entries.findLast((entry) => entry.path === path);
  }

  /**
   * Unpacks everything and discards it: afterwards, the archive may be passed to a library without limits. Does not
   * count towards the bytes that may still be read.
   * @throws ParleyError as reading does
   */
  async check(): Promise<void> {
    const before = this.#expandedBytes;
    for (const entry of this.entries) await entry.read();
    this.#expandedBytes = before;
  }

  async #read(bytes: Buffer, zip: ZipFile, entry: Entry): Promise<Buffer> {
    if (entry.isEncrypted()) {
      throw new ParleyError('document_encrypted', 'The file can only be read with a password.');
    }
    const { maximumEntryBytes, maximumExpandedBytes } = this.#limits;
    const room = Math.min(maximumEntryBytes, maximumExpandedBytes - this.#expandedBytes);
    if (entry.uncompressedSize > room) throw tooLarge(room);
    const { fileDataStart } = await orBroken(zip.readLocalFileHeaderPromise(entry, { minimal: true }));
    const packed = bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize);
    const content = unpacked(packed, entry, room);
    this.#expandedBytes += content.length;
    if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) throw untrue();
    return content;
  }
}

function unpacked(packed: Buffer, entry: Entry, room: number): Buffer {
  if (entry.compressionMethod === 0) return packed;
  if (entry.compressionMethod !== 8) {
    throw new ParleyError(
      'document_type_unsupported',
      'The compression method of the archive is not supported; use Deflate.',
    );
  }
  const allowed = Math.max(smallBytes, packed.length * maximumRatio);
  // One byte more than declared is too many. A buffer limit cannot be zero.
  const most = Math.max(1, Math.min(room, allowed, entry.uncompressedSize));
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch (error) {
    const isTooLong = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isTooLong) throw broken(error);
    throw most === entry.uncompressedSize ? untrue(error) : tooLarge(most, error);
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** The library's own check refuses a whole archive for one name, while names are only data here. */
function pathOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const isUtf8 = (entry.generalPurposeBitFlag & 0x800) !== 0 || isValidUtf8(raw);
  const flags = isUtf8 ? entry.generalPurposeBitFlag | 0x800 : entry.generalPurposeBitFlag;
  return getFileNameLowLevel(flags, raw, entry.extraFields, false).replaceAll('\\', '/');
}

/** Several systems write UTF-8 without saying so. */
function isValidUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

async function orBroken<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && error.message.includes('strong encryption')) {
      throw new ParleyError('document_encrypted', 'The file can only be read with a password.', { cause: error });
    }
    throw broken(error);
  }
}

function broken(cause: unknown): ParleyError {
  return new ParleyError('document_broken', 'The archive is damaged, or the file is not an archive.', { cause });
}

function untrue(cause?: unknown): ParleyError {
  const message = 'The archive is damaged: a file in it does not match its directory.';
  return new ParleyError('document_broken', message, { cause });
}

function tooManyEntries(entries: number, { maximumEntries }: ZipLimits): ParleyError {
  const message = `The archive contains ${entries} files and folders, more than the limit of ${maximumEntries}.`;
  return new ParleyError('document_too_complex', message);
}

function tooLarge(bytes: number, cause?: unknown): ParleyError {
  const message = `The archive unpacks to more than it may: something in it has more than ${Math.max(0, bytes)} bytes.`;
  return new ParleyError('document_too_complex', message, { cause });
}
