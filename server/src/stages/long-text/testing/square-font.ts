/**
 * Creates a TrueType font with a square of a different size for each of the given characters, and no others, so that
 * tests find the same glyphs on every machine, even without fonts.
 * @see https://learn.microsoft.com/typography/opentype/spec/otff
 */
export function squareFont(characters: string): Buffer {
  const codes = [...new Set([...characters].map((character) => character.codePointAt(0) ?? 0))].sort((a, b) => a - b);
  // The first glyph is for missing characters.
  const glyphs = [square(900), ...codes.map((_, index) => square(100 + index))];
  const tables: Record<string, Buffer> = {
    cmap: characterMap(codes),
    glyf: Buffer.concat(glyphs),
    head: head(),
    hhea: horizontalHeader(glyphs.length),
    hmtx: Buffer.concat(glyphs.map(() => words(600, 0))),
    loca: locations(glyphs),
    maxp: maximums(glyphs.length),
    name: names('Squares'),
    post: Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.alloc(28)]),
  };
  return assembled(tables);
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value & 0xffff, index * 2);
  return buffer;
}

function longs(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}

function square(size: number): Buffer {
  const outline = [words(1, 0, 0, size, size, 3, 0), Buffer.from([1, 1, 1, 1])];
  return Buffer.concat([...outline, words(0, 0, size, 0, 0, size, 0, -size)]);
}

function characterMap(codes: readonly number[]): Buffer {
  const groups = codes.map((code, index) => longs(code, code, index + 1));
  const table = [words(12, 0), longs(16 + groups.length * 12, 0, groups.length), ...groups];
  return Buffer.concat([words(0, 1, 3, 10), longs(12), ...table]);
}

function head(): Buffer {
  const version = longs(0x00010000, 0x00010000, 0, 0x5f0f3cf5);
  return Buffer.concat([version, words(0, 1000), Buffer.alloc(16), words(0, 0, 1000, 1000, 0, 8, 2, 1, 0)]);
}

function horizontalHeader(glyphs: number): Buffer {
  return Buffer.concat([longs(0x00010000), words(800, -200, 0, 600, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, glyphs)]);
}

function locations(glyphs: readonly Buffer[]): Buffer {
  let offset = 0;
  const starts = glyphs.map(({ length }) => {
    const start = offset;
    offset += length;
    return start;
  });
  return longs(...starts, offset);
}

function maximums(glyphs: number): Buffer {
  return Buffer.concat([longs(0x00010000), words(glyphs, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]);
}

function names(family: string): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  const ids = [1, 2, 4, 6];
  const records = ids.map((id) => words(3, 1, 0x409, id, text.length, 0));
  return Buffer.concat([words(0, ids.length, 6 + ids.length * 12), ...records, text]);
}

function assembled(tables: Record<string, Buffer>): Buffer {
  const entries = Object.entries(tables).sort(([one], [other]) => (one < other ? -1 : 1));
  let offset = 12 + entries.length * 16;
  const records: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const [tag, table] of entries) {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    let sum = 0;
    for (let index = 0; index < padded.length; index += 4) sum = (sum + padded.readUInt32BE(index)) >>> 0;
    records.push(Buffer.from(tag, 'latin1'), longs(sum, offset, table.length));
    bodies.push(padded);
    offset += padded.length;
  }
  const power = 2 ** Math.floor(Math.log2(entries.length));
  const directory = words(entries.length, power * 16, Math.log2(power), (entries.length - power) * 16);
  return Buffer.concat([longs(0x00010000), directory, ...records, ...bodies]);
}
