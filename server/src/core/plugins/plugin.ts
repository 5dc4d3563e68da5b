import type { PluginManifest } from '@parley/sdk';
import type { PluginGrants } from './active-plugin.ts';
import type { DescribedPermission } from './package/permission-words.ts';

/** Where a package came from. */
export type PluginSource = 'local' | 'github' | 'catalogue';

/** Who allowed a version of a plugin what. */
export interface PluginConsent {
  /** As they were shown. */
  permissions: DescribedPermission[];
  /** ISO 8601 UTC. */
  at: string;
  /** Name of the account, the API key or the user of the command line. */
  by: string;
}

/** A version of a plugin, whose files are on disk. */
export interface PluginVersion {
  manifest: PluginManifest;
  /** SHA-256 of the package, in hexadecimal. */
  digest: string;
  /** Bytes of the package. */
  size: number;
  /** Fingerprint of the key that signed it; null where it is not signed. */
  signer: string | null;
  source: PluginSource;
  install_info: Record<string, unknown>;
  /** ISO 8601 UTC. */
  installed_at: string;
  /** Null while nobody has consented to it. It does not run then. */
  consent: PluginConsent | null;
}

/** A plugin as it is stored. */
export interface StoredPlugin {
  /** `author/name` */
  id: string;
  /** Null after an uninstallation that kept settings and data. */
  installed: PluginVersion | null;
  /** An update that waits for consent while the installed version runs. */
  waiting: PluginVersion | null;
  /** The version before the installed one, for a rollback. */
  previous: PluginVersion | null;
  /** Fingerprint of the key that versions are expected to be signed with; null for unsigned ones. */
  signer: string | null;
  enabled: boolean;
  /** Its listeners are called in this order. */
  position: number;
  /** Those that were saved, with the mask of each secret. */
  settings: Record<string, unknown>;
  sealed_secrets: string | null;
  /** As `SavedAddresses`. */
  admin_addresses: string[] | null;
  grants: PluginGrants;
  on_failure: 'pass' | 'stop';
  /** ISO 8601 UTC. */
  created_at: string;
  updated_at: string;
}

/** What a plugin is granted before an operator chooses. */
export const noGrants: PluginGrants = { send: [], models: [], knowledge: [] };

/** An installed plugin. */
export type InstalledPlugin = StoredPlugin & { installed: PluginVersion };

export function isInstalled(plugin: StoredPlugin): plugin is InstalledPlugin {
  return plugin.installed !== null;
}

/** The versions whose files are needed. */
export function versionsOf({ installed, waiting, previous }: StoredPlugin): PluginVersion[] {
  return [installed, waiting, previous].filter((version) => version !== null);
}
