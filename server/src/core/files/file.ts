import { ParleyError } from '@parley/sdk';

/**
 * What a file is kept for: a document waits to be added to a knowledge base, an image was uploaded to be shown in a
 * chat, media came with a message. What is discarded is not needed any more and about to be removed.
 */
export type FilePurpose = 'document' | 'image' | 'media' | 'discarded';

/** A file of ours. The name is what its sender called it: data, never a path. */
export interface StoredFile {
  uuid: string;
  name: string;
  /** Bytes. */
  size: number;
  /** SHA-256 in hex. */
  sha256: string;
  /** Found by looking at the content. */
  media_type: string;
  purpose: FilePurpose;
  /** Names the file where knowing its name is the permission to read it; null when it has no such name. */
  access_key: string | null;
  created_at: string;
}

/** Largest file, in bytes; a file of exactly this size passes. */
export const maximumFileBytes = 10_485_760;

export function fileTooLarge(): ParleyError {
  return new ParleyError('too_large', `The file is larger than ${maximumFileBytes} bytes (10 MB)`);
}
