import { ParleyError, problemError } from '@parley/sdk';
import { isStorageUnavailable } from '../../lib/storage-error.ts';
import type { FileService } from '../files/file-service.ts';
import type { KnowledgeDocument } from './document.ts';

/** The original of a document. @throws ParleyError `not_found`, or `storage_unavailable` when it cannot be read now */
export async function* contentOf(
  files: Pick<FileService, 'document'>,
  document: KnowledgeDocument,
): AsyncIterable<Uint8Array> {
  try {
    const file = await files.document(document.file_uuid);
    if (file === null) throw problemError('uploaded_file_gone');
    yield* file.content;
  } catch (error) {
    if (!isStorageUnavailable(error)) throw error;
    throw new ParleyError('storage_unavailable', 'The stored file could not be read', { cause: error });
  }
}

/** All of a content. @param size bytes @throws ParleyError `document_broken` when it has another size */
export async function wholeOf(content: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let place = 0;
  for await (const chunk of content) {
    if (place + chunk.byteLength > size)
      throw new ParleyError('document_broken', 'The stored file is longer than it was');
    bytes.set(chunk, place);
    place += chunk.byteLength;
  }
  if (place < size) throw new ParleyError('document_broken', 'The stored file is shorter than it was');
  return bytes;
}
