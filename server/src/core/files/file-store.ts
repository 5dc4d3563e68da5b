import type { StoredFile } from './file.ts';

export interface FileStore {
  create(file: StoredFile): Promise<void>;
  byUuid(uuid: string): Promise<StoredFile | null>;
  byAccessKey(key: string): Promise<StoredFile | null>;
  /** Marks an upload as discarded. @returns false when it is gone, or a document of a knowledge base needs it */
  discard(uuid: string): Promise<boolean>;
  /** Uuids of discarded files, at most `limit`. */
  discarded(limit: number): Promise<string[]>;
  delete(uuid: string): Promise<void>;
}

/** What writing a blob found out about it. */
export interface WrittenBlob {
  size: number;
  sha256: string;
  /** The first bytes, enough to detect the type. */
  head: Uint8Array;
}

/** Where contents of files live. Keys are made by us. */
export interface BlobStore {
  /**
   * Streams a blob to its place; afterwards it is complete and on disk, or absent.
   * @throws the error of `content`; nothing remains then
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<WrittenBlob>;
  /** Nothing is opened before the first chunk is requested. */
  read(key: string): AsyncIterable<Uint8Array>;
  delete(key: string): Promise<void>;
}
