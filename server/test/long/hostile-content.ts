import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import { type ZipSource, zipArchive } from '../factories/zip-archive.ts';

/** Bytes that mean nothing, the same ones every time. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

/** An entry of an archive that unpacks to so many million spaces; only its packed form is ever in memory. */
export async function bomb(path: string, millions: number, claims: Partial<ZipSource> = {}): Promise<ZipSource> {
  const part = Buffer.alloc(1_000_000, ' ');
  const deflate = createDeflateRaw({ level: 9 });
  const packed: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => packed.push(chunk));
  let checksum = 0;
  for (let index = 0; index < millions; index += 1) {
    checksum = crc32(part, checksum);
    if (!deflate.write(part)) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
  return { path, packed: Buffer.concat(packed), checksum, declaredBytes: millions * 1_000_000, ...claims };
}

/** The files that identify a Word, Excel, PowerPoint or EPUB archive, and the entry that is read first. */
export const packages: Record<string, { main: string; others: ZipSource[] }> = {
  docx: officePackage('word/document.xml', 'wordprocessingml.document'),
  xlsx: officePackage('xl/workbook.xml', 'spreadsheetml.sheet'),
  pptx: officePackage('ppt/presentation.xml', 'presentationml.presentation'),
  epub: {
    main: 'content.opf',
    others: [
      { path: 'mimetype', content: 'application/epub+zip', isStored: true },
      {
        path: 'META-INF/container.xml',
        content:
          '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">' +
          '<rootfiles><rootfile full-path="content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      },
    ],
  },
};

function officePackage(main: string, type: string): { main: string; others: ZipSource[] } {
  const kind = `application/vnd.openxmlformats-officedocument.${type}.main+xml`;
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  return {
    main,
    others: [
      {
        path: '[Content_Types].xml',
        content:
          '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
          '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
          `<Override PartName="/${main}" ContentType="${kind}"/></Types>`,
      },
      {
        path: '_rels/.rels',
        content:
          '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
          `<Relationship Id="rId1" Type="${relations}" Target="${main}"/></Relationships>`,
      },
    ],
  };
}

/** Such a document whose main part is what it is given. */
export function packageWith(extension: string, main: Omit<ZipSource, 'path'>, more: ZipSource[] = []): Buffer {
  const { main: path, others } = packages[extension] ?? { main: 'content.xml', others: [] };
  return zipArchive([...others, { ...main, path }, ...more]);
}

/** XML whose few lines stand for billions of characters. */
export const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">${Array.from(
  { length: 30 },
  (_entity, index) => `<!ENTITY a${index + 1} "&a${index};&a${index};&a${index};">`,
).join('')}]><a>&a30;</a>`;

/** A PDF file with so many pages, each of one line. */
export function pdfOf(pages: number, encrypted = false): Buffer {
  const parts = ['%PDF-1.4\n'];
  const offsets: number[] = [];
  let position = parts[0]?.length ?? 0;
  const add = (object: string) => {
    offsets.push(position);
    const text = `${offsets.length} 0 obj\n${object}\nendobj\n`;
    parts.push(text);
    position += text.length;
  };
  const content = 'BT /F1 12 Tf 72 700 Td (A page of many) Tj ET';
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const kids = Array.from({ length: pages }, (_page, index) => `${index + 5} 0 R`).join(' ');
  add(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>';
  for (let index = 0; index < pages; index += 1) add(page);
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -64 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >> /ID [<00> <00>]`;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  parts.push(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows.join('')}`,
    `trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R ${encrypted ? lock : ''} >>\nstartxref\n${position}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}
