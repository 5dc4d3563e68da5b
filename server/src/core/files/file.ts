import { type ParleyError, problemError } from '@parley/sdk';

/**
 * The purpose of a file: a document is to be added to a knowledge base; an unsent file was uploaded for a message that is
 * not stored yet, which makes it media; media belong to a message. A discarded file is about to be deleted. An image was
 * uploaded for a chat by a version that did not distinguish unsent files.
 */
export type FilePurpose = 'document' | 'unsent' | 'image' | 'media' | 'discarded';

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

/** The largest file, as parameters of texts. */
export const maximumFileSize = { bytes: String(maximumFileBytes), megabytes: String(maximumFileBytes / 1_048_576) };

export function fileTooLarge(): ParleyError {
  return problemError('file_too_large', maximumFileSize);
}
