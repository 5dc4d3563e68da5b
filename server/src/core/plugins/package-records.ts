/** A package in the file store. */
export interface PackageRecord {
  /** Names the content. */
  blob_uuid: string;
  /** SHA-256 of the package that was installed, in hexadecimal. */
  digest: string;
  /** Bytes of the content. */
  size: number;
  /** Of the content, in hexadecimal; another one than `digest` where the files of an installation were packed again. */
  sha256: string;
  /** When an installation needed it last, ISO 8601 UTC. */
  stored_at: string;
}

/** The records of packages. They are made before the content is stored, so that no content is without one. */
export interface PackageRecords {
  byDigest(digest: string): Promise<PackageRecord | null>;
  /**
   * Adds a record. Where there is one of the package, that one stays, and `stored_at` is set.
   * @returns the record that is there now
   */
  keep(record: PackageRecord): Promise<PackageRecord>;
  /** Marks a record as discarded: it is not found any more. */
  discard(blobUuid: string): Promise<void>;
  /** Marks those of other packages, stored before a timestamp (ISO 8601 UTC), as discarded. */
  discardOthers(neededDigests: readonly string[], storedBefore: string): Promise<void>;
  /** Uuids of the content of discarded ones, at most `limit`. */
  discarded(limit: number): Promise<string[]>;
  delete(blobUuid: string): Promise<void>;
  /** Has other replicas read plugins again: packages are there that they may be waiting for. */
  announce(): Promise<void>;
}
