import { ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { documentTooLarge, maximumDocumentBytes } from './file.ts';
import type { BlobStore, FileStore } from './file-store.ts';
import { mediaTypeOf } from './media-type.ts';

/** Uploaded documents: streamed to disk under an id of ours, with a hard limit. */
export class FileService {
  readonly #store: FileStore;
  readonly #blobs: BlobStore;

  constructor(store: FileStore, blobs: BlobStore) {
    this.#store = store;
    this.#blobs = blobs;
  }

  /**
   * @param verify called when the content is on disk and before the document exists; if it throws, nothing is kept
   * @returns the new document's id
   * @throws ParleyError `too_large` or `empty_file`
   */
  async storeDocument(name: string, content: AsyncIterable<Uint8Array>, verify: () => Promise<void>): Promise<string> {
    const uuid = newUuid();
    const blob = await this.#blobs.write(uuid, limited(content));
    try {
      await verify();
      if (blob.size === 0) throw new ParleyError('empty_file', 'The file is empty');
      await this.#store.create({
        uuid,
        name: displayName(name),
        size: blob.size,
        sha256: blob.sha256,
        media_type: await mediaTypeOf(blob.head),
        created_at: now(),
      });
    } catch (error) {
      await this.#blobs.delete(uuid);
      throw error;
    }
    return uuid;
  }
}

async function* limited(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maximumDocumentBytes) {
      throw documentTooLarge();
    }
    yield chunk;
  }
}

/** The last part of whatever path was sent, without characters that would confuse a reader or a header. */
function displayName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();
  return [...clean].slice(0, 255).join('') || 'unnamed';
}
