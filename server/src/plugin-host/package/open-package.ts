import { crc32, type InflateRaw, inflateRaw } from 'node:zlib';
import { ParleyError } from '@parley/sdk';
import { type Entry, fromBufferPromise, type LocalFileHeader, type ZipFile } from 'yauzl';
import { type PackageEntry, packageLimits } from '../../core/plugins/package/package-archive.ts';
import { PackagePaths } from '../../core/plugins/package/package-paths.ts';
import { refusal } from '../../core/plugins/package/plugin-fault.ts';

const endBytes = 22;
const locatorBytes = 20;
const locatorSignature = 0x07064b50;

/** Bits for the level of compression, and for a name in UTF-8. The others change how an entry is read. */
const allowedFlags = 0x0006 | 0x0800;
const encryptedFlags = 0x0001 | 0x0040 | 0x2000;
const descriptorFlag = 0x0008;
/** Extra fields that hold sizes and another name. */
const zip64Field = 0x0001;
const nameField = 0x7075;

/** Types of Unix files, in the upper half of an entry's attributes; the lower half has the attributes of Windows. */
const typeMask = 0xf000;
const regularFile = 0x8000;
const folder = 0x4000;
const windowsFolder = 0x10;
const windowsLink = 0x400;

/**
 * Reads the directory of a package, in the only way in which it can be read: what leaves a choice to the reader, so that
 * two programs would see two archives, is refused. Every byte belongs to one entry, to the directory or to its end.
 * @throws ParleyError `plugin_invalid` naming the entry
 */
export async function openPackage(bytes: Uint8Array): Promise<PackageEntry[]> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { entryCount, directoryStart, directoryEnd } = readEnd(archive);
  const zip = await orDamaged(fromBufferPromise(archive, { decodeStrings: false, validateEntrySizes: false }));
  const entries = await orDamaged(entriesOf(zip));
  const directoryBytes = entries.reduce(
    (sum, entry) => sum + 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength,
    0,
  );
  if (entries.length !== entryCount || directoryStart + directoryBytes !== directoryEnd) {
    throw refusal('', 'has a directory that does not end where it says');
  }
  const paths = new PackagePaths();
  const files: PackageEntry[] = [];
  let position = 0;
  let expandedBytes = 0;
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    const path = entry.fileNameRaw.toString('utf8');
    paths.add(path);
    checkEntry(entry, path);
    expandedBytes += entry.uncompressedSize;
    if (expandedBytes > packageLimits.expandedBytes) {
      throw refusal(path, `the package unpacks to more than ${packageLimits.expandedBytes} bytes`);
    }
    if (entry.relativeOffsetOfLocalHeader !== position) {
      throw refusal(path, 'does not begin where the file before it ends');
    }
    const header = await orDamaged(zip.readLocalFileHeaderPromise(entry), path);
    checkHeader(header, entry, path);
    position = header.fileDataStart + entry.compressedSize;
    const packed = archive.subarray(header.fileDataStart, position);
    if (!path.endsWith('/')) {
      files.push({ path, bytes: entry.uncompressedSize, read: () => unpacked(packed, entry, path) });
    }
  }
  if (position !== directoryStart) throw refusal('', 'has data between its files and its directory');
  return files;
}

/** The end of the directory, which is the end of the package as well. */
function readEnd(archive: Buffer): { entryCount: number; directoryStart: number; directoryEnd: number } {
  const end = archive.length - endBytes;
  if (end < 0 || archive.readUInt32LE(0) !== (end === 0 ? 0x06054b50 : 0x04034b50)) {
    throw refusal('', 'is not a ZIP archive, or has data before it');
  }
  if (archive.readUInt32LE(end) !== 0x06054b50 || archive.readUInt16LE(end + 20) !== 0) {
    throw refusal('', 'is cut off, or has a comment or data behind it');
  }
  if (end >= locatorBytes && archive.readUInt32LE(end - locatorBytes) === locatorSignature) {
    throw refusal('', 'is in the format ZIP64, which is for larger ones');
  }
  const [disk, directoryDisk, countHere, entryCount] = [4, 6, 8, 10].map((at) => archive.readUInt16LE(end + at));
  if (disk !== 0 || directoryDisk !== 0 || entryCount === undefined || countHere !== entryCount) {
    throw refusal('', 'is a part of an archive');
  }
  if (entryCount > packageLimits.entries) {
    throw refusal('', `has ${entryCount} files and folders, more than ${packageLimits.entries}`);
  }
  const directoryStart = archive.readUInt32LE(end + 16);
  if (directoryStart + archive.readUInt32LE(end + 12) !== end) {
    throw refusal('', 'has a directory that does not end where it says');
  }
  return { entryCount, directoryStart, directoryEnd: end };
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** What the directory says of an entry. */
function checkEntry(entry: Entry, path: string): void {
  const { generalPurposeBitFlag: flags, compressionMethod, compressedSize, uncompressedSize } = entry;
  if ((flags & encryptedFlags) !== 0) throw refusal(path, 'is encrypted');
  if ((flags & descriptorFlag) !== 0) throw refusal(path, 'has its size behind it; pack it into a file, not a stream');
  if ((flags & ~allowedFlags) !== 0) throw refusal(path, 'is packed in a way that is not supported');
  if (compressionMethod !== 0 && compressionMethod !== 8) {
    throw refusal(path, 'is packed by a method that is not supported; use Deflate');
  }
  if (entry.fileCommentLength !== 0) throw refusal(path, 'has a comment');
  if (entry.extraFields.some(({ id }) => id === zip64Field)) throw refusal(path, 'has fields of ZIP64');
  if (entry.extraFields.some(({ id }) => id === nameField)) throw refusal(path, 'has another name beside its name');
  checkType(entry.externalFileAttributes, path);
  if (path.endsWith('/') && (uncompressedSize !== 0 || compressedSize > 2))
    throw refusal(path, 'is a folder with content');
  if (compressionMethod === 0 && compressedSize !== uncompressedSize) throw refusal(path, 'has two sizes');
  if (uncompressedSize > packageLimits.entryBytes) {
    throw refusal(path, `has ${uncompressedSize} bytes, more than ${packageLimits.entryBytes}`);
  }
  const { ratio, smallBytes } = packageLimits;
  if (uncompressedSize > smallBytes && uncompressedSize > compressedSize * ratio) {
    throw refusal(path, `unpacks to more than ${ratio} times its size`);
  }
}

function checkType(attributes: number, path: string): void {
  const type = (attributes >>> 16) & typeMask;
  const isFolder = path.endsWith('/');
  const isPlain = type === 0 || type === (isFolder ? folder : regularFile);
  const isFolderOnWindows = (attributes & windowsFolder) !== 0;
  if (!isPlain || (attributes & windowsLink) !== 0 || (isFolderOnWindows && !isFolder)) {
    throw refusal(path, 'is a link or another special file');
  }
}

/** What stands before the content, which other programs go by. */
function checkHeader(header: LocalFileHeader, entry: Entry, path: string): void {
  const isSame =
    header.fileName.equals(entry.fileNameRaw) &&
    header.generalPurposeBitFlag === entry.generalPurposeBitFlag &&
    header.compressionMethod === entry.compressionMethod &&
    header.crc32 === entry.crc32 &&
    header.compressedSize === entry.compressedSize &&
    header.uncompressedSize === entry.uncompressedSize;
  if (!isSame) throw refusal(path, 'is described in two ways: its header differs from the directory');
  if (hasField(header.extraField, [zip64Field, nameField])) {
    throw refusal(path, 'is described in two ways: its header differs from the directory');
  }
}

function hasField(fields: Buffer, ids: readonly number[]): boolean {
  for (let at = 0; at + 4 <= fields.length; at += 4 + fields.readUInt16LE(at + 2)) {
    if (ids.includes(fields.readUInt16LE(at))) return true;
  }
  return false;
}

async function unpacked(packed: Buffer, entry: Entry, path: string): Promise<Buffer> {
  const content = entry.compressionMethod === 0 ? packed : await inflated(packed, entry.uncompressedSize, path);
  if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) {
    throw refusal(path, 'is damaged: its content is not what the directory says');
  }
  return content;
}

function inflated(packed: Buffer, declaredBytes: number, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A limit cannot be zero; one byte too many is found by the length.
    inflateRaw(packed, { maxOutputLength: Math.max(1, declaredBytes), info: true }, (error, result) => {
      if (error !== null)
        return reject(refusal(path, 'is damaged: it cannot be unpacked to the size that it has', error));
      // With `info`, the result is not the buffer alone.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: InflateRaw };
      if (engine.bytesWritten !== packed.length) return reject(refusal(path, 'has data behind its content'));
      return resolve(buffer);
    });
  });
}

async function orDamaged<Value>(promise: Promise<Value>, path = ''): Promise<Value> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof ParleyError) throw error;
    // The library stops there, before the entry has a name.
    if (error instanceof Error && error.message.includes('encryption')) throw refusal(path, 'is encrypted', error);
    throw refusal(path, path === '' ? 'has a damaged directory' : 'has a damaged header', error);
  }
}
