import type { components } from '@parley/client';
import type { TFunction } from 'i18next';

export type ToolUsers = components['schemas']['ToolUsers'];
type Preferences = components['schemas']['ExtensionsPreferences'];
type Pipeline = components['schemas']['Pipeline'];
type McpTool = components['schemas']['McpTool'];

const defaultUsers: ToolUsers = { allow: 'nobody', users: [] };

/** Who may run tools of a server that are not confirmed as read-only. */
export function toolUsersOf(preferences: Preferences, server: string): ToolUsers {
  return preferences.mcp_tool_users[server] ?? defaultUsers;
}

/** Whether messages of a pipeline may use a server. */
export function usesServer({ enable_all_mcp_servers, mcp_servers }: Preferences, server: string): boolean {
  return enable_all_mcp_servers || mcp_servers.some((uuid) => uuid.toLowerCase() === server);
}

/** Whether a pipeline may use a tool of a server: it uses the server, and its list of tools names the tool or `*`. */
export function mayUseTool(
  { config, extensions_preferences }: Pick<Pipeline, 'config' | 'extensions_preferences'>,
  server: string,
  tool: string,
): boolean {
  if (!usesServer(extensions_preferences, server)) return false;
  const ai = (config.ai ?? {}) as Record<string, { runner?: unknown; tools?: unknown } | undefined>;
  const { tools } = ai[String(ai.runner?.runner)] ?? {};
  if (!Array.isArray(tools)) return false;
  // Models know it by this name, with that of the server before it if another tool has the same name.
  const name = tool.replace(/[^A-Za-z0-9_-]+/g, '_');
  return tools.some((one) => one === '*' || one === name || String(one).endsWith(`_${name}`));
}

/** Who may run a tool, in a few words. */
export function toolUsersText(t: TFunction, tool: Pick<McpTool, 'read_only'>, users: ToolUsers): string {
  if (tool.read_only === 'confirmed') return t('tools.runsFor.readOnly');
  return users.allow === 'listed'
    ? t('tools.runsFor.listed', { count: users.users.length })
    : t(`tools.runsFor.${users.allow}`);
}
