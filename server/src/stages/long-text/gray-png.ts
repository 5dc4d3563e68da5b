import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const pack = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Encodes a black-on-white picture as PNG with one byte per pixel: pages of text are a tenth of the size of RGBA, and
 * they are stored in the ledger.
 * @param pixels four bytes for each, red first, as in a canvas
 * @see https://www.w3.org/TR/png-3/
 */
export async function grayPng(pixels: Uint8Array, width: number, height: number): Promise<Buffer> {
  // Each row starts with its filter type: 0 is none.
  const rows = Buffer.alloc(height * (width + 1));
  let source = 1;
  for (let y = 0; y < height; y += 1) {
    const row = y * (width + 1) + 1;
    // A place in the picture: reads of typed arrays are numbers.
    for (let x = 0; x < width; x += 1, source += 4) rows[row + x] = pixels[source] as number;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', await pack(rows)), chunk('IEND')]);
}

function chunk(type: string, content = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
