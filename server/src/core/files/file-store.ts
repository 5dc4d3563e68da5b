import type { StoredFile } from './file.ts';

export interface FileStore {
  create(file: StoredFile): Promise<void>;
  byUuid(uuid: string): Promise<StoredFile | null>;
  byAccessKey(key: string): Promise<StoredFile | null>;
  /** Marks an upload as discarded. @returns false when it is gone, or a document of a knowledge base needs it */
  discard(uuid: string): Promise<boolean>;
  /** Uuids of files that are discarded, at most so many. */
  discarded(limit: number): Promise<string[]>;
  delete(uuid: string): Promise<void>;
}

/** What writing a blob found out about it. */
export interface WrittenBlob {
  size: number;
  sha256: string;
  /** The first bytes, enough to tell the type. */
  head: Uint8Array;
}

/** Where contents of files live. Keys are made by us. */
export interface BlobStore {
  /**
   * Streams a blob to its place; it is there as a whole and on disk afterwards, or not at all.
   * @throws what `content` throws; nothing is left behind then
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<WrittenBlob>;
  /** Nothing is opened before the first piece is asked for. */
  read(key: string): AsyncIterable<Uint8Array>;
  delete(key: string): Promise<void>;
}
