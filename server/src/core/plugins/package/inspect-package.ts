import { createHash } from 'node:crypto';
import type { ErrorDetail, ParleyError, PluginContributions, PluginManifest } from '@parley/sdk';
import { hasNativeName, nativeFormat } from './native-code.ts';
import { type OpenPackage, type PackageEntry, packageLimits } from './package-archive.ts';
import { type PackageSignature, verifiedSignature } from './package-signature.ts';
import { type DescribedPermission, describedPermissions } from './permission-words.ts';
import { refusal, refusals, shownEntry } from './plugin-fault.ts';
import { manifestFile, readManifest, signatureFile } from './read-manifest.ts';

/** What is in a package, found without running any of it. */
export interface InspectedPackage {
  manifest: PluginManifest;
  /** The names of what it adds, by kind; the id of the plugin where a kind has no names. */
  contributions: Partial<Record<keyof PluginContributions, string[]>>;
  permissions: DescribedPermission[];
  /** Null where it is not signed. */
  signature: PackageSignature | null;
  /** SHA-256 of the package, in hexadecimal. */
  digest: string;
  /** Bytes of the package. */
  size: number;
  /** Bytes of its files. */
  unpacked_size: number;
  /** Number of its files. */
  files: number;
}

/**
 * Checks and describes a package.
 * @throws ParleyError `plugin_invalid` naming the entry or the field, or `plugin_incompatible`
 */
export async function inspectPackage(bytes: Uint8Array, open: OpenPackage): Promise<InspectedPackage> {
  if (bytes.length > packageLimits.packageBytes) throw tooLarge();
  const entries = new Map((await open(bytes)).map((entry) => [entry.path, entry]));
  const native = [...entries.keys()].find(hasNativeName);
  if (native !== undefined) throw refusal(native, 'is native code, which a package may not have');
  const manifestBytes = await readWithin(entries, manifestFile, packageLimits.manifestBytes);
  if (manifestBytes === null) throw refusal(manifestFile, 'is missing');
  const manifest = readManifest(manifestBytes);
  checkList(manifest.files, entries);
  const signatureBytes = await readWithin(entries, signatureFile, packageLimits.signatureBytes);
  const signature = signatureBytes === null ? null : verifiedSignature(signatureBytes, manifestBytes);
  for (const [path, hash] of Object.entries(manifest.files)) await checkContent(entries.get(path), path, hash);
  return {
    manifest,
    contributions: contributionNames(manifest),
    permissions: describedPermissions(manifest),
    signature,
    digest: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    unpacked_size: entries.values().reduce((sum, entry) => sum + entry.bytes, 0),
    files: entries.size,
  };
}

/** The refusal of a package, also of one that is not worth reading. */
export function tooLarge(): ParleyError {
  return refusal('', `has more than ${packageLimits.packageBytes} bytes`);
}

/** @returns null when there is no such file */
async function readWithin(
  entries: ReadonlyMap<string, PackageEntry>,
  path: string,
  maximumBytes: number,
): Promise<Buffer | null> {
  const entry = entries.get(path);
  if (entry === undefined) return null;
  if (entry.bytes > maximumBytes) throw refusal(path, `has ${entry.bytes} bytes, more than ${maximumBytes}`);
  return await entry.read();
}

/** The manifest lists exactly the files that there are. */
function checkList(files: PluginManifest['files'], entries: ReadonlyMap<string, PackageEntry>): void {
  const missing = Object.keys(files).filter((path) => !entries.has(path) || !Object.hasOwn(files, path));
  const unlisted = [...entries.keys()].filter(
    (path) => path !== manifestFile && path !== signatureFile && !Object.hasOwn(files, path),
  );
  const details = [
    ...missing.map(
      (path): ErrorDetail => ({ path: shownEntry(path), message: 'is in the manifest, but not in the package' }),
    ),
    ...unlisted.map((path): ErrorDetail => ({ path: shownEntry(path), message: 'is not in the manifest' })),
  ];
  if (details.length > 0) throw refusals(details);
}

async function checkContent(entry: PackageEntry | undefined, path: string, hash: string): Promise<void> {
  if (entry === undefined) throw refusal(path, 'is missing');
  const content = await entry.read();
  if (createHash('sha256').update(content).digest('hex') !== hash) {
    throw refusal(path, 'has another content than the manifest says: the SHA-256 differs');
  }
  const format = nativeFormat(content);
  if (format !== null) throw refusal(path, `is native code (${format}), which a package may not have`);
}

/** The names of what a plugin adds, by kind; the id of the plugin where a kind has no names. */
export function contributionNames({ id, contributes }: PluginManifest): InspectedPackage['contributions'] {
  // Each kind of the manifest has entries.
  const kinds = Object.entries(contributes) as [keyof PluginContributions, readonly object[]][];
  return Object.fromEntries(kinds.map(([kind, list]) => [kind, list.map((entry) => nameOf(entry, id))]));
}

function nameOf(entry: { name?: string; point?: string }, id: string): string {
  return entry.name ?? entry.point ?? id;
}
