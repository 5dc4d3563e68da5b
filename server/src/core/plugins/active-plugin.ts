import type { PluginManifest } from '@parley/sdk';
import type { Signal } from '../../lib/signal.ts';

/** What an operator chose for the permissions that leave a choice. What is not chosen is not allowed. */
export interface PluginGrants {
  /** Bots that it may send messages by, and their targets; null for any target. */
  send: { bot_uuid: string; targets: string[] | null }[];
  /** uuids of models. */
  models: string[];
  /** uuids of knowledge bases. */
  knowledge: string[];
}

/** A plugin that may be called: installed, enabled, with the consent of an admin to the permissions of its manifest. */
export interface ActivePlugin {
  /** `author/name` */
  id: string;
  manifest: PluginManifest;
  grants: PluginGrants;
  /** What becomes of a message when a listener fails: it passes on, or ends with `stopped_by_plugin`. */
  on_failure: 'pass' | 'stop';
  /** Addresses in its settings that an admin saved, as `SavedAddresses`. */
  admin_addresses: readonly string[] | null;
}

/** The plugins that may be called now. */
export interface ActivePlugins {
  /** In the order in which their listeners are called. */
  list(): readonly ActivePlugin[];
  /** Its settings, complete, secrets in the clear. */
  settings(id: string): Promise<Record<string, unknown>>;
  /** The list has changed. */
  changed: Signal;
}
