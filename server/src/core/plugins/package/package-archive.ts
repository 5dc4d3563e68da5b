/** Limits of a package, which hold before anything is unpacked. */
export const packageLimits = {
  packageBytes: 10 * 1024 * 1024,
  /** Of one file, unpacked. */
  entryBytes: 10 * 1024 * 1024,
  /** Of all files, unpacked. */
  expandedBytes: 40 * 1024 * 1024,
  /** Folders too. */
  entries: 1000,
  /** Files over {@link smallBytes} that were packed to less than this part are refused. */
  ratio: 100,
  smallBytes: 1_000_000,
  manifestBytes: 256 * 1024,
  signatureBytes: 1024,
} as const;

/** A file of a package. */
export interface PackageEntry {
  /** Safe: relative, of plain characters, and not clashing with another one. */
  readonly path: string;
  /** Unpacked. */
  readonly bytes: number;
  /**
   * Unpacks it.
   * @throws ParleyError `plugin_invalid` when the content is not what the archive says
   */
  read(): Promise<Buffer>;
}

/**
 * Reads the directory of an archive. It unpacks nothing.
 * @throws ParleyError `plugin_invalid` naming the entry for an archive that breaks a rule or a limit
 */
export type OpenPackage = (bytes: Uint8Array) => Promise<readonly PackageEntry[]>;
