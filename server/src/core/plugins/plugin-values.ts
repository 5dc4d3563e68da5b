/** What plugins store. */
export interface PluginValues {
  /** JSON; null when there is no such key. */
  get(pluginId: string, key: string): Promise<string | null>;
  /** @param value JSON. @throws ParleyError `plugin_storage_full` */
  set(pluginId: string, key: string, value: string): Promise<void>;
  delete(pluginId: string, key: string): Promise<void>;
  /** Those with a prefix, behind `after`, in the order of code points. */
  keys(pluginId: string, query: { prefix: string; after: string; limit: number }): Promise<string[]>;
  /** Removes what a plugin has stored, and its effects. */
  removeAll(pluginId: string): Promise<void>;
}

/** What one plugin may store: keys and values, bytes. */
export const maximumStoredBytes = 10 << 20;
