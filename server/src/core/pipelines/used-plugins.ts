const prefix = 'plugin/';

/** The extension that the tools of a plugin belong to, by which pipelines choose. @param id `author/name` */
export function extensionOfPlugin(id: string): string {
  return prefix + id;
}

/** Whether an extension is a plugin. */
export function isOfPlugin(extension: string): boolean {
  return extension.startsWith(prefix);
}

/** Whether an id is that of a plugin, not the uuid of an MCP server. */
export function isPluginId(id: string): boolean {
  return id.includes('/');
}

/** What of the preferences of a pipeline is about plugins. */
export interface UsedPlugins {
  enable_all_plugins: boolean;
  plugins: readonly { author: string; name: string }[];
}

/** Whether a pipeline uses a plugin. @param id `author/name` */
export function usesPlugin({ enable_all_plugins, plugins }: UsedPlugins, id: string): boolean {
  return enable_all_plugins || plugins.some(({ author, name }) => `${author}/${name}` === id);
}
