import type { PluginGrants } from './active-plugin.ts';
import type { StoredPlugin } from './plugin.ts';

/** A record that uses a plugin. */
export interface PluginUser {
  kind: 'knowledge-bases' | 'pipelines';
  uuid: string;
  name: string;
}

/** Plugins, also those that were uninstalled while their settings were kept. */
export interface PluginStore {
  /** In the operator's order. */
  list(): Promise<StoredPlugin[]>;
  /**
   * Creates or changes a plugin; a new one is the last in the order.
   * @param change receives the stored record, which is locked meanwhile; its errors are rethrown
   * @param maximum most plugins and MCP servers together; -1 for no limit
   * @returns what is stored now; null when the change would install one more than there may be
   */
  save(
    id: string,
    change: (stored: StoredPlugin | null) => Omit<StoredPlugin, 'position'>,
    maximum?: number,
  ): Promise<StoredPlugin | null>;
  /**
   * Sets the order.
   * @returns false when the ids are not exactly those of the installed plugins; nothing has changed then
   */
  reorder(ids: readonly string[]): Promise<boolean>;
  /**
   * Uninstalls a plugin unless it is used. Its settings stay.
   * @param runners names of its runners
   * @returns what uses it
   */
  uninstall(id: string, runners: readonly string[], now: string): Promise<PluginUser[]>;
  /** How many plugins are installed, and how many MCP servers there are, together. */
  countExtensions(): Promise<number>;
  /** @returns the paths of the uuids that are of no record: `send[0].bot_uuid`, `models[2]` */
  unknownIn(grants: PluginGrants): Promise<string[]>;
  /** Deletes the record of a plugin that is not installed. */
  remove(id: string): Promise<void>;
}
