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
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((source.isMarked === false ? 0 : 0x800) | (source.isEncrypted ? 1 : 0), 2);
    fields.writeUInt16LE(source.method ?? (source.isStored ? 0 : 8), 4);
    fields.writeUInt32LE(source.checksum ?? crc32(content), 10);
    fields.writeUInt32LE(shared?.packed ?? packed.length, 14);
    fields.writeUInt32LE(source.declaredBytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const offset = shared?.offset ?? position;
    if (shared === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
      parts.push(local);
      position += local.length;
    }
    places.set(String(source.path), { offset, packed: shared?.packed ?? packed.length });
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, name]));
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(sources.length & 0xffff, 4);
  end.writeUInt16LE(sources.length & 0xffff, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(position, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}
