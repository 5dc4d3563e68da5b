import type { InspectedPackage } from './package/inspect-package.ts';
import type { PluginVersion } from './plugin.ts';

/** A package that was received, in a file of its own. */
export interface ReceivedPackage {
  /** Checks and describes it. @throws ParleyError `plugin_invalid` or `plugin_incompatible` */
  inspect(): Promise<InspectedPackage>;
  /** Its bytes. */
  read(): AsyncIterable<Uint8Array>;
  /**
   * Unpacks it to the folder of its version, in place of what is there.
   * @param version whose package it has to be, though it may be packed in another way; its own version when left out
   * @throws as {@link inspect}; ParleyError `plugin_files_changed` when it is the package of another version
   */
  unpack(version?: Pick<PluginVersion, 'manifest' | 'digest' | 'signer'>): Promise<void>;
  /** Removes the file. */
  discard(): Promise<void>;
}

/** A version whose files are on disk. */
export type FilesOf = Pick<PluginVersion, 'manifest' | 'digest'>;

/** The files of plugins. */
export interface PluginPackages {
  /**
   * Stores a package that arrives.
   * @throws ParleyError `plugin_invalid` when it is larger than any package; errors of the content
   */
  receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedPackage>;
  /** Absolute path of the folder of a version. */
  folder(version: FilesOf): string;
  /** Whether that folder is there. */
  has(version: FilesOf): Promise<boolean>;
  /**
   * Packs the files of a version again: the same files are the same bytes.
   * @throws ParleyError `plugin_files_changed`
   */
  pack(version: FilesOf): AsyncIterable<Uint8Array>;
  /** What is wrong with the files of a version, an English sentence; null when they are as they were unpacked. */
  faultOf(version: FilesOf): Promise<string | null>;
  /**
   * A file of a version.
   * @returns null when its manifest has no such file
   * @throws ParleyError `plugin_files_changed`
   */
  read(version: FilesOf, path: string): Promise<Buffer | null>;
  /** Removes the files of all versions of a plugin, or of all plugins, that are not kept. */
  removeOthers(kept: readonly FilesOf[], id?: string): Promise<void>;
}
