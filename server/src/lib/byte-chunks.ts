const chunkBytes = 65_536;

/** Bytes in chunks of 64 kB, for readers of a stream. */
export async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}
