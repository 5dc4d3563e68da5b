import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';

/** A release of a repository at GitHub, with its fields there. */
export const PluginRelease = Type.Object(
  {
    id: Type.Integer(),
    tag_name: Type.String(),
    name: Type.String(),
    published_at: nullable(Type.String()),
    prerelease: Type.Boolean(),
    draft: Type.Boolean(),
  },
  { title: 'PluginRelease' },
);
export type PluginRelease = Static<typeof PluginRelease>;

/** A file of a release. */
export const PluginReleaseAsset = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    download_url: Type.String(),
    content_type: Type.String(),
  },
  { title: 'PluginReleaseAsset' },
);
export type PluginReleaseAsset = Static<typeof PluginReleaseAsset>;

/** A version of a plugin in a catalogue. */
export interface CataloguePackage {
  /** `author/name` */
  id: string;
  version: string;
  url: string;
  /** SHA-256 of the package, in hexadecimal. */
  sha256: string;
}

/**
 * Fetches packages, and lists of them, from the hosts that the operator allows. Every method throws ParleyError
 * `address_not_allowed` for another host, and `platform_failed` when a host does not answer as it should.
 */
export interface PluginDownloads {
  /** The newest 30 first. */
  releases(owner: string, repo: string, signal: AbortSignal): Promise<PluginRelease[]>;
  releaseAssets(owner: string, repo: string, releaseId: string, signal: AbortSignal): Promise<PluginReleaseAsset[]>;
  /** What the configured catalogue offers. @throws ParleyError `conflict` when none is configured */
  catalogue(signal: AbortSignal): Promise<CataloguePackage[]>;
  /**
   * The content of a package.
   * @param progress called with bytes so far and in all; null while that is not known
   */
  download(
    url: string,
    options: { signal: AbortSignal; progress: (bytes: number, total: number | null) => void },
  ): AsyncIterable<Uint8Array>;
  /** @throws ParleyError `address_not_allowed` */
  requireAllowed(url: string): void;
}
