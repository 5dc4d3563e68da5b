import type { PluginContributions, PluginManifest } from '@parley/sdk';
import { compare } from 'semver';
import { contributionNames } from './package/inspect-package.ts';
import { type DescribedPermission, describedPermissions } from './package/permission-words.ts';
import type { PluginConsent, StoredPlugin } from './plugin.ts';

/** What of a kind a package adds, in comparison with the installed version, and what it has no more. */
interface ListDifference {
  added: string[];
  removed: string[];
}

/** How a package differs from what is installed. */
export interface PackageDifferences {
  /** The installed version. */
  installed_version: string;
  permissions: { added: DescribedPermission[]; removed: DescribedPermission[] };
  contributions: Partial<Record<keyof PluginContributions, ListDifference>>;
  /** Names of settings. */
  settings: ListDifference;
  signer_changed: boolean;
  /** Its version is older than the installed one. */
  is_downgrade: boolean;
  is_same_version: boolean;
}

/** @returns null when no version is installed */
export function differencesFrom(
  stored: StoredPlugin | null,
  { manifest, signature }: { manifest: PluginManifest; signature: { fingerprint: string } | null },
): PackageDifferences | null {
  const before = stored?.installed?.manifest;
  if (stored === null || before === undefined) return null;
  const [old, young] = [describedPermissions(before), describedPermissions(manifest)];
  const order = compare(manifest.version, before.version);
  return {
    installed_version: before.version,
    permissions: { added: missingIn(old, young), removed: missingIn(young, old) },
    contributions: contributionDifferences(before, manifest),
    settings: listDifference(settingNames(before), settingNames(manifest)),
    signer_changed: (signature?.fingerprint ?? null) !== stored.signer,
    is_downgrade: order < 0,
    is_same_version: order === 0,
  };
}

/** Whether a consent allows everything that a version asks for. */
export function isCovered(manifest: PluginManifest, consent: PluginConsent | null): consent is PluginConsent {
  return consent !== null && missingIn(consent.permissions, describedPermissions(manifest)).length === 0;
}

/** The permissions that are in the second list only. */
function missingIn(
  some: readonly DescribedPermission[],
  others: readonly DescribedPermission[],
): DescribedPermission[] {
  const known = new Set(some.map(keyOf));
  return others.filter((permission) => !known.has(keyOf(permission)));
}

function keyOf({ kind, value }: DescribedPermission): string {
  return JSON.stringify([kind, value]);
}

function contributionDifferences(before: PluginManifest, after: PluginManifest): PackageDifferences['contributions'] {
  const [old, young] = [contributionNames(before), contributionNames(after)];
  // They are keys of both.
  const kinds = [...new Set([...Object.keys(old), ...Object.keys(young)])] as (keyof PluginContributions)[];
  const differences = kinds.map((kind) => [kind, listDifference(old[kind] ?? [], young[kind] ?? [])] as const);
  return Object.fromEntries(differences.filter(([, { added, removed }]) => added.length + removed.length > 0));
}

function settingNames({ settings }: PluginManifest): string[] {
  return Object.keys(settings?.properties ?? {});
}

function listDifference(before: readonly string[], after: readonly string[]): ListDifference {
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
  };
}
