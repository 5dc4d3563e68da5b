import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive, and what its headers are to say where that is not the truth. */
export interface ZipSource {
  path: string | Uint8Array;
  content?: string | Uint8Array;
  /** Default: deflated. */
  isStored?: boolean;
  /** Replaces the packed content in the archive. */
  packed?: Uint8Array;
  declaredBytes?: number;
  checksum?: number;
  method?: number;
  isEncrypted?: boolean;
  /** Whether the name is marked as UTF-8. Default true. */
  isMarked?: boolean;
  /** Path of an entry whose content is used again, as archives do that unpack to very much. */
  sameAs?: string;
  /** More flags of the directory and the header. */
  flags?: number;
  /** What the file is: its Unix type and mode in the upper half, its attributes on Windows in the lower one. */
  attributes?: number;
  /** Extra fields, in the directory and the header. */
  extra?: Uint8Array;
  comment?: string;
  /** What the header before the content says, where it differs from the directory. */
  header?: { path?: string; declaredBytes?: number; checksum?: number; method?: number; extra?: Uint8Array };
  /** Bytes before the header, which belong to no entry. */
  gap?: Uint8Array;
}

/** Writes a ZIP archive, a true one or one that lies. */
export function zipArchive(sources: ZipSource[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const places = new Map<string, { offset: number; packed: number }>();
  let position = 0;
  for (const source of sources) {
    const name = Buffer.from(source.path as string);
    const content = Buffer.from((source.content ?? '') as string);
    const packed = Buffer.from(source.packed ?? (source.isStored ? content : deflateRawSync(content)));
    const shared = source.sameAs === undefined ? undefined : places.get(source.sameAs);
    const extra = Buffer.from(source.extra ?? []);
    const comment = Buffer.from(source.comment ?? '');
    const packedBytes = shared?.packed ?? packed.length;
    const said = { ...source, content, packedBytes };
    const gap = Buffer.from(source.gap ?? []);
    const offset = shared?.offset ?? position + gap.length;
    if (shared === undefined) {
      const { path, extra: ownExtra, ...header } = source.header ?? {};
      const headerName = path === undefined ? name : Buffer.from(path);
      const headerExtra = ownExtra === undefined ? extra : Buffer.from(ownExtra);
      const fields = fieldsOf({ ...said, ...header }, headerName, headerExtra);
      const local = Buffer.concat([gap, Buffer.from('PK\x03\x04'), fields, headerName, headerExtra, packed]);
      parts.push(local);
      position += local.length;
    }
    places.set(String(source.path), { offset, packed: packedBytes });
    const tail = Buffer.alloc(14);
    tail.writeUInt16LE(comment.length, 0);
    tail.writeUInt32LE(source.attributes ?? 0, 6);
    tail.writeUInt32LE(offset, 10);
    const fields = fieldsOf(said, name, extra);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, name, extra, comment]));
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(sources.length & 0xffff, 4);
  end.writeUInt16LE(sources.length & 0xffff, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(position, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}

/** The fields that the directory and the header have in common. */
function fieldsOf(source: ZipSource & { content: Buffer; packedBytes: number }, name: Buffer, extra: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  const flags = (source.isMarked === false ? 0 : 0x800) | (source.isEncrypted ? 1 : 0) | (source.flags ?? 0);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(source.method ?? (source.isStored ? 0 : 8), 4);
  fields.writeUInt32LE(source.checksum ?? crc32(source.content), 10);
  fields.writeUInt32LE(source.packedBytes, 14);
  fields.writeUInt32LE(source.declaredBytes ?? source.content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(extra.length, 24);
  return fields;
}
