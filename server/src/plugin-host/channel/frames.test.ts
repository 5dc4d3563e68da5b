import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { binaryFrame, type Frame, FrameReader, frameKinds, jsonFrame, readBinary } from './frames.ts';

/** Pushes bytes in chunks that end at some places. */
function readInChunks(bytes: Buffer, ends: readonly number[], frameBytes = 1 << 20): Frame[] {
  const reader = new FrameReader(frameBytes);
  const frames: Frame[] = [];
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    reader.push(bytes.subarray(start, end));
    start = end;
    for (let frame = reader.next(); frame !== null; frame = reader.next()) frames.push(frame);
  }
  return frames;
}

it('frames are the same wherever chunks end', () => {
  const frame = fc.oneof(
    fc.string({ maxLength: 50 }).map((text) => jsonFrame(text)),
    fc
      .tuple(fc.nat(), fc.uint8Array({ maxLength: 50 }))
      .map(([id, bytes]) => binaryFrame(frameKinds.responseBytes, id, bytes)),
  );
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 60 }), (frames, places) => {
      const bytes = Buffer.concat(frames);
      const ends = places.filter((end) => end <= bytes.length).sort((one, other) => one - other);
      const read = readInChunks(bytes, ends);
      expect(read.map(({ kind, content }) => [kind, Buffer.from(content)])).toEqual(
        frames.map((whole) => [whole[4], Buffer.from(whole.subarray(5))]),
      );
    }),
    { numRuns: runsTried(2500) },
  );
});

it('every place of a conversation can be the end of a chunk', () => {
  const bytes = Buffer.concat([jsonFrame('{"a":1}'), binaryFrame(1, 7, Buffer.from('bytes')), jsonFrame('[]')]);
  for (let end = 0; end <= bytes.length; end += 1) {
    const texts = readInChunks(bytes, [end]).map(({ kind, content }) =>
      kind === frameKinds.json ? content.toString() : readBinary(content).bytes.toString(),
    );
    expect(texts).toEqual(['{"a":1}', 'bytes', '[]']);
  }
});

it('a frame that is too long is refused by its header, before any of it is held', () => {
  const reader = new FrameReader(8 << 20);
  const header = Buffer.from([0x40, 0, 0, 0, 0]);
  const before = process.memoryUsage().arrayBuffers;
  reader.push(header);
  expect(() => reader.next()).toThrow('a frame of 1073741824 bytes');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
});

it('a kind that there is not is refused', () => {
  const reader = new FrameReader(100);
  reader.push(Buffer.from('Hello, world'));
  expect(() => reader.next()).toThrow();
});

it('ids of 48 bits cross', () => {
  const { id, bytes } = readBinary(binaryFrame(2, 2 ** 48 - 1, Buffer.from([1])).subarray(5));
  expect([id, [...bytes]]).toEqual([2 ** 48 - 1, [1]]);
});
