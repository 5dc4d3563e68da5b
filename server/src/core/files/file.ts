import { ParleyError } from '@parley/sdk';

/** An uploaded document. The name is what the uploader called it: data, never a path. */
export interface UploadedFile {
  uuid: string;
  name: string;
  /** Bytes. */
  size: number;
  /** SHA-256 in hex. */
  sha256: string;
  /** Found by looking at the content. */
  media_type: string;
  created_at: string;
}

/** Largest document, in bytes; a document of exactly this size passes. */
export const maximumDocumentBytes = 10_485_760;

export function documentTooLarge(): ParleyError {
  return new ParleyError('too_large', `The file is larger than ${maximumDocumentBytes} bytes (10 MB)`);
}
