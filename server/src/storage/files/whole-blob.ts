import { StorageError } from '../../lib/storage-error.ts';

/**
 * The content of a blob, checked while it is read: a part of it must not be taken for the whole.
 * @param size bytes that were stored
 * @throws StorageError `io` when it has another size
 */
export async function* wholeBlob(content: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  let read = 0;
  for await (const chunk of content) {
    read += chunk.byteLength;
    if (read > size) throw new StorageError('io', `A stored file has more than its ${size} bytes`);
    yield chunk;
  }
  if (read < size) throw new StorageError('io', `A stored file has ${read} of its ${size} bytes`);
}
